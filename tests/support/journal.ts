import type { BankClient } from '../lab/server.ts';

/** An entry of the journal, as the control plane answers with it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
export type Entry = any;

/** The entries of the list, newest first; `query` begins with `?`. */
export async function listed(bank: BankClient, query = ''): Promise<Entry[]> {
  const { status, body } = await bank.control('GET', `/sandbox/requests${query}`);
  if (status !== 200) throw new Error(`the journal answers ${status} ${JSON.stringify(body)}`);
  return body.requests;
}

/** The entries of one key, whole. */
export async function kept(bank: BankClient, key: string): Promise<Entry[]> {
  const { status, body } = await bank.control('GET', `/sandbox/requests/${key}`);
  if (status !== 200) throw new Error(`the journal answers ${status} ${JSON.stringify(body)}`);
  return body.requests;
}

/** The journal address at the end of a refusal's first text, in a line of its own (rules.md G11, G11b); empty: there is none. */
export function entryAddress(refusal: { readonly tppMessages: readonly { readonly text: string }[] }): string {
  return /\nSee (http\S+)$/.exec(refusal.tppMessages[0]?.text ?? '')?.[1] ?? '';
}
