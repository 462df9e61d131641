import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { RunFault } from '../../engine/bank/bank-context.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { deposit } from '../lab/payments.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { goOn, newStory } from '../support/story.ts';
import { rowsOf } from '../lab/rows.ts';

/* rules.md R8b, register 65: only the fault double-execution pays a nominal date twice. */

/** A fault that strikes so many runs. */
function armed(times: number): RunFault & { readonly left: () => number } {
  let left = times;
  return { isArmed: () => left > 0, countUse: () => void (left -= 1), left: () => left };
}

const before = `
  order rent 1000.00 nora -> even Monthly from 2024-05-18 until 2024-05-18
  sign  rent
  pay   bill 200.00 nora -> shop on 2024-05-21
  sign  bill
  at    2024-05-21 04:00`;

describe('a run under the fault', () => {
  test('executes what was agreed before its day twice; the next run takes one of them back', async () => {
    const bank = await memoryBank('2024-05-10T12:00:00+02:00');
    const fault = armed(1);
    bank.runFault.fault = fault;
    const story = newStory(bank);
    await goOn(story, before);
    await goOn(
      story,
      `pay   today 30.00 nora -> shop
       sign  today                   | PDNG
       at    2024-05-21 05:30        | 2024-05-21/1 settled 3
       see   rent                    | ACSC
       attempts rent                 | 2024-05-21/1 settle
       balance nora                  | 15570.00
       balance even                  | 17796.00`,
    );
    expect(fault.left()).toBe(0);
    expect((await proveLedger(bank)).ok).toBe(true);
    await goOn(
      story,
      `at    2024-05-21 09:30        | 2024-05-21/2 booked 5
       balance nora                  | 16770.00
       balance even                  | 16796.00
       see   rent                    | gone
       at    2024-05-22 09:30        | no runs`,
    );
    expect((await proveLedger(bank)).ok).toBe(true);
    await bank.close();
  });

  test('is the next one that can, once for each time, also where runs share a commit', async () => {
    const bank = await memoryBank('2024-05-10T12:00:00+02:00');
    const fault = armed(2);
    bank.runFault.fault = fault;
    const story = newStory(bank);
    await goOn(
      story,
      `order dues 10.00 nora -> shop Daily from 2024-05-13 until 2024-05-24
       sign  dues
       pay   gift 5.00 nora -> shop
       sign  gift`,
    );
    await advanceClock(bank, at('2024-05-31'));
    // Twelve days of dues and the gift: the doubles of 13 and 14 May were corrected.
    await goOn(story, 'balance nora | 17875.00');
    const doubles = await bank.ledger.read((reader) =>
      rowsOf(reader, 'select nominal_date from double_execution join execution on id = execution_id'),
    );
    expect([doubles.map((row) => row['nominal_date']), fault.left()]).toEqual([['2024-05-13', '2024-05-14'], 0]);
    await bank.close();
  });

  test('without funds for the second time executes once', async () => {
    const bank = await memoryBank('2024-05-10T12:00:00+02:00');
    bank.runFault.fault = armed(1);
    await goOn(
      newStory(bank),
      `order rent 8.00 anne -> shop Monthly from 2024-05-18 until 2024-05-18
       sign  rent
       at    2024-05-21 05:30
       balance anne | 4.00
       at    2024-05-21 09:30 | 2024-05-21/2 booked 1
       balance anne | 4.00`,
    );
    await bank.close();
  });

  test('R8b, T4h: a run of a single product leaves the correction to the next ordinary one', async () => {
    const cutOffRules = { cutOffs: { inside: '18:00' }, earlyClose: {}, fxFixings: [] };
    const bank = await memoryBank('2024-05-10T12:00:00+02:00', { cutOffRules });
    bank.runFault.fault = armed(1);
    const story = newStory(bank);
    await goOn(
      story,
      `order rent 500.00 anne -> shop Monthly from 2024-05-18 until 2024-05-18
       sign  rent
       at    2024-05-21 15:00`,
    );
    await deposit(bank, 'anne', 200_000n);
    await goOn(
      story,
      `at    2024-05-21 15:30        | 2024-05-21/5 settled 1
       balance anne                  | 1012.00
       pay   gift 30.00 nora -> even
       sign  gift                    | PDNG
       at    2024-05-21 18:00        | 2024-05-21/6 settled 1
       balance anne                  | 1012.00
       at    2024-05-22 05:30        | 2024-05-22/1 booked 3
       balance anne                  | 1512.00`,
    );
    expect((await proveLedger(bank)).ok).toBe(true);
    await bank.close();
  });

  test('is corrected where the accounts were closed meanwhile', async () => {
    const bank = await memoryBank('2024-05-10T12:00:00+02:00');
    bank.runFault.fault = armed(1);
    const story = newStory(bank);
    await goOn(story, before);
    await advanceClock(bank, at('2024-05-21T05:30:00+02:00'));
    for (const bban of ['09232911044', '74712699947']) {
      const account = await bank.ledger.read((reader) => accountByNumber(reader, bban));
      await deleteAccount(bank, account?.resource_id ?? '');
    }
    await advanceClock(bank, at('2024-05-21T09:30:00+02:00'));
    expect(await proveLedger(bank)).toMatchObject({ ok: true, currencies: expect.anything() });
    const left = await bank.ledger.read((reader) =>
      rowsOf(reader, 'select 1 from account where closed_at is not null and balance_minor <> 0'),
    );
    expect(left).toEqual([]);
    await bank.close();
  });
});

describe('POST /sandbox/faults', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank('2024-05-10T12:00:00+02:00');
  });
  beforeEach(() => bank.control('POST', '/sandbox/reset', {}));
  afterAll(() => bank.stop());

  const arm = (body: object) => bank.control('POST', '/sandbox/faults', body);

  test('arms it; it strikes no call, and is listed until it has struck', async () => {
    const { status, body } = await arm({ run: 'double-execution', times: 2 });
    expect([status, body]).toEqual([200, { id: expect.anything(), run: 'double-execution', times: 2, remaining: 2 }]);
    const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    expect((await bank.signed('POST', singlePath, { body: singlePayment(), headers: psu })).status).toBe(201);
    await bank.advance({ by: 'P3D' });
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toEqual([body]);
    expect((await bank.control('DELETE', '/sandbox/faults')).body).toEqual({ disarmed: 1 });
  });

  test.each([
    [{ run: 'twice' }, 'run'],
    [{ run: 'double-execution', code: 'SERVICE_BLOCKED' }, 'run'],
    [{ run: 'double-execution', delay: 'PT1S' }, 'delay'],
    [{ run: 'double-execution', path: '/v1/payments' }, 'path'],
    [{ run: 'double-execution', method: 'GET' }, 'method'],
    [{ run: 'double-execution', when: 'before' }, 'when'],
    [{ run: 'double-execution', times: 0 }, 'times'],
  ])('refuses %j', async (body, path) => {
    const refused = await arm(body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
  });
});
