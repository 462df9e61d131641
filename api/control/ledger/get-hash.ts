import * as Type from 'typebox';
import { quote } from '../../../engine/values/text.ts';
import { hashLedger } from '../../../engine/bank/hash-ledger.ts';
import { choice, closed } from '../../bodies/schema.ts';
import type { ControlCall, ControlEndpoint } from '../control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';

const choices = ['included', 'left-out'] as const;

/** `GET /sandbox/ledger/hash`: ledgers with the same content have the same hash; `?ids=included` includes generated ids. */
export const getHash: ControlEndpoint = {
  method: 'GET',
  path: '/ledger/hash',
  summary: 'A hash over the ledger: the same for banks that were given the same calls at the same bank times',
  answer: closed(
    {
      hash: Type.String({
        description: 'SHA-256, hexadecimal',
        pattern: '^[0-9a-f]{64}$',
        examples: ['51f942f7996a78298976f8a4afc65089ae47d873b894da6aefc9a1607122f07d'],
      }),
    },
    { title: 'LedgerHash' },
  ),
  query: { ids: Type.Optional(choice('whether the ids count that the bank drew', choices)) },
  handle: async (call) => ({ hash: await hashLedger(call.bank, idsOf(call)) }),
};

function idsOf({ query }: ControlCall): (typeof choices)[number] {
  const asked = query.get('ids') ?? 'left-out';
  const choice = choices.find((name) => name === asked);
  if (choice !== undefined) return choice;
  const detail = `ids is ${quote(asked)}.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'ids', detail }], allowed: choices });
}
