import { describe, expect, test } from '@jest/globals';
import { balanceLimit } from '../../engine/values/money.ts';
import { accountByNumber, type Account } from '../../engine/accounts/rows/accounts.ts';
import { decodeRows, rowsAsJson } from '../../engine/ledger/queries.ts';
import { memoryBank } from '../lab/bank.ts';
import { deposit, people, type Person, orRefusal, paySigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';
import { osloTime } from '../support/oslo-time.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import type { Bank } from '../../engine/open-bank.ts';

/** The first integer that a double cannot tell from its neighbour. */
const odd = 2n ** 53n + 1n;

async function accountOf(bank: Bank, person: Person): Promise<Account> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people[person].bban));
  if (account === undefined) throw new Error(`${person} has an account in the sandbox`);
  return account;
}

async function balance(bank: Bank): Promise<bigint> {
  return (await accountOf(bank, 'nora')).balance_minor;
}

describe('P4: money above 2^53 minor units', () => {
  test('is exact through deposits, a settlement run and the read', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    await deposit(bank, 'nora', odd - 1_800_000n);
    expect(await balance(bank)).toBe(odd);
    await paySigned(bank, { from: 'nora', to: 'shop', amount: '0.02' });
    await advanceClock(bank, osloTime('2027-04-12 13:30'));
    expect(await balance(bank)).toBe(odd - 2n);
    const [attempt] = await rowsIn(bank, 'select available_minor, needed_minor from attempt');
    expect(attempt).toEqual({ available_minor: odd, needed_minor: 2n });
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('may reach 10^17, and one more is refused with nothing posted', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    const room = balanceLimit - 1_800_000n;
    expect(await orRefusal(deposit(bank, 'nora', room + 1n))).toBe('FORMAT_ERROR');
    expect(await balance(bank)).toBe(1_800_000n);
    await deposit(bank, 'nora', room);
    expect(await balance(bank)).toBe(balanceLimit);
    expect(await orRefusal(deposit(bank, 'nora', 1n))).toBe('FORMAT_ERROR');
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('counts customers alone: where the bank itself holds more, others are paid and accounts are deleted', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    for (const person of ['nora', 'even', 'anne'] as const) {
      const { balance_minor: before } = await accountOf(bank, person);
      await deposit(bank, person, balanceLimit - before);
    }
    await paySigned(bank, { from: 'nora', to: 'shop', amount: '1.00' });
    await deleteAccount(bank, (await accountOf(bank, 'anne')).resource_id);
    await advanceClock(bank, osloTime('2027-04-12 13:30'));
    expect((await accountOf(bank, 'nora')).balance_minor).toBe(balanceLimit - 100n);
    expect(await brokenProofs(bank)).toEqual({});
  });
});

describe('integers of the ledger', () => {
  test('money stays bigint, every other integer becomes a number', () => {
    const rows = [{ id: 7n, at: 1_806_000_000_000n, balance_minor: odd, name: 'x', closed_at: null }];
    expect(decodeRows(rows)).toEqual([
      { id: 7, at: 1_806_000_000_000, balance_minor: odd, name: 'x', closed_at: null },
    ]);
  });

  test('a number beyond 2^53 outside money is an invariant broken, not a rounded number', () => {
    expect(() => decodeRows([{ at: odd }])).toThrow('beyond 2^53');
  });

  test('a row read from the ledger has ids, instants and flags as numbers', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    const account = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
    expect(account).toMatchObject({ balance_minor: 1_800_000n, payments_allowed: 1, signatures_required: 1 });
    expect(typeof account?.id).toBe('number');
  });

  test('a bulk write carries text, null and integers of 64 bits as they are', async () => {
    const cells = ['Ærlig "Øre"\n\\', null, odd, -odd, 0, 2n ** 63n - 1n, -(2n ** 63n)];
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    const columns = cells.map((_, index) => `value ->> ${index} as c${index}_minor`).join(', ');
    const json = rowsAsJson([cells]).replaceAll("'", "''");
    const [row] = await rowsIn(bank, `select ${columns} from json_each('${json}')`);
    expect(Object.values(row ?? {})).toEqual(cells.map((cell) => (cell === 0 ? 0n : cell)));
  });
});
