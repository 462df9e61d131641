import type { Endpoint } from '../pipeline/endpoint.ts';
import type { Json } from './components.ts';
import type { Parameter } from './document.ts';
import type { Samples } from './samples.ts';
import { concernsPsu, headerParameters } from './header-parameters.ts';

/** What a parameter of a path names, and who tells it. */
const pathWords: Readonly<Record<string, string>> = {
  accountId: 'The resourceId of an account: GET /accounts tells it, of test data GET /sandbox/accounts.',
  agreementId: 'The id of an agreement: GET /sandbox/agreements tells it.',
  basketId: 'The basketId of the answer that made the signing basket: POST /signing-baskets.',
  cardId: 'The resourceId of a card account: GET /card-accounts tells it, of test data GET /sandbox/card-accounts.',
  cardTransactionId:
    'The id of a transaction of the card account: GET /sandbox/card-accounts/{cardId}/transactions tells it.',
  customerId: 'The id of a customer: GET /sandbox/customers tells it.',
  paymentId: 'The paymentId of the answer to the initiation, with the same service and product.',
  product: 'The product that the payment was initiated with.',
  tppId: 'The identifier of the TPP: the organizationIdentifier of its certificate.',
  transactionId:
    'The id of a transaction of the account: GET /accounts/{accountId}/transactions tells it, of test data GET /sandbox/accounts/{accountId}/transactions.',
};

/** Values of headers that differ from document to document. */
interface HeaderValues {
  /** A new X-Request-ID. */
  readonly requestId: string;
  /** TPP-Redirect-URI. */
  readonly redirectUri: string;
}

/** Parameters of an operation: those of its path, its query and its headers. */
export function parametersOf(endpoint: Endpoint, samples: Samples, values: HeaderValues): readonly Parameter[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const query = Object.entries(endpoint.query ?? {}).map(([name, schema]): Parameter => {
    const { description = '', ...rest } = schema as Json & { readonly description?: string };
    return { in: 'query', name, description, required: false, schema: plain(rest) };
  });
  return [
    ...names.map((name) => pathParameter(name, endpoint, samples)),
    ...query,
    ...headerParameters(endpoint, headerSamples(endpoint, samples, values)),
  ];
}

function pathParameter(name: string, { products = [], method, path }: Endpoint, { params, spare }: Samples): Parameter {
  const common = { in: 'path', name, description: pathWords[name] ?? '', required: true } as const;
  const [product] = products;
  if (name === 'product' && product !== undefined) {
    return { ...common, schema: { type: 'string', enum: products }, example: product };
  }
  const isDeleted = method === 'DELETE' && path.endsWith(`/:${name}`);
  const example = (isDeleted ? spare[name] : undefined) ?? params[name];
  return { ...common, schema: { type: 'string', minLength: 1 }, ...exampleOf(example) };
}

function exampleOf(example: string | undefined): Pick<Parameter, 'example'> {
  return example === undefined ? {} : { example };
}

/** What `meaning` has described says so where the parameter is described. */
function plain({ general, ...schema }: Json): Json {
  return typeof general === 'object' && general !== null ? (general as Json) : schema;
}

/** Headers of a request that works, by name. */
function headerSamples(
  endpoint: Endpoint,
  { psu, psuId }: Samples,
  { requestId, redirectUri }: HeaderValues,
): Readonly<Record<string, string>> {
  const named = { 'X-Request-ID': requestId };
  if (!concernsPsu(endpoint)) return named;
  const requires = (name: string) =>
    endpoint.requires.some((demand) => (typeof demand === 'object' ? demand.strictly : demand) === name);
  return {
    ...named,
    ...(requires('x-accept-fix') && { 'x-accept-fix': 'longer-names' }),
    'TPP-Session-ID': 'session-1',
    ...(requires('psu-id') ? { 'PSU-ID': psuId } : { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' }),
    'TPP-Redirect-URI': redirectUri,
    'PSU-IP-Address': '192.0.2.1',
  };
}
