import packageJson from '../../package.json' with { type: 'json' };
import { exampleOf, story } from '../bodies/examples.ts';
import type { AnswerSchema } from '../bodies/schema.ts';
import { tellingNumbers } from '../../engine/values/numbers-with-a-meaning.ts';
import { endpoints } from '../interface/index.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import {
  type ApiDescription,
  type Content,
  type DocumentedAnswer,
  type ListedOperation,
  type Operation,
  type Parameter,
  refusals,
  requestIdHeader,
} from './document.ts';
import { testTppId } from '../signing/test-tpp.ts';
import { parameterExample } from './samples.ts';
import { type HeaderRow, headerRows } from '../pipeline/request-headers.ts';
import type { Json } from './components.ts';

/** At the unsigned door this word is the id of the TPP's latest payment or basket (C18). */
const latest = 'latest';

/** The TPP of the unsigned door in the examples. */
export const exampleTpp = 'docs';

const description = `The open banking API of a Norwegian bank, as this sandbox answers it: no real money, no real people.

A TPP signs its requests to \`/v1\` (docs/signing.md). A plain request goes to \`/sandbox/as/{tpp}/v1\`, the unsigned door, with a
name of your choice for the TPP: the bank signs it, and answers as on \`/v1\`. The door has a document of its own,
\`/sandbox/as/{tpp}/openapi.json\`.

A PSU signs on the page of \`_links.scaRedirect\`, or in one call: \`POST /sandbox/sca/{id}\` of the control plane, whose document is
\`/sandbox/openapi.json\`.

Reading accounts and cards needs a consent: \`POST /sandbox/consents\` with the PSU's number as \`psu\` and the TPP's identifier as \`tpp\`,
for the TPP \`${exampleTpp}\` of the examples \`${testTppId(exampleTpp)}\`. \`psuId\` of its answer is the PSU-ID that the TPP knows the PSU by.

The examples have the ids and dates of this bank at the time of your request. A parameter without an example comes from an earlier
answer, which its description names. All calls have the same refusals; docs/errors.md says how to cause each.

A payment whose \`creditorAccount\` has one of these numbers of other banks always does the same, as an example:

${tellingNumbers.map(({ number, says }) => `- \`${number}\`: ${says}`).join('\n')}`;

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

/** An operation with the endpoint that it is made from. */
type EndpointOperation = ListedOperation & { readonly endpoint: Endpoint };

/** The list of the operations of {@link describeInterface}. */
export function listInterface(isOfDoor = false): ApiDescription<EndpointOperation> {
  const { address } = story;
  const about = {
    title: 'Sandbank: the interface of the bank',
    version: packageJson.version,
    description,
    servers: [
      isOfDoor
        ? {
            url: `${address}/sandbox/as/{tpp}/v1`,
            description:
              'Plain requests: the unsigned door, which signs them. `tpp` is a name of your own: 1 to 60 letters, digits, hyphens.',
            // Without a description: parsers refuse the document for it.
            variables: { tpp: { default: story.tppName } },
          }
        : { url: `${address}/v1`, description: 'Signed requests. `/api-sandbox/v1` is the same.' },
    ],
    tags: tags.map(({ name, description: says }) => ({ name, description: says })),
  };
  const operations = endpoints.flatMap(byProduct).map((endpoint) => {
    const { method, path, summary = '' } = endpoint;
    return { method, path, tag: tags.find(({ paths }) => paths.test(path))?.name ?? '', summary, endpoint };
  });
  return { about, operations };
}

/**
 * What the OpenAPI 3.1 document of the interface says, made from the endpoints and their schemas, with examples of the
 * story. Like the interface it is for everybody, with a control token too: the page /docs sends its examples.
 * `isOfDoor`: for the unsigned door of a TPP.
 */
export function describeInterface(isOfDoor = false): ApiDescription {
  const { about, operations } = listInterface(isOfDoor);
  const refused = refusals();
  const described = operations.map(({ endpoint, ...listed }): Operation => {
    const { path, deprecated, answers = {}, products: [product = ''] = [] } = endpoint;
    // The links of a payment have its own service and product.
    const [paymentPath = story.paymentPath.slice(3)] =
      /^\/(?:\w+-)?payments\/[^/]+/.exec(path.replace(':product', product)) ?? [];
    const contentOf = (schema: AnswerSchema, says: string, [from, to]: readonly [string, string]): Content => {
      const value = JSON.parse(JSON.stringify(exampleOf(schema)).replaceAll(from, to)) as unknown;
      return { schema, examples: { example: { summary: says, value } } };
    };
    const answered = Object.entries(answers).map(([status, schema]) => {
      const content =
        schema === null ? null : contentOf(schema, 'An answer of this bank', [story.paymentPath, `/v1${paymentPath}`]);
      return [status, answerOf(Number(status), content)] as const;
    });
    const schema = endpoint.body as AnswerSchema | null;
    return {
      ...listed,
      ...(deprecated === true && { deprecated }),
      parameters: parametersOf(endpoint, headerSamples(endpoint), isOfDoor),
      rules: rulesOf(endpoint, isOfDoor),
      body:
        schema === null
          ? null
          : withTellingNumbers(contentOf(schema, 'A request that works', [story.paymentId, latest])),
      answers: { ...Object.fromEntries(answered), ...refused },
    };
  });
  return { about, operations: described };
}

/**
 * With an example for each creditor number that has a meaning, if it is the body of a payment with one creditor
 * (rules.md D1c).
 */
function withTellingNumbers({ examples, ...content }: Content): Content {
  const value = Object(examples['example']?.value) as { readonly creditorAccount?: object };
  const { creditorAccount: account } = value;
  if (account === undefined) return { ...content, examples };
  const kind = 'iban' in account ? 'iban' : 'bban';
  const added = tellingNumbers.flatMap(({ number, says }) => {
    if (kind !== (/^[A-Z]/.test(number) ? 'iban' : 'bban')) return [];
    const creditorAccount = { ...account, [kind]: number };
    return [[number, { summary: `To ${number}: ${says}`, value: { ...value, creditorAccount } }]];
  });
  return { ...content, examples: { ...examples, ...Object.fromEntries(added) } };
}

/** Numbers of rules that say what no schema can, for the calls that fit. */
const rules: readonly (readonly [call: RegExp, numbers: string])[] = [
  [/^POST \/[\w-]*payments\/[\w-]+$/, 'P3 P4 P5 P5b P5d P7 P8 P8b P9 A6 A7d D1c'],
  [/^POST \/(payments|bulk-payments)\/norwegian-[\w-]+$/, 'P6'],
  [/^POST \/periodic-payments\/[\w-]+$/, 'P6b E5 R3 R5 R7'],
  [/^POST .*(sepa|cross-border)[\w-]+$/, 'P11'],
  [/^GET \/payments.*\/status$/, 'S9'],
  [/^GET .*payments?\/|^GET \/signing/, 'S7 P12b'],
  [/^DELETE \/[\w-]*payments/, 'P12'],
  [/authorisations$|^GET \/users?$|consents$|^POST \/signing/, 'P9b A2b A7d'],
  [/^GET \/(card-)?accounts/, 'A7'],
  [/^GET \/accounts.*\/(balances|transactions)$/, 'A8 A8b'],
  [/^GET \/(card-)?accounts.*transactions$/, 'A9 A9b A9c A9d'],
  [/^(POST|PUT) \/sandbox\/.*transactions/, 'D3 D3d P8'],
];

function rulesOf({ method, path, withPsu, products = [] }: Endpoint, isOfDoor: boolean): readonly string[] {
  const call = `${method} ${path.replace(':product', products[0] ?? '')}`;
  const own = rules.flatMap(([calls, numbers]) => (calls.test(call) ? numbers.split(' ') : []));
  return withPsu === true && !isOfDoor ? [...own, 'A8c'] : own;
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
    headers: requestIdHeader,
  };
}

/** The meaning of each parameter of a path, and the call that answers with it. */
const pathWords: Readonly<Record<string, string>> = {
  accountId: 'The resourceId of an account, from GET /accounts, or from GET /sandbox/accounts for test data.',
  agreementId: 'The id of an agreement, from GET /sandbox/agreements.',
  basketId:
    'The basketId of the signing basket, from the answer of POST /signing-baskets. At the unsigned door also `latest`.',
  cardId:
    'The resourceId of a card account, from GET /card-accounts, or from GET /sandbox/card-accounts for test data.',
  cardTransactionId:
    'The id of a transaction of the card account, from GET /sandbox/card-accounts/{cardId}/transactions.',
  customerId: 'The id of a customer, from GET /sandbox/customers.',
  paymentId:
    'The paymentId of the answer to the initiation, with the same service and product. At the unsigned door also `latest`.',
  product: 'The product that the payment was initiated with.',
  tppId: 'The identifier of the TPP: the organizationIdentifier of its certificate.',
  transactionId:
    'The id of a transaction, from GET /accounts/{accountId}/transactions, or from GET /sandbox/accounts/{accountId}/transactions for test data.',
};

/** Parameters of an operation: those of its path, its query and its headers. */
function parametersOf(
  endpoint: Endpoint,
  headers: Readonly<Record<string, string>>,
  isOfDoor: boolean,
): readonly Parameter[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const query = Object.entries(endpoint.query ?? {}).map(([name, schema]): Parameter => {
    const { description = '', ...rest } = schema as Json & { readonly description?: string };
    return { in: 'query', name, description, required: false, schema: plain(rest) };
  });
  const isSent = ({ name }: Parameter): boolean => !isOfDoor || name !== 'cursor';
  return [
    ...names.map((name) => pathParameter(name, endpoint)),
    ...query.filter(isSent),
    ...headerParameters(endpoint, headers, isOfDoor),
  ];
}

function pathParameter(name: string, { products = [], method, path }: Endpoint): Parameter {
  const common = { in: 'path', name, description: pathWords[name] ?? '', required: true } as const;
  const [product] = products;
  if (name === 'product' && product !== undefined) {
    return { ...common, schema: { type: 'string', enum: products }, example: product };
  }
  const isDeleted = method === 'DELETE' && path.endsWith(`/:${name}`);
  const isMade = name === 'paymentId' || name === 'basketId';
  const example = isMade ? latest : parameterExample(name, isDeleted);
  return { ...common, schema: { type: 'string', minLength: 1 }, example };
}

/** The schema that `meaning` described: the parameter itself has the description. */
function plain({ general, ...schema }: Json): Json {
  return typeof general === 'object' && general !== null ? (general as Json) : schema;
}

/** Headers of a request that works, by name. */
function headerSamples(endpoint: Endpoint): Readonly<Record<string, string>> {
  const { requestId, psu, psuId, address } = story;
  const named = { 'X-Request-ID': requestId };
  if (!concernsPsu(endpoint)) return named;
  const required = endpoint.requires.map(nameOf);
  return {
    ...named,
    ...(required.includes('x-accept-fix') && { 'x-accept-fix': 'longer-names' }),
    'TPP-Session-ID': 'session-1',
    ...(required.includes('psu-id') ? { 'PSU-ID': psuId } : { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' }),
    'TPP-Redirect-URI': `${address}/sandbox/landed`,
    'PSU-IP-Address': '192.0.2.1',
  };
}

interface HeaderWords {
  readonly says: string;
  readonly schema?: Json;
}

const uuid = { format: 'uuid' };
const words = (...values: readonly string[]): Json => ({ enum: values });

/**
 * The meanings of the headers of docs/spec/interface.md, by name. api/pipeline/request-headers.ts has the forms that
 * the bank checks.
 */
const meanings: Readonly<Record<string, HeaderWords>> = {
  'X-Request-ID': {
    says: 'Names the request. A repeated call that makes something gets the first answer: send a new one for each new call. The unsigned door adds one.',
    schema: uuid,
  },
  'x-accept-fix': { says: 'Changes of the interface to have early, which this bank has all made.' },
  'TPP-Session-ID': {
    says: 'Names the session of the PSU with the TPP; the redirect after SCA brings it back.',
    schema: { pattern: '^[\\x20-\\x7e]{1,100}$' },
  },
  'TPP-Redirect-URI': {
    says: 'Where the PSU is sent after SCA. The unsigned door adds one.',
    schema: { format: 'uri', maxLength: 2048 },
  },
  'TPP-Redirect-Preferred': { says: '`false` asks for the biometric flow.', schema: words('true', 'false') },
  'PSU-ID': {
    says: 'Who the PSU is: the UUID from the redirect after SCA. This or X-PSU-IDENTITY, where the PSU has to be known.',
    schema: uuid,
  },
  'X-PSU-IDENTITY': {
    says: 'Who the PSU is, by the national identity number; with PSU-Context.',
    schema: { pattern: '^\\d{11}$' },
  },
  'X-PSU-AuthMethod-Preferred': { says: 'The SCA method to begin with.' },
  'PSU-Corporate-ID': {
    says: 'The agreement under which the PSU acts: the UUID from the redirect after SCA, or an `agreementId`.',
    schema: uuid,
  },
  'PSU-Context': { says: 'As whom the PSU acts.', schema: words('PRIVATE', 'CORPORATE') },
  'PSU-IP-Address': {
    says: 'The address of the PSU. Without it a read is one without the PSU, of which there are four a day. The unsigned door adds one.',
    schema: { anyOf: ['ipv4', 'ipv6'].map((format) => ({ type: 'string', format })) },
  },
  'PSU-IP-Port': { says: 'The port of the PSU.', schema: { pattern: '^[1-9]\\d{0,4}$' } },
  'PSU-HTTP-Method': {
    says: 'The method of the request of the PSU to the TPP.',
    schema: words('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  },
  'PSU-Device-ID': { says: 'The device of the PSU.', schema: uuid },
  'PSU-Geo-Location': {
    says: 'Where the PSU is.',
    schema: { pattern: '^[Gg][Ee][Oo]:-?\\d{1,3}(\\.\\d+)?[,;]-?\\d{1,3}(\\.\\d+)?$' },
  },
};

/**
 * Headers of the PSU's own request to the TPP, and the name of the bank: they are taken in any form, and change
 * nothing.
 */
const taken: readonly Parameter[] = Object.entries({
  'PSU-User-Agent': ['The program of the PSU, as its request to the TPP named it.', 'Mozilla/5.0'],
  'PSU-Accept': ['Accept of the request of the PSU to the TPP.', 'text/html'],
  'PSU-Accept-Charset': ['Accept-Charset of the request of the PSU to the TPP.', 'utf-8'],
  'PSU-Accept-Encoding': ['Accept-Encoding of the request of the PSU to the TPP.', 'gzip'],
  'PSU-Accept-Language': ['Accept-Language of the request of the PSU to the TPP.', 'nb-NO'],
  'ASPSP-ID': ["The bank that is meant, as the banks' own client sends it. This one takes any.", '9057'],
}).map(([name, [says = '', sample]]) => optional(name, says, { type: 'string', examples: [sample] }));

/** Headers of the signature. An operation without a body does not need Digest (rules.md G4). */
export const ofSignature: readonly Parameter[] = Object.entries({
  Date: 'When the request was signed, as RFC 9110 writes it, within 60 seconds of the wall clock.',
  Digest: 'The hash of the body: `SHA-256=` and the base64 of it. Required with a body.',
  Signature: 'The signature, with keyId, algorithm, headers and signature (docs/signing.md).',
  'TPP-Signature-Certificate': 'The certificate that the request was signed with: the base64 of its DER.',
}).map(([name, says]) => optional(name, says));

/** Calls that begin an SCA. The next examples need it approved. */
const beginsSca =
  /^POST .*(authorisations|payments\/norwegian-domestic-credit-transfers)$|^GET \/users?$|^POST \/(bank-offered-)?consents$/;

/** The PSU of the examples approves at the unsigned door (C18). */
function approval({ method, path }: Endpoint, example: string | undefined): readonly Parameter[] {
  if (!beginsSca.test(`${method} ${path}`) || example === undefined) return [];
  const says = 'The number of the PSU who approves the SCA of the answer at once. Left out: the SCA waits for the PSU.';
  return [{ ...optional('Sandbank-Approve', says), example }];
}

const controlToken = optional('Sandbank-Control-Token', 'The control token, where SANDBANK_CONTROL_TOKEN is set.');

function optional(name: string, description: string, schema: Json = { type: 'string' }): Parameter {
  return { in: 'header', name, description, required: false, schema };
}

/** Headers that the unsigned door adds where they are missing. */
export const madeByDoor: readonly string[] = ['x-request-id', 'tpp-redirect-uri', 'psu-ip-address'];

/** Headers that say nothing where no PSU is concerned. */
const ofEveryCall: readonly string[] = ['X-Request-ID'];

/**
 * Parameters of an endpoint's headers. `samples` are the values of a request that works, by name; the others are told
 * with a value of the right form only in their schema.
 */
function headerParameters(
  endpoint: Endpoint,
  samples: Readonly<Record<string, string>>,
  isOfDoor: boolean,
): readonly Parameter[] {
  const demanded = endpoint.requires.map(nameOf).concat('x-request-id');
  const required = new Set(isOfDoor ? demanded.filter((name) => !madeByDoor.includes(name)) : demanded);
  const isShown = ({ name }: HeaderRow): boolean =>
    isOfDoor ? !ofEveryCall.includes(name) && !contradicts(name, samples) : true;
  const signature = ofSignature.map((one) => ({ ...one, required: one.name !== 'Digest' || endpoint.body !== null }));
  const rows = headerRows.filter((row) => (concernsPsu(endpoint) || ofEveryCall.includes(row.name)) && isShown(row));
  return [
    ...rows.map((row) => parameterOf(row, required.has(row.name.toLowerCase()), samples, isTestData(endpoint))),
    ...(concernsPsu(endpoint) ? taken : []),
    ...(isOfDoor ? approval(endpoint, samples['X-PSU-IDENTITY']) : signature),
    ...(isTestData(endpoint) && endpoint.method !== 'GET' && !isOfDoor ? [controlToken] : []),
  ];
}

/** Headers that exclude each other: the first only without the second. */
const exclusive = [
  ['PSU-ID', 'X-PSU-IDENTITY'],
  ['X-PSU-IDENTITY', 'PSU-ID'],
  ['PSU-Context', 'PSU-ID'],
  ['PSU-Corporate-ID', 'PSU-Context'],
  ['PSU-Corporate-ID', 'PSU-ID'],
] as const;

/** Whether a header excludes one of the example. */
function contradicts(name: string, samples: Readonly<Record<string, string>>): boolean {
  return samples[name] === undefined && exclusive.some(([one, other]) => one === name && samples[other] !== undefined);
}

/** Whether an endpoint reads headers about the PSU: test data and the contact of a TPP concern none. */
function concernsPsu({ path }: Pick<Endpoint, 'path'>): boolean {
  return !/^\/(sandbox|tpps)\//.test(path);
}

function isTestData({ path }: Endpoint): boolean {
  return path.startsWith('/sandbox/');
}

/** `psu` is PSU-ID or X-PSU-IDENTITY, which OpenAPI cannot say: neither is required alone. */
function nameOf(demand: Endpoint['requires'][number]): string {
  return typeof demand === 'object' ? demand.strictly : demand;
}

function parameterOf(
  row: HeaderRow,
  required: boolean,
  samples: Readonly<Record<string, string>>,
  isOfTestData: boolean,
): Parameter {
  const { name, expected, sample } = row;
  const example = samples[name];
  const { says, schema = {} } = meanings[name] ?? { says: '' };
  return {
    in: 'header',
    name,
    description: says,
    required,
    schema: {
      type: 'string',
      description: expected,
      // Test data take any X-Request-ID (rules.md E2).
      ...(!isOfTestData && schema),
      ...(!contradicts(name, samples) && { examples: [sample] }),
    },
    ...(example !== undefined && { example }),
  };
}
