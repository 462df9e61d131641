import packageJson from '../../package.json' with { type: 'json' };
import type { Bank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { exampleOf } from '../bodies/example.ts';
import type { AnswerSchema } from '../bodies/schema.ts';
import { endpoints } from '../interface/index.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import { apiDocument, type ApiDocument, type Content, type DocumentedAnswer, type Operation } from './document.ts';
import { testTppId } from '../signing/test-tpp.ts';
import { parametersOf } from './interface-parameters.ts';
import { refusals } from './refusals.ts';
import { intoBank, readSamples, type Samples } from './samples.ts';

/** The TPP of the unsigned door in the examples. */
export const exampleTpp = 'docs';

const description = `The open banking API of a Norwegian bank, as this sandbox answers it: no real money, no real people.

A TPP signs its requests to \`/v1\` (docs/signing.md). A plain request goes to \`/sandbox/as/{tpp}/v1\`, the unsigned door, with a
name of your choice for the TPP: the bank signs it, and answers as on \`/v1\`.

A PSU signs on the page of \`_links.scaRedirect\`, or in one call: \`POST /sandbox/sca/{id}\` of the control plane, whose document is
\`/sandbox/openapi.json\`.

Reading accounts and cards needs a consent: \`POST /sandbox/consents\` with the PSU's number as \`psu\` and the TPP's identifier as \`tpp\`,
for the TPP \`${exampleTpp}\` of the examples \`${testTppId(exampleTpp)}\`. \`psuId\` of its answer is the PSU-ID that the TPP knows the PSU by.

The examples have the ids and dates of this bank at the time of your request. A parameter without an example comes from an earlier
answer, which its description names. All calls have the same refusals; docs/errors.md says how to cause each.`;

/** Operations in groups, in the order in which a reader meets them. */
const tags = [
  { name: 'Payments', description: 'Initiate payments, follow them, delete them.', paths: /^\/(\w+-)?payments?\// },
  { name: 'Signing baskets', description: 'Sign several payments at once.', paths: /^\/signing-baskets/ },
  { name: 'PSUs', description: 'Who the PSU is, and whom the PSU may act for.', paths: /^\/(users?|agreements)(\/|$)/ },
  { name: 'Consents', description: 'Ask for access to accounts.', paths: /^\/(bank-offered-)?consents$/ },
  { name: 'Accounts', description: 'Accounts, their balances and transactions.', paths: /^\/accounts/ },
  { name: 'Card accounts', description: 'Card accounts, their balance and transactions.', paths: /^\/card-accounts/ },
  { name: 'TPP', description: 'What the bank knows of the TPP.', paths: /^\/tpps\// },
  { name: 'Test data', description: 'Customers, accounts and transactions to test with.', paths: /^\/sandbox\// },
] as const;

/**
 * The OpenAPI 3.1 document of a bank's interface, made from the endpoints and their schemas, with examples that work in this
 * bank now. `address` is the absolute address of the bank, without a slash at the end. Like
 * the interface it is for everybody, with a control token too: the page /docs sends its examples.
 */
export async function interfaceDocument(bank: Bank, address: string): Promise<ApiDocument> {
  return describeInterface(address, await readSamples(bank, exampleTpp));
}

/** The same from these values. */
export function describeInterface(address: string, samples: Samples): ApiDocument {
  const about = {
    title: 'Sandbank: the interface of the bank',
    version: packageJson.version,
    description,
    servers: [
      { url: `${address}/v1`, description: 'Signed requests. `/api-sandbox/v1` is the same.' },
      {
        url: `${address}/sandbox/as/{tpp}/v1`,
        description:
          'Plain requests: the unsigned door, which signs them. `tpp` is a name of your own: 1 to 60 letters, digits, hyphens.',
        // Without a description: parsers refuse the document for it.
        variables: { tpp: { default: exampleTpp } },
      },
    ],
    tags: tags.map(({ name, description: says }) => ({ name, description: says })),
  };
  const refused = refusals();
  const values = { requestId: randomIds.uuid(), redirectUri: `${address}/sandbox/landed` };
  const operations = endpoints.flatMap(byProduct).map((endpoint): Operation => {
    const { method, path, summary = '', deprecated, answers = {}, products: [product = ''] = [] } = endpoint;
    // The links of a payment have its own service and product.
    const [paymentPath] = /^\/(?:\w+-)?payments\/[^/]+/.exec(path.replace(':product', product)) ?? [];
    const here = intoBank(samples, { address, ...(paymentPath !== undefined && { paymentPath: `/v1${paymentPath}` }) });
    const contentOf = (schema: AnswerSchema, says: string): Content => {
      return { schema, examples: { example: { summary: says, value: here(exampleOf(schema)) } } };
    };
    const answered = Object.entries(answers).map(([status, schema]) => {
      const content = schema === null ? null : contentOf(schema, 'An answer of this bank');
      return [status, answerOf(Number(status), content)] as const;
    });
    return {
      method,
      path,
      tag: tags.find(({ paths }) => paths.test(path))?.name ?? '',
      summary,
      ...(deprecated === true && { deprecated }),
      parameters: parametersOf(endpoint, samples, values),
      body: endpoint.body === null ? null : contentOf(endpoint.body as AnswerSchema, 'A request that works'),
      answers: { ...Object.fromEntries(answered), ...refused },
    };
  });
  return apiDocument(about, operations);
}

/** An endpoint with a body is one operation for each product, as its body depends on it. */
function byProduct(endpoint: Endpoint): readonly Endpoint[] {
  const { path, body, products = [] } = endpoint;
  if (body === null || products.length === 0) return [endpoint];
  return products.map((product) => ({
    ...endpoint,
    path: path.replace(':product', product),
    summary: products.length > 1 ? `${endpoint.summary}: ${product}` : (endpoint.summary ?? ''),
    body: 'byProduct' in body ? (body.byProduct[product] ?? null) : body,
  }));
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'It was made.',
  202: 'The PSU has to sign it first.',
  204: 'It is gone.',
};

function answerOf(status: number, content: Content | null): DocumentedAnswer {
  return {
    description: descriptions[status] ?? 'The answer.',
    content,
    headers: {
      'X-Request-ID': { description: 'That of the request.', example: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' },
    },
  };
}
