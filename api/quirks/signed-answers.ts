import { inOperations } from './contract.ts';
import { isObject, type JsonObject } from './json.ts';
import type { QuirkFile } from './quirk-file.ts';

const text: JsonObject = { schema: { type: 'string' } };
const headers: JsonObject = {
  Date: { description: 'When the bank signed.', ...text },
  Digest: { description: 'SHA-256 of the body as sent.', ...text },
  Signature: { description: 'The signature of the bank (docs/signing.md).', ...text },
  'ASPSP-Signature-Certificate': { description: 'The certificate of the bank, the base64 of its DER.', ...text },
};

const withHeaders = (answer: JsonObject): JsonObject => ({
  ...answer,
  headers: { ...(answer['headers'] as JsonObject | undefined), ...headers },
});

const ofAll = (answers: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      isObject(answer) && !('$ref' in answer) ? withHeaders(answer) : answer,
    ]),
  ) as JsonObject;

export const quirk: QuirkFile<'signed-answers'> = {
  group: 'requests',
  does: 'Each answer of the interface is signed with the seal of the bank',
  shape: (document) => {
    const { components } = document;
    const shared = { ...components, responses: ofAll(components['responses'] as JsonObject) };
    const signed = inOperations(document, /^/, (operation) => ({
      ...operation,
      responses: ofAll(operation['responses'] as JsonObject),
    }));
    return { ...signed, components: shared };
  },
};
