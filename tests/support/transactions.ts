import type { TestBank } from '../lab/server.ts';

/** What a PSU's TPP reads of one of its accounts. */
export interface ConsentedTransactions {
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
  readonly booked: any[];
  readonly headers: Readonly<Record<string, string | null>>;
}

/** The booked transactions of an account, under a new consent of its holder to all accounts. */
export async function consentedTransactions(bank: TestBank, psu: string, bban: string): Promise<ConsentedTransactions> {
  const headers = await bank.consents(psu, {}, { 'psu-context': 'PRIVATE' });
  const { body } = await bank.signed('GET', '/v1/accounts', { headers });
  const accounts: readonly { readonly bban: string; readonly resourceId: string }[] = body.accounts;
  const account = accounts.find((one) => one.bban === bban);
  const path = `/v1/accounts/${encodeURIComponent(account?.resourceId ?? '')}/transactions`;
  const list = await bank.signed('GET', `${path}?bookingStatus=booked`, { headers });
  return { path, booked: list.body.transactions.booked, headers };
}
