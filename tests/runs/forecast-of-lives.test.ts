import { describe, expect, test } from '@jest/globals';
import { listedPersona, loadPriceList } from '../../api/start/fixtures.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { cutShort, openBank, type Bank } from '../../engine/open-bank.ts';
import { saveSnapshot, takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar, knownState, manualClock, memoryBank, ofProfile, type OwnBank } from '../lab/bank.ts';
import { foreseen, lookThenGo } from '../lab/forecast-and-fact.ts';
import { pay, people, type Person, sign, paySigned, orderSigned } from '../lab/payments.ts';

const now = '2026-11-23T10:00:00+01:00';
const day = 24 * 60;
const family = await listedPersona('family');
const shop = await listedPersona('shop');

async function lived(who: Person, persona: Persona, ...options: Parameters<typeof memoryBank>[1][]): Promise<OwnBank> {
  const bank = await memoryBank(now, options[0]);
  await beginLife(bank, people[who].bban, { persona, months: 1 });
  return bank;
}

async function announce(bank: Bank, who: Person, minor: bigint, on: string): Promise<void> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people[who].bban));
  const date = localDate(on);
  const transaction = { amount: minor, currency: 'NOK' as const, bookingDate: date, valueDate: date, details: {} };
  await addTransactions(bank, account?.resource_id ?? '', [transaction]);
}

test('D3e: a mortgage that two salaries come before settles, as the forecast says', async () => {
  await using bank = await lived('nora', family);
  const { executions, planned } = await forecast(bank, { to: at('2027-01-07T10:00:00+01:00') });
  const mortgage = executions.filter(({ needed }) => needed.minor === 21_450_00n);
  expect(mortgage.map(({ outcome }) => outcome)).toEqual(['settle']);
  expect(planned.filter(({ event }) => event.includes('salary')).length).toBeGreaterThan(1);
  const { foreseen: told, made } = await lookThenGo(bank, 45 * day, 5 * day);
  expect(told).toEqual(made);
});

test('D3e: a bank that stops gives no forecast rather than a part of one', async () => {
  const stopping = new AbortController();
  await using bank = await lived('nora', family, { stopping: stopping.signal });
  const to = at('2027-01-07T10:00:00+01:00');
  stopping.abort();
  await expect(forecast(bank, { to })).rejects.toThrow(cutShort().message);
});

describe('D3e: what is forecast happens, and nothing else', () => {
  test('L2: over a year, with interest and fees, whatever the steps', async () => {
    await using bank = await lived('nora', await listedPersona('short-of-funds'));
    const { told, foreseen: line, made } = await lookThenGo(bank, 365 * day, 11 * day);
    expect(line).toEqual(made);
    const events = new Set(told.planned.map(({ event }) => event));
    expect([...events]).toEqual(expect.arrayContaining(['salary', 'fee-for-failed-orders']));
    expect(events.has('groceries')).toBe(false);
    expect(new Set(told.executions.map(({ outcome }) => outcome))).toEqual(new Set(['settle', 'retry', 'reject']));
  });

  test('D3d: announced debits and credits, and what others pay to a life, count from their day on', async () => {
    await using bank = await lived('nora', family);
    await announce(bank, 'nora', -30_000_00n, '2026-12-02');
    await announce(bank, 'even', 90_000_00n, '2026-12-05');
    for (const [from, to, amount, on] of [
      ['nora', 'shop', '25000.00', '2026-12-01'],
      ['even', 'nora', '80000.00', '2026-12-07'],
    ] as const) {
      await paySigned(bank, { from, to, amount }, localDate(on));
    }
    const { told, foreseen: line, made } = await lookThenGo(bank, 30 * day, 100);
    expect(line).toEqual(made);
    const fromEven = told.executions.find(({ account }) => account === people.even.bban);
    expect(fromEven).toMatchObject({ outcome: 'settle', credit: { account: people.nora.bban } });
  });

  test('S9c: salaries that a shop has not ordered yet have no id', async () => {
    await using bank = await lived('company', shop);
    const { told, foreseen: line, made } = await lookThenGo(bank, 60 * day, 7 * day);
    expect(line).toEqual(made);
    const toCome = told.executions.filter(({ paymentId }) => paymentId === null);
    expect(toCome.length).toBeGreaterThan(1);
    expect(toCome[0]).toMatchObject({ item: 'payments[0]', account: people.company.bban, isOccurrence: false });
  });

  test.each(['bien-sparebank', 'sparebank1-ostlandet', 'handelsbanken-norge', 'klp-banken'])(
    'S4c, T4d, T4f: under the profile %s, with a payment abroad and a standing order of another payer',
    async (profile) => {
      await using bank = await lived('nora', family, { prices: await loadPriceList(), ...(await ofProfile(profile)) });
      const abroad = await pay(bank, {
        from: 'nora',
        to: 'shop',
        amount: '900.00',
        foreign: { product: 'cross-border', currency: 'NOK' },
      });
      expect(await sign(bank, abroad.payment.resource_id, 'nora')).toBeNull();
      const plan = { startDate: localDate('2026-11-29'), frequency: 'Weekly' } as const;
      await orderSigned(bank, { from: 'even', to: 'nora', amount: '3000.00' }, plan);
      const { foreseen: line, made } = await lookThenGo(bank, 40 * day, 3 * day);
      expect(line).toEqual(made);
      expect(made.attempts.length).toBeGreaterThan(6);
      expect((await proveLedger(bank)).ok).toBe(true);
    },
  );
});

test('D3e: a restored snapshot, and a ledger that is opened from its image, have the forecast of the ledger', async () => {
  const bank = await lived('nora', family);
  const to = at('2027-01-10');
  const told = foreseen(await forecast(bank, { to }));
  await saveSnapshot(bank, 'before');
  const image = await takeLedgerImage(bank);
  await advanceClock(bank, at('2026-12-20'));
  expect(foreseen(await forecast(bank, { to }))).not.toEqual(told);
  await restoreSnapshot(bank, 'before');
  expect(foreseen(await forecast(bank, { to }))).toEqual(told);
  const wall = manualClock(at(now));
  const opened = await openBank({ ledger: ':memory:', copied: image, wall, ids: randomIds, calendar, knownState });
  expect(foreseen(await forecast(opened, { to }))).toEqual(told);
  await Promise.all([bank.close(), opened.close()]);
});
