import { singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply, Sent, TestBank } from '../lab/server.ts';

export const basketPath = '/v1/signing-baskets';
export const psu = '13039319955';

/** Initiates a payment of so many kroner, each amount once a bank (rules.md P7). */
export async function initiated(
  bank: TestBank,
  kroner: number,
  changes: object = {},
  sent: Sent = {},
): Promise<string> {
  const body = singlePayment({ instructedAmount: { amount: `${kroner}.00`, currency: 'NOK' }, ...changes });
  return (await bank.initiates(singlePath, body, psu, sent)).paymentId;
}

export function basketOf(bank: TestBank, paymentIds: readonly string[], sent: Sent = {}): Promise<Reply> {
  return bank.signed('POST', basketPath, { ...sent, body: { paymentIds } });
}

/** Starts the SCA of a basket; the address of its page. */
export async function scaOf(bank: TestBank, basketId: string): Promise<string> {
  const answer = await bank.signed('POST', `${basketPath}/${basketId}/authorisations`);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body._links.scaRedirect.href;
}

/** Status and codes of a refusal, with the paths where it names them. */
export function refusal({ status, body }: Reply): string {
  const messages: { code: string; path?: string }[] = body.tppMessages ?? [];
  return [status, ...messages.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`))].join(' ');
}

export async function statusOf(bank: TestBank, paymentId: string): Promise<string> {
  return (await bank.signed('GET', `${singlePath}/${paymentId}`)).body.transactionStatus;
}
