import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { listedProfile } from '../../api/start/profile.ts';
import type { BankOptions } from '../../engine/open-bank.ts';
import { choiceOf, isProblem, noQuirks, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { listPayments } from '../../engine/inspection/list-payments.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank, ofProfile } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { payTooMuch } from '../support/rejected-at-once.ts';
import { markdownLines } from '../support/markdown.ts';
import { tell } from '../support/story.ts';

/* rules.md P10b: transfers inside the bank settle when they are authorised. */

/** Quirks by their list, as `--quirks` takes it. */
function quirksOf(list: string): Quirks {
  const found = switched(noQuirks, choiceOf(list));
  if (isProblem(found)) throw new Error(found.problem);
  return found;
}

async function story(quirks: string, text: string, options: Partial<BankOptions> = {}): Promise<void> {
  const { bank } = await tell(text, { quirks: quirksOf(quirks), ...options });
  expect((await proveLedger(bank)).ok).toBe(true);
}

const guide = 'docs/settlement/cut-offs.md';
const shown = markdownLines(readFileSync(guide, 'utf8'))
  .filter(({ kind, columns }) => kind === 'row' && columns[0] === 'quirk')
  .map(({ cells: [quirk = '', ...cells] }) => [guide, quirk.replaceAll('`', ''), ...cells]);
/** Under the profile of the bank that published it. */
const published = readFileSync(new URL('../data/at-once-published.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1);

describe('what banks have published, and what the guide shows', () => {
  test('the guide has rows', () => expect(shown.length).toBeGreaterThan(4));

  test.each([...published.map((row) => row.split('\t')), ...shown])(
    'register 54, 55, 58, 59, 60: %s, %s: %s signed %s',
    async (source, by = '', transfer = '', signed = '', settled = '', value = '', booked = '') => {
      const [verb, to] =
        transfer === 'inside with KID' ? ['pay-kid', 'even'] : ['pay', { own: 'savings' }[transfer] ?? 'even'];
      const isAtOnce = settled === 'at once';
      const isOfGuide = source === guide;
      if (!isOfGuide) expect((await listedProfile(by)).facts.map((fact) => fact.source)).toContain(source);
      await story(
        isOfGuide ? by : '',
        `at           ${signed}
         ${verb} gift 100.00 nora -> ${to}
         sign         gift | ${isAtOnce ? 'ACSC' : 'PDNG'}
         at           ${booked} 23:59
         attempts     gift | ${settled} settle
         transactions nora | -100.00 booked ${booked} value ${value}`,
        isOfGuide ? {} : await ofProfile(by),
      );
    },
  );
});

describe('P10b', () => {
  test('on a closed day: no warning, the value date is that day, and the first run books it', () =>
    story(
      'same-bank-at-once',
      `at  2027-03-26 12:00
       pay  gift 100.00 nora -> even on 2027-03-26 | RCVD
       sign gift                                   | ACSC
       see  gift                                   | ACSC
       history gift                                | RCVD ACSC
       balance nora                                | 17900.00
       balance even                                | 15896.00
       transactions even                           | 100.00 pending
       at   2027-03-30 05:30                       | 2027-03-30/1 booked 1
       see  gift                                   | gone
       transactions nora                           | -100.00 booked 2027-03-30 value 2027-03-26
       transactions even                           | 100.00 booked 2027-03-30 value 2027-03-26`,
    ));

  test('after the last run of a day too', () =>
    story(
      'same-bank-at-once',
      `at  2027-03-24 23:30
       pay  gift 100.00 nora -> even | RCVD
       sign gift                     | ACSC`,
    ));

  test('a later date settles in its first run, and what is signed on that date at once', () =>
    story(
      'own-accounts-at-once',
      `at   2027-03-18 12:00
       pay  one 100.00 nora -> savings on 2027-03-20 | RCVD, moved to 2027-03-22
       pay  two 200.00 nora -> savings on 2027-03-20 | RCVD, moved to 2027-03-22
       sign one                                      | ACSP
       at   2027-03-20 12:00                         | no runs
       sign two                                      | ACSC
       at   2027-03-22 05:30                         | 2027-03-22/1 settled 1, booked 1`,
    ));

  test.each([
    ['to an account of another customer', 'own-accounts-at-once', 'nora -> even'],
    ['to another bank', 'same-bank-at-once,own-accounts-at-once', 'nora -> shop'],
  ])('%s it waits for a run', (_to, quirks, who) =>
    story(
      quirks,
      `at   2027-03-24 12:00
       pay  gift 100.00 ${who}   | RCVD
       sign gift                 | PDNG
       at   2027-03-24 13:30     | 2027-03-24/4 settled 1`,
    ),
  );

  test('S4: without funds it waits for the runs, and only they count as attempts', () =>
    story(
      'same-bank-at-once',
      `at   2027-03-24 12:00
       pay  gift 100.00 anne -> even | RCVD
       sign gift                     | PDNG
       at   2027-03-24 13:30         | 2027-03-24/4 retried 1
       see  gift                     | ACCP fundsAvailable false
       deposit 100.00 to anne
       at   2027-03-24 15:30         | 2027-03-24/5 settled 1
       attempts gift                 | 2027-03-24/4 retry, 2027-03-24/5 settle`,
    ));

  test('T4d: without funds it is received as any payment, after the cut-off on the next banking day', () =>
    story(
      'same-bank-at-once',
      `at   2027-03-24 12:01
       pay  gift 100.00 anne -> even | RCVD
       sign gift                     | PDNG
       deposit 100.00 to anne
       at   2027-03-24 15:30         | no runs
       at   2027-03-30 05:30         | 2027-03-30/1 settled 1`,
      { cutOffRules: { cutOffs: { domestic: '12:00' }, earlyClose: {}, fxFixings: [] } },
    ));

  test('P3: without funds on a closed day it moves to the next banking day', () =>
    story(
      'same-bank-at-once',
      `at   2027-03-27 12:00
       pay  gift 100.00 anne -> even | RCVD, moved to 2027-03-30
       sign gift                     | ACSP
       dates gift                    | 2027-03-30 ACSP
       deposit 100.00 to anne
       at   2027-03-30 05:30         | 2027-03-30/1 settled 1`,
    ));

  test('S6: booked the next day, it waits for that run, whatever the runs of today settle and book', () =>
    story(
      'same-bank-at-once=next-day',
      `at   2027-03-23 12:00
       pay  gift 100.00 nora -> even | RCVD
       sign gift                     | ACSC
       pay  rent 50.00 nora -> shop  | RCVD
       sign rent                     | PDNG
       at   2027-03-23 13:30         | 2027-03-23/4 settled 1
       at   2027-03-23 15:30         | 2027-03-23/5 booked 1
       at   2027-03-24 05:30         | 2027-03-24/1 booked 1
       transactions even             | 100.00 booked 2027-03-24 value 2027-03-23`,
    ));

  test('P4: on a closed day, to an account that holds no more, it moves to the next banking day', async () => {
    await using bank = await memoryBank('2027-03-27T12:00:00+01:00', { quirks: quirksOf('same-bank-at-once') });
    const paymentId = await payTooMuch(bank, localDate('2027-03-27'));
    const seen = async () => {
      const { status, executionDate, occurrences, attempts } = await inspectPayment(bank, paymentId);
      return [status, executionDate, ...[...occurrences, ...attempts].map(({ nominalDate }) => nominalDate)];
    };
    expect(await seen()).toEqual(['ACSP', '2027-03-30', '2027-03-30']);
    const { runs } = await advanceClock(bank, at('2027-03-30T05:30:00+02:00'));
    expect(runs).toMatchObject([{ settled: 0, rejected: 1 }]);
    expect(await seen()).toEqual(['RJCT', '2027-03-30', '2027-03-30', '2027-03-30']);
  });

  test('P3c: the list has an unsigned transfer of Saturday under Sunday, on which it would settle', async () => {
    await using bank = await memoryBank('2027-02-05T12:00:00+01:00', { quirks: quirksOf('same-bank-at-once') });
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount: '1.00' }, localDate('2027-02-06'));
    await advanceClock(bank, at('2027-02-07T12:00:00+01:00'));
    const any = { offset: 0, limit: 10, status: null, service: null, numbers: null };
    const listed = async (day: string) => {
      const { payments } = await listPayments(bank, { ...any, from: localDate(day), to: localDate(day) });
      return payments.map(({ paymentId, executionDate }) => [paymentId, executionDate]);
    };
    expect(await listed('2027-02-07')).toEqual([[payment.resource_id, '2027-02-07']]);
    expect(await listed('2027-02-08')).toEqual([]);
  });

  test('P7: an equal transfer of the same closed day is a logical duplicate', () =>
    story(
      'same-bank-at-once',
      `at   2027-03-27 12:00
       pay  one 100.00 nora -> even | RCVD
       sign one                     | ACSC
       pay  two 100.00 nora -> even | refused CONFLICT`,
    ));

  test('A5: exempt from SCA it settles when it is initiated', () =>
    story(
      'own-accounts-at-once',
      `at   2027-03-27 12:00
       pay  one 100.00 nora -> savings | RCVD
       sign one                        | ACSC
       pay  two 200.00 nora -> savings | ACSC
       history two                     | ACSC`,
    ));

  test('R9: a standing order and its occurrences of today are carried out by the runs', () =>
    story(
      'own-accounts-at-once',
      `at    2027-03-24 12:00
       order rent 100.00 nora -> savings Daily from 2027-03-24 until 2027-03-24 | RCVD
       sign  rent                                                               | ACSP
       at    2027-03-24 13:30                                                   | 2027-03-24/4 settled 1`,
    ));
});
