import { inOperations } from './contract.ts';
import { always } from './hearing.ts';
import { isObject, type JsonObject } from './json.ts';
import type { QuirkFile } from './quirk-file.ts';

const names = ['Date', 'Digest', 'Signature', 'ASPSP-Signature-Certificate'];
const header = { description: 'By the seal of the bank (docs/signing.md).', schema: { type: 'string' } };

/**
 * An object with `responses`, each of which has the headers. `required`: it always has them, so no page of a gateway is
 * among them.
 */
function withHeaders(part: JsonObject, required: boolean): JsonObject {
  const headers = Object.fromEntries(names.map((name) => [name, { ...header, ...(required && { required }) }]));
  const responses = Object.entries(part['responses'] as JsonObject).map(([name, answer]) => [
    name,
    isObject(answer) && !('$ref' in answer)
      ? { ...answer, headers: { ...Object(answer['headers']), ...headers } }
      : answer,
  ]);
  return { ...part, responses: Object.fromEntries(responses) as JsonObject };
}

export const quirk: QuirkFile<'signed-answers'> = {
  group: 'requests',
  does: 'Each answer of the interface is signed with the seal of the bank',
  shape: (document) => ({
    ...inOperations(document, /^/, (operation) => withHeaders(operation, true)),
    components: withHeaders(document.components, false),
  }),
  heard: always,
};
