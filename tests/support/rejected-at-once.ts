import type { Bank } from '../../engine/open-bank.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { balanceLimit, formatAmount } from '../../engine/values/money.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { createAccount } from '../../engine/sandbox-data/customers.ts';
import { deposit, people, paySigned } from '../lab/payments.ts';

/**
 * Signs a payment from a credit line to an account that is so full that it cannot hold it (rules.md P4), and returns its
 * id. The first run that tries it rejects it.
 */
export async function payTooMuch(bank: Bank, on: LocalDate): Promise<string> {
  const openedWith = { name: 'Backed', product: null, cashAccountType: null, openingBalance: 0n };
  const [psu, bban] = [people.backed.psu, people.backed.bban];
  await createAccount(bank, { ...openedWith, customerNumber: psu, bban, currency: 'NOK', creditLine: 10n ** 15n });
  const room = 50n;
  const nora = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
  await deposit(bank, 'nora', balanceLimit - room - (nora?.balance_minor ?? 0n));
  const amount = formatAmount({ minor: room + 1n, currency: 'NOK' });
  const { payment } = await paySigned(bank, { from: 'backed', to: 'nora', amount }, on);
  return payment.resource_id;
}
