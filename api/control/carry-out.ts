import { changesIds } from '../../engine/bank/rules/quirk.ts';
import {
  controlCall,
  type AskedOfBank,
  type ControlCall,
  type ControlledBank,
  type ControlEndpoint,
  Created,
} from './control-endpoint.ts';
import { written } from '../bodies/written.ts';

/**
 * Makes the call of an endpoint from a request to the control plane or to the console, see {@link controlCall}. Under a quirk that changes
 * ids a request may name those of the wire (rules.md Q3). Throws CONFLICT if the endpoint adds to a bank that is full.
 */
export async function callOf(endpoint: ControlEndpoint, of: ControlledBank, asked: AskedOfBank): Promise<ControlCall> {
  if (endpoint.adds === true) of.storage.requireSpace();
  if (!changesIds(of.bank.quirks)) return controlCall(endpoint, of, asked);
  const { withLedgerIds } = await import('./both-ids.ts');
  return controlCall(endpoint, of, await withLedgerIds(of.bank, asked));
}

/** The answer of an endpoint as JSON. Under a quirk that changes ids it has those of the wire beside those of the ledger. */
export async function answerTo(endpoint: ControlEndpoint, call: ControlCall): Promise<unknown> {
  // An advance looks at the size between its runs.
  const isAlone = endpoint.adds === true && endpoint.tell === undefined;
  const handle = () => (isAlone ? call.storage.adding(() => endpoint.handle(call)) : endpoint.handle(call));
  const answer = await (endpoint.queue === undefined ? handle() : endpoint.queue.run(handle));
  if (endpoint.answerType !== undefined) return answer;
  if (answer instanceof Created) return new Created(written(endpoint.answer, answer.answer));
  const json = written(endpoint.answer, answer);
  if (!changesIds(call.bank.quirks)) return json;
  const { answerWithBoth } = await import('./both-ids.ts');
  return answerWithBoth(call.bank, json);
}
