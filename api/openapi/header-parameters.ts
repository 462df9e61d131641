import { type HeaderRow, headerRows } from '../pipeline/request-headers.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import type { Json } from './components.ts';
import type { Parameter } from './document.ts';

interface HeaderWords {
  readonly says: string;
  readonly schema?: Json;
}

const uuid = { format: 'uuid' };
const words = (...values: readonly string[]): Json => ({ enum: values });

/** What the headers of docs/spec/interface.md say, by their names; the form that the bank checks is in header-rows.ts. */
const meanings: Readonly<Record<string, HeaderWords>> = {
  'X-Request-ID': {
    says: 'Names the request. A repeated call that makes something gets the first answer: send a new one for each new call. The unsigned door adds one.',
    schema: uuid,
  },
  'x-accept-fix': { says: 'Changes of the interface to have early, which this bank has all made.' },
  'TPP-Session-ID': { says: 'Names the session of the PSU with the TPP; the redirect after SCA brings it back.' },
  'TPP-Redirect-URI': {
    says: 'Where the PSU is sent after SCA. The unsigned door adds one.',
    schema: { format: 'uri' },
  },
  'TPP-Redirect-Preferred': { says: '`false` asks for the biometric flow.', schema: words('true', 'false') },
  'PSU-ID': {
    says: 'Who the PSU is: the UUID from the redirect after SCA. This or X-PSU-IDENTITY, where the PSU has to be known.',
    schema: uuid,
  },
  'X-PSU-IDENTITY': { says: 'Who the PSU is, by the national identity number; with PSU-Context.' },
  'X-PSU-AuthMethod-Preferred': { says: 'The SCA method to begin with.' },
  'PSU-Corporate-ID': {
    says: 'The agreement under which the PSU acts: the UUID from the redirect after SCA, or an `agreementId`.',
    schema: uuid,
  },
  'PSU-Context': { says: 'As whom the PSU acts.', schema: words('PRIVATE', 'CORPORATE') },
  'PSU-IP-Address': {
    says: 'The address of the PSU. Without it a read is one without the PSU, of which there are four a day. The unsigned door adds one.',
  },
  'PSU-IP-Port': { says: 'The port of the PSU.' },
  'PSU-HTTP-Method': {
    says: 'The method of the request of the PSU to the TPP.',
    schema: words('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  },
  'PSU-Device-ID': { says: 'The device of the PSU.', schema: uuid },
  'PSU-Geo-Location': { says: 'Where the PSU is.' },
};

/** Headers of the PSU's own request to the TPP, and the name of the bank: they are taken in any form, and change nothing. */
const taken: readonly Parameter[] = Object.entries({
  'PSU-User-Agent': ['The program of the PSU, as its request to the TPP named it.', 'Mozilla/5.0'],
  'PSU-Accept': ['Accept of the request of the PSU to the TPP.', 'text/html'],
  'PSU-Accept-Charset': ['Accept-Charset of the request of the PSU to the TPP.', 'utf-8'],
  'PSU-Accept-Encoding': ['Accept-Encoding of the request of the PSU to the TPP.', 'gzip'],
  'PSU-Accept-Language': ['Accept-Language of the request of the PSU to the TPP.', 'nb-NO'],
  'ASPSP-ID': ["The bank that is meant, as the banks' own client sends it. This one takes any.", '9057'],
}).map(([name, [says = '', sample]]) => {
  return { in: 'header', name, description: says, required: false, schema: { type: 'string', examples: [sample] } };
});

/** Headers of the signature. They are optional here because the unsigned door makes them. */
const ofSignature: readonly Parameter[] = [
  header('Date', 'When the request was signed, as RFC 9110 writes it, within 60 seconds of the wall clock.'),
  header('Digest', 'The hash of the body: `SHA-256=` and the base64 of it.'),
  header(
    'Signature',
    'The signature, with keyId, algorithm, headers and signature (docs/signing.md). The unsigned door refuses it.',
  ),
  header(
    'TPP-Signature-Certificate',
    'The certificate that the request was signed with: the base64 of its DER. The unsigned door refuses it.',
  ),
];

function header(name: string, says: string): Parameter {
  const description = `${says} Needed at \`/v1\`, made by the unsigned door.`;
  return { in: 'header', name, description, required: false, schema: { type: 'string' } };
}

/** Headers that say nothing where no PSU is concerned. */
const ofEveryCall: readonly string[] = ['X-Request-ID'];

/**
 * Parameters of an endpoint's headers. `samples` are the values of a request that works, by name; the others are told with a
 * value of the right form only in their schema.
 */
export function headerParameters(endpoint: Endpoint, samples: Readonly<Record<string, string>>): readonly Parameter[] {
  const required = new Set(endpoint.requires.map(nameOf).concat('x-request-id'));
  const rows = concernsPsu(endpoint) ? headerRows : headerRows.filter(({ name }) => ofEveryCall.includes(name));
  return [
    ...rows.map((row) => parameterOf(row, required.has(row.name.toLowerCase()), samples[row.name])),
    ...(concernsPsu(endpoint) ? taken : []),
    ...ofSignature,
    ...(changesTestData(endpoint) ? [controlToken] : []),
  ];
}

/** Whether an endpoint reads headers about the PSU: test data and the contact of a TPP concern none. */
export function concernsPsu({ path }: Pick<Endpoint, 'path'>): boolean {
  return !/^\/(sandbox|tpps)\//.test(path);
}

const controlToken: Parameter = {
  in: 'header',
  name: 'Sandbank-Control-Token',
  description: 'The control token, where SANDBANK_CONTROL_TOKEN is set.',
  required: false,
  schema: { type: 'string' },
};

function changesTestData({ path, method }: Endpoint): boolean {
  return path.startsWith('/sandbox/') && method !== 'GET';
}

/** `psu` is PSU-ID or X-PSU-IDENTITY, which OpenAPI cannot say: neither is required alone. */
function nameOf(demand: Endpoint['requires'][number]): string {
  return typeof demand === 'object' ? demand.strictly : demand;
}

function parameterOf(row: HeaderRow, required: boolean, example: string | undefined): Parameter {
  const { name, expected, sample } = row;
  const { says, schema = {} } = meanings[name] ?? { says: '' };
  return {
    in: 'header',
    name,
    description: says,
    required,
    schema: { type: 'string', description: expected, ...schema, examples: [sample] },
    ...(example !== undefined && { example }),
  };
}
