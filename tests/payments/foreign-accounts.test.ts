import { beforeEach, expect, test } from '@jest/globals';
import { accounts, initiate, nora, paid, refusalOf } from '../lab/products.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
const iban = 'DE89370400440532013000';
const german = { iban: accounts.germany.iban, currency: 'EUR' };
const tenEuro = { instructedAmount: { amount: '10.00', currency: 'EUR' }, creditorName: 'Someone' };

beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
  const balances = [{ balanceType: 'EXPECTED', balanceAmount: { amount: '1000.00', currency: 'EUR' } }];
  const body = { customerNumber: nora, accountName: 'Konto', iban, currency: 'EUR', balances };
  expect((await bank.signed('POST', '/v1/sandbox/accounts', { body })).status).toBe(201);
});

async function balanceOf(wanted: string): Promise<string> {
  const proof = await bank.control('GET', '/sandbox/ledger/proof');
  expect(proof.body.ok).toBe(true);
  return proof.body.accounts.find((each: { iban: string | null }) => each.iban === wanted).stored.amount;
}

test('P5: an account that has a foreign IBAN alone is debited by it, blanks or not', async () => {
  await paid(bank, 'sepa', { ...tenEuro, creditorAccount: accounts.evenEur, debtorAccount: german });
  await bank.advance({ runs: 1 });
  expect(await balanceOf(iban)).toBe('989.58');
});

test('P5: and credited', async () => {
  const debtorAccount = { iban: 'NO6041305545238', currency: 'EUR' };
  await paid(bank, 'sepa', { ...tenEuro, creditorAccount: german, debtorAccount }, '12085592767');
  await bank.advance({ runs: 1 });
  expect(await balanceOf(iban)).toBe('1010.00');
});

test('it pays nobody but others', async () => {
  const refused = await initiate(bank, 'sepa', {
    ...tenEuro,
    creditorAccount: { ...german, iban },
    debtorAccount: german,
  });
  expect(refusalOf(refused)).toBe('400 PAYMENT_FAILED creditorAccount');
});
