import { quote } from '../../../engine/values/text.ts';
import { hashLedger } from '../../../engine/bank/hash-ledger.ts';
import type { ControlCall, ControlEndpoint } from '../control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';

/** `GET /sandbox/ledger/hash`: ledgers with the same content have the same hash; `?ids=included` includes generated ids. */
export const getHash: ControlEndpoint = {
  method: 'GET',
  path: '/ledger/hash',
  query: ['ids'],
  handle: async (call) => ({ hash: await hashLedger(call.bank, idsOf(call)) }),
};

const choices = ['included', 'left-out'] as const;

function idsOf({ query }: ControlCall): (typeof choices)[number] {
  const asked = query.get('ids') ?? 'left-out';
  const choice = choices.find((name) => name === asked);
  if (choice !== undefined) return choice;
  const detail = `ids is ${quote(asked)}.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'ids', detail }], allowed: choices });
}
