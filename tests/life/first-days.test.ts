import { expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { beginHousehold } from '../../engine/life/begin-household.ts';
import { beginLife, listLives } from '../../engine/life/begin-life.ts';
import { livesOf } from '../../engine/life/lives.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { addDays, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { at, type OwnBank } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';
import { sample, sameSample } from '../support/sample.ts';
import { knownState, numbers, open, personaNamed, statement } from './lived-banks.ts';

/* The first days after a made past (docs/spec/rules.md L3). */

const [number = ''] = numbers;
const personas = ['family', 'pensioner', 'shop', 'student'];
const cases = Array.from({ length: 31 }, (_, day) => addDays(localDate('2027-04-01'), day)).flatMap((day) =>
  [12, 24, 36, 60].flatMap((months) =>
    ['household', ...personas].map((who) => ({ day, months, who, time: months % 24 === 0 ? '10:00' : '00:00' })),
  ),
);

async function begin({ day, months, who, time }: (typeof cases)[number], balance = '18000.00'): Promise<OwnBank> {
  const bank = await open({ now: `${day}T${time}:00+02:00`, knownState: knownState(balance) });
  if (who === 'household') {
    await beginHousehold(bank, new Map([['shared', number]]), { persona: personaNamed('family'), months });
  } else {
    await beginLife(bank, number, { persona: personaNamed(who), months });
  }
  return bank;
}

/** Bills of the accounts from a day to another one, which come later than the lives began, as `ACCOUNT EVENT BOOKED AMOUNT`. */
async function bills(bank: Bank, from: LocalDate, to: LocalDate): Promise<{ wanted: string[]; keys: Set<string> }> {
  const lives = await bank.ledger.read((reader) => livesOf(bank, reader));
  const wanted = lives.flatMap(({ row, course }) =>
    course.between(from, to).flatMap(({ at: instant, key, action }) => {
      if (action.kind !== 'post' || !action.needsFunds || action.amount >= 0n || instant <= row.began_at) return [];
      return action.bookingDate > to ? [] : [`${row.account} ${key}`];
    }),
  );
  const keys = new Set<string>();
  for (const { account } of await listLives(bank))
    for (const { event } of (await statement(bank, account)).entries) keys.add(`${account} ${event}`);
  return { wanted, keys };
}

test('L3: in the first 40 days no standing order, salary or bill of a life lacks funds, whatever the day and the past', async () => {
  const broken: object[] = [];
  for (const each of sample('first days of a life', cases, 155)) {
    await using bank = await begin(each);
    const last = addDays(each.day, 40);
    await advanceClock(bank, at(`${last}T00:00:00+02:00`));
    const failed = await rowsIn(
      bank,
      `select nominal_date, amount_minor from execution where attempts > 0 and status <> 'ACSC'`,
    );
    const { wanted, keys } = await bills(bank, each.day, addDays(last, -1));
    const unpaid = wanted.filter((key) => !keys.has(key));
    expect(wanted.length).toBeGreaterThan(2);
    if (failed.length > 0 || unpaid.length > 0) broken.push({ ...each, failed, unpaid });
  }
  expect({ broken, sameSample }).toEqual({ broken: [], sameSample });
});

test('L3: a family that begins with 18,000.00 on the day of its mortgage has what the mortgage takes, in whole hundreds', async () => {
  for (const who of ['household', 'family']) {
    await using bank = await begin({ day: localDate('2027-04-20'), months: 12, who, time: '00:00' });
    const { balances, entries } = await statement(bank, number);
    expect([who, balances.interimBooked > 2_145_000n, balances.interimBooked % 10_000n]).toEqual([who, true, 0n]);
    expect(entries.at(-1)?.balance.minor).toBe(balances.interimBooked);
    expect(await brokenProofs(bank)).toEqual({});
    await advanceClock(bank, at('2027-04-22T00:00:00+02:00'));
    const paid = await rowsIn(bank, `select status, attempts from execution where status = 'ACSC'`);
    expect([who, paid.length]).toEqual([who, 1]);
  }
});

test('L3: a balance that can pay what comes, or that of a persona that is short of funds, stays as it is', async () => {
  const day = localDate('2027-04-20');
  const kept = [
    ...['household', ...personas].map((who) => [who, '300000.00'] as const),
    ['short-of-funds', '18.00'] as const,
  ];
  for (const [who, balance] of kept) {
    await using bank = await begin({ day, months: 12, who, time: '10:00' }, balance);
    const { balances } = await statement(bank, number);
    expect([who, balances.interimBooked]).toEqual([who, BigInt(balance.replace('.', ''))]);
  }
});
