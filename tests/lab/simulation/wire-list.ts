import type { Bank } from '../../../engine/bank.ts';
import type { AccountRequest } from '../../../engine/consents/account-access.ts';
import { accounts } from '../../../api/interface/accounts/accounts.ts';
import { habitsOf } from '../../../api/habits/index.ts';
import { wireIdsOf } from '../../../api/habits/encrypted-ids.ts';
import { type Call, operationOf } from '../../../api/pipeline/endpoint.ts';
import { QueryReader } from '../../../api/pipeline/target.ts';
import { readHeaders } from '../../../api/pipeline/request-headers.ts';

/** A transaction as answers have it. */
export interface WireTransaction {
  readonly transactionId?: string;
  readonly bookingDate?: string;
  readonly valueDate?: string;
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
  readonly remittanceInformationUnstructured?: string;
  readonly proprietaryBankTransactionCode?: string;
}

interface WirePage {
  readonly booked: readonly WireTransaction[];
  readonly pending: readonly WireTransaction[];
  /** The ledger's numbers of what is booked, which no answer has. */
  readonly numbers: readonly number[];
  /** The cursor of the next page; null: this is the last one. */
  readonly next: string | null;
}

interface WireReport {
  readonly booked?: readonly WireTransaction[];
  readonly pending?: readonly WireTransaction[];
  readonly _links: { readonly next?: { readonly href: string } };
}

const endpoint = accounts.find(({ path }) => path === '/accounts/:accountId/transactions');

/**
 * A page of the transactions of an account, as the bank shows it with its habits: the answer of the endpoint, without HTTP and
 * signatures. `accountId` is the id of the ledger.
 */
export async function wireList(
  bank: Bank,
  { tpp, psu: { psuId }, redirectUri, sessionId }: AccountRequest,
  accountId: string,
  query: Readonly<Record<string, string>>,
): Promise<WirePage> {
  if (endpoint === undefined) throw new Error('the interface lists no transactions');
  const operation = operationOf(endpoint);
  const wire = await wireIdsOf(bank);
  const parameters = new URLSearchParams(query);
  const sent = {
    'psu-id': psuId ?? '',
    'tpp-session-id': sessionId ?? '',
    'tpp-redirect-uri': redirectUri ?? '',
    'psu-ip-address': '192.0.2.10',
  };
  const from = { tpp, headers: readHeaders(sent, []) };
  const shaping = await habitsOf(bank);
  const asked = { operation, params: { accountId: wire.show('resource', accountId) }, query: parameters, body: null };
  const { params, body: none } = (await shaping?.read(asked, from)) ?? asked;
  const call: Call = {
    ...from,
    bank,
    params,
    query: new QueryReader(parameters, endpoint.query ?? {}),
    sentTo: { method: 'GET', path: `/accounts/${accountId}/transactions`, query: String(parameters) },
    body: none,
    bytes: new Uint8Array(),
    addFacts: () => undefined,
    scaAddress: (scaId) => scaId,
    runExclusive: (work) => work(),
  };
  const { status, headers = {}, body, transactions = null } = await endpoint.handle(call);
  const told = { operation, status, headers, body, transactions };
  const { answer } = (await shaping?.show(told, call)) ?? { answer: told };
  const { transactions: shown } = JSON.parse(JSON.stringify(answer.body)) as { readonly transactions: WireReport };
  const { booked = [], pending = [], _links: links } = shown;
  const next = links.next === undefined ? null : new URL(links.next.href, 'http://bank').searchParams.get('cursor');
  return { booked, pending, numbers: transactions?.booked.map((one) => one.transactionNumber) ?? [], next };
}

/** An amount of an answer in minor units of a currency with two decimals. */
export function minorOf({ transactionAmount: { amount } }: Pick<WireTransaction, 'transactionAmount'>): bigint {
  if (!/^-?\d+\.\d\d$/.test(amount)) throw new Error(`${amount} has not two decimals`);
  return BigInt(amount.replace('.', ''));
}
