import { connectBank } from '../../api/harness/index.ts';
import type { AccountReader, TransactionPeriod } from '../../api/harness/index.ts';
import { products } from '../../engine/values/product.ts';
import { type BankClient, did, type Reply, type TestBank } from './server.ts';

/** Accounts of the known state: nora is 13039319955, even is 12085592767. */
export const accounts = {
  noraNok: { bban: '09232911044', currency: 'NOK' },
  noraOther: { bban: '70323119469', currency: 'NOK' },
  noraEur: { bban: '85523166859', currency: 'EUR' },
  evenNok: { iban: 'NO1874712699947', currency: 'NOK' },
  evenEur: { iban: 'NO6041305545238', currency: 'EUR' },
  germany: { iban: 'DE89 3704 0044 0532 0130 00', currency: 'EUR' },
} as const;

/** A payee in Sweden without an IBAN. */
export const inSweden = {
  creditorAccount: { bban: '50000000054910000003', currency: 'SEK' },
  creditorAgent: 'ESSESESS',
  creditorAddress: { street: 'Kungsgatan', buildingNumber: '1', postalCode: '11143', city: 'Stockholm', country: 'SE' },
} as const;

export const nora = '13039319955';
export const even = '12085592767';

export const productPath = (product: keyof typeof products): string => `/v1/payments/${products[product]}`;

/** A payment of 100.00 from nora to Germany, in EUR. */
export function sepaPayment(changes: object = {}): object {
  return {
    instructedAmount: { amount: '100.00', currency: 'EUR' },
    creditorName: 'Company 123',
    creditorAccount: accounts.germany,
    debtorAccount: accounts.noraNok,
    ...changes,
  };
}

/** A payment of 1000.00 SEK from nora to an account in Sweden that has no IBAN. */
export function crossBorderPayment(changes: object = {}): object {
  return {
    instructedAmount: { amount: '1000.00', currency: 'SEK' },
    creditorName: 'Företag AB',
    ...inSweden,
    debtorAccount: accounts.noraNok,
    ...changes,
  };
}

/** The PSU is known to the TPP from here on, by an SCA for nothing else (rules.md A5); gives the redirect. */
export async function meet(bank: TestBank, psu: string = nora, more: object = {}): Promise<URL> {
  const offered = await bank.signed('GET', '/v1/users');
  return bank.approve(offered.body, psu, more);
}

/** Initiates with a single SCA. */
export function initiate(
  bank: BankClient,
  product: keyof typeof products,
  body: object,
  psu: string = nora,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const single = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
  return bank.signed('POST', productPath(product), { body, headers: { ...single, ...headers } });
}

/** Initiates and signs; the payment's id. */
export async function paid(
  bank: TestBank,
  product: keyof typeof products,
  body: object,
  psu: string = nora,
): Promise<string> {
  const answer = await did(initiate(bank, product, body, psu));
  await bank.approve(answer.body, psu);
  return answer.body.paymentId;
}

/** What the control plane knows of a payment. */
export async function inspected(bank: TestBank, paymentId: string): Promise<Reply['body']> {
  return (await bank.control('GET', `/sandbox/payments/${paymentId}`)).body;
}

/** `RCVD initiation; ACSC signed by the PSU, settled at once`. */
export async function historyOf(bank: TestBank, paymentId: string): Promise<string> {
  const { history } = await inspected(bank, paymentId);
  return history.map(({ status, cause }: Record<string, string>) => `${status} ${cause}`).join('; ');
}

/** `-1183.05 NOK Totalkonto`: every line that a payment posted. */
export async function linesOf(bank: TestBank, paymentId: string): Promise<string[]> {
  const { entries } = await inspected(bank, paymentId);
  return entries.map(
    ({ amount, accountName }: { amount: { amount: string; currency: string }; accountName: string }) =>
      `${amount.amount} ${amount.currency} ${accountName}`,
  );
}

/** What the harness reads of the accounts of a PSU, who opens all to another TPP. */
async function readerOf(bank: TestBank, psu: string): Promise<AccountReader> {
  return (await connectBank(bank.address)).tpp().consent({ psu });
}

/** The transactions of an account, as a TPP of the PSU reads them: all pages. */
export async function transactionsOf(
  bank: TestBank,
  psu: string,
  bban: string,
  period: TransactionPeriod = {},
): Promise<Reply['body']> {
  return (await readerOf(bank, psu)).transactions(bban, period);
}

/** The balances of an account, by type. */
export async function balancesOf(bank: TestBank, psu: string, bban: string): Promise<Record<string, string>> {
  const balances = await (await readerOf(bank, psu)).balances(bban);
  return Object.fromEntries(balances.map(({ balanceType, balanceAmount }) => [balanceType, balanceAmount.amount]));
}

/** `PAYMENT_FAILED creditorAccount.iban`, one for each fault; the status first. */
export function refusalOf({ status, body }: Reply): string {
  if (status < 400) return String(status);
  const faults = body.tppMessages.map(({ code, path }: Record<string, string>) => (path ? `${code} ${path}` : code));
  return [status, ...faults].join(' ');
}
