import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { listedProfile } from '../../api/start/profile.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { listPayments } from '../../engine/inspection/list-payments.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank, ofProfile, settingsOf } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { payTooMuch } from '../support/rejected-at-once.ts';
import { markdownLines } from '../support/markdown.ts';
import { tell } from '../support/story.ts';

/* rules.md P10b: transfers inside the bank settle when they are authorised. Their stories are in tests/scenarios/at-once.txt. */

const sameBank = settingsOf(['--quirks', 'same-bank-at-once']);

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
      const { bank } = await tell(
        `at           ${signed}
         ${verb} gift 100.00 nora -> ${to}
         sign         gift | ${isAtOnce ? 'ACSC' : 'PDNG'}
         at           ${booked} 23:59
         attempts     gift | ${settled} settle
         transactions nora | -100.00 booked ${booked} value ${value}`,
        isOfGuide ? settingsOf(['--quirks', by]) : await ofProfile(by),
      );
      expect((await proveLedger(bank)).ok).toBe(true);
      await bank.close();
    },
  );
});

describe('P10b', () => {
  test('P4: on a closed day, to an account that holds no more, it moves to the next banking day', async () => {
    await using bank = await memoryBank('2027-03-27T12:00:00+01:00', sameBank);
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
    await using bank = await memoryBank('2027-02-05T12:00:00+01:00', sameBank);
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
});
