import { expect, test } from '@jest/globals';
import { sandboxAccount } from '../../api/interface/sandbox-data/accounts.ts';
import {
  createAccount,
  type CreateAccount,
  deleteAccount,
  listSandboxAccounts,
  readSandboxAccount,
} from '../../engine/sandbox-data/customers.ts';
import { knownState, memoryBank } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump } from '../lab/rows.ts';
import { refused } from './refused.ts';

const wanted: CreateAccount = {
  customerNumber: '13039319955',
  name: 'Brukskonto',
  bban: '90412263056',
  currency: 'NOK',
  product: 'Brukskonto',
  cashAccountType: 'TAXE',
  creditLine: 50_000n,
  openingBalance: 1_000_000n,
};

test('real-api-facts 10: an account is shown with every member, its number derived and its amounts as strings', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const created = await createAccount(bank, wanted);
  const id = created.account.resource_id;
  expect(sandboxAccount(created)).toEqual({
    id,
    resourceId: id,
    customerNumber: '13039319955',
    accountName: 'Brukskonto',
    bban: '90412263056',
    iban: 'NO2390412263056',
    currency: 'NOK',
    product: 'Brukskonto',
    cashAccountType: 'TAXE',
    creditLine: '500.00',
    balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: '10000.00', currency: 'NOK' } }],
    _links: {
      self: { href: `/v1/sandbox/accounts/${id}`, verbs: ['GET', 'DELETE'] },
      transactions: { href: `/v1/sandbox/accounts/${id}/transactions`, verbs: ['GET', 'POST', 'DELETE'] },
    },
  });
  expect(await readSandboxAccount(bank, id)).toEqual(created);
  expect((await listSandboxAccounts(bank)).at(-1)).toEqual(created);
});

test('D3b: the known state is listed, each account with the customerNumber of its holder', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const expected = knownState.customers.flatMap(({ customerNumber, accounts }) =>
    accounts.map(({ bban, balance }) => [customerNumber, bban, balance]),
  );
  const shown = (await listSandboxAccounts(bank)).map(sandboxAccount);
  expect(
    shown.map(({ customerNumber, bban, balances }) => [customerNumber, bban, balances[0]?.balanceAmount.amount]),
  ).toEqual(expected);
});

test('D3: an opening balance is an entry against clearing; without one there is none', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const entries = async () => (await dump(bank))['entry']?.length ?? 0;
  const before = await entries();
  await createAccount(bank, wanted);
  expect(await entries()).toBe(before + 2);
  await createAccount(bank, { ...wanted, bban: '90412329715', openingBalance: 0n });
  expect(await entries()).toBe(before + 2);
  // A currency that nobody had gets its clearing account.
  const yen = await createAccount(bank, { ...wanted, bban: '83960706687', currency: 'JPY', openingBalance: 100n });
  expect(sandboxAccount(yen).balances[0]?.balanceAmount).toEqual({ amount: '100', currency: 'JPY' });
  expect(await brokenProofs(bank)).toEqual({});
});

test.each<[string, Partial<CreateAccount>, string[]]>([
  ['the bban', { bban: '09232911044' }, ['CONFLICT bban']],
  ['the iban', { bban: undefined, iban: 'NO7809232911044' }, ['CONFLICT iban']],
  ['both', { bban: '09232911044', iban: 'NO78 0923 2911 044' }, ['CONFLICT bban', 'CONFLICT iban']],
  ['a customerNumber that nobody has', { customerNumber: '99999999999' }, ['RESOURCE_UNKNOWN customerNumber']],
  ['everything', { customerNumber: '1', bban: '09232911044' }, ['RESOURCE_UNKNOWN customerNumber', 'CONFLICT bban']],
])('D3b, E3: creating what exists is refused, all at once, and changes nothing: %s', async (_, change, expected) => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const before = await dump(bank);
  const faults = await refused(createAccount(bank, { ...wanted, ...change }));
  expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
  expect(await dump(bank)).toEqual(before);
});

test('an account without a BBAN conflicts by its IBAN', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const german = { ...wanted, bban: undefined, iban: 'DE89370400440532013000', currency: 'EUR' } as const;
  const { account } = await createAccount(bank, german);
  expect(account).toMatchObject({ bban: null, iban: 'DE89370400440532013000' });
  expect(await refused(createAccount(bank, german))).toMatchObject([{ code: 'CONFLICT', path: 'iban' }]);
});

test('P4: an opening balance is 10^17 minor units at most, for each of many accounts', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const open = (index: number, openingBalance: bigint) =>
    createAccount(bank, { ...wanted, bban: String(34_999_990_000 + index), iban: undefined, openingBalance });
  expect(await refused(open(0, 10n ** 17n + 1n))).toMatchObject([{ code: 'FORMAT_ERROR' }]);
  for (let index = 1; index < 80; index += 1) await open(index, 10n ** 17n);
  // The 64 bits of the ledger end soon after: no amount is an overflow (E4).
  expect(await refused(open(80, 10n ** 17n))).toMatchObject([{ code: 'FORMAT_ERROR' }]);
  expect(await brokenProofs(bank)).toEqual({});
});

test('S5: a deleted account is unknown, and its number may be opened again', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const { account } = await createAccount(bank, wanted);
  await deleteAccount(bank, account.resource_id);
  for (const call of [readSandboxAccount(bank, account.resource_id), deleteAccount(bank, account.resource_id)]) {
    expect(await refused(call)).toMatchObject([{ code: 'RESOURCE_UNKNOWN', place: 'account' }]);
  }
  const again = await createAccount(bank, wanted);
  expect(again.account.resource_id).not.toBe(account.resource_id);
  expect(again.account.balance_minor).toBe(1_000_000n);
  expect(await brokenProofs(bank)).toEqual({});
});
