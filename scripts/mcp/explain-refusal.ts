import { onlyMembers } from '../../api/catalogue/step-values.ts';
import { stepAfterEntry } from '../../api/causes/next-step.ts';
import { words } from '../../engine/values/text.ts';
import type { ControlPlaneClient } from '../cli/control-plane-client.ts';
import type { Found } from './call-tool.ts';

/** The step after a payment whose answer was lost, or that exists already: never to pay again (C36). */
export const lookFirst = 'explain_payment {}: look first whether the payment is there already.';

/** What an agent reads of a request, by default of the latest refused one: the cause, and the next step. */
export async function explainRefusal(client: ControlPlaneClient, wanted?: string): Promise<Found> {
  const { requests: all } = await client.ask('GET /requests', 'requests', { query: { limit: '100' } });
  const found = all.find((entry) => (wanted ?? entry.requestId) === entry.requestId && isRefused(entry));
  const requestId = wanted ?? found?.requestId;
  if (requestId === undefined) return { data: 'No request was refused.', next: 'send a request with your client' };
  const { requests } = await client.ask('GET /requests/:requestId', 'requests', { params: { requestId } });
  const refused = requests.find(isRefused);
  const entry = refused ?? requests[0];
  const refusal = { ...Object(onlyMembers(entry, shown)), signature: entry?.verdict };
  const [latest] = all;
  if (latest !== undefined && latest !== found && !isRefused(latest)) {
    const since = `The latest request, ${latest.method} ${latest.target}, got ${latest.status}: this refusal is older.`;
    const next = isOfPayments(latest) ? 'explain_payment {}' : 'done: the client is answered';
    return { data: { since, refusal }, next };
  }
  const { faults } = await client.ask('GET /faults', 'faults');
  const say = (refused && stepAfterEntry(refused)) ?? 'Correct what the answer names, and send the request again.';
  const { status = null, code, fault } = refused ?? {};
  const isLost = status === null || fault?.cut === true || fault?.close === true || code === 'CONFLICT';
  if (refused?.method === 'POST' && isOfPayments(refused) && isLost)
    return { data: refusal, next: `${lookFirst} ${say}` };
  const isStruck = refused?.fault !== undefined && faults.length > 0;
  return { data: refusal, next: isStruck ? `disarm {}: ${say}` : `${say} Then explain_refusal {}` };
}

const shown = words(['method target tpp status code finding reason notes signing answer']);

/** A request without a whole answer counts as refused. */
function isRefused(entry: Parameters<typeof stepAfterEntry>[0]): boolean {
  return stepAfterEntry(entry) !== null || (entry.status ?? 599) >= 400;
}

function isOfPayments({ target }: { readonly target: string | null }): boolean {
  return target?.includes('payments') === true;
}
