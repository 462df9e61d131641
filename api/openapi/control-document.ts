import { STATUS_CODES } from 'node:http';
import * as Type from 'typebox';
import packageJson from '../../package.json' with { type: 'json' };
import type { Bank } from '../../engine/open-bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { exampleOf } from '../bodies/examples.ts';
import {
  type AnswerSchema,
  type BodySchema,
  choice,
  optional,
  type SchemaShape,
  text,
  titled,
} from '../bodies/schema.ts';
import { problemAnswer } from '../control/answers/refusals.ts';
import { refusalAnswer } from '../interface/answer-parts.ts';
import { bundleType, type ControlEndpoint, pemType } from '../control/control-endpoint.ts';
import { eventStream, eventText } from '../control/event-stream.ts';
import type { Journal } from '../journal/journal.ts';
import { blankSamples, intoBank, readControlSamples, type Samples } from './samples.ts';
import { exampleTpp } from './interface-document.ts';
import {
  refusalExample,
  type ApiDescription,
  type Content,
  type DocumentedAnswer,
  type ListedOperation,
  type Operation,
  type Parameter,
} from './document.ts';
import { testTppName } from '../signing/test-tpp.ts';

const json = 'application/json';

/** Puts an example into the bank. */
type Here = (example: unknown) => unknown;

interface DocumentOptions {
  /** Absolute address of the bank, without a slash at the end. */
  readonly address: string;
  /** Values for the examples. */
  readonly samples: Samples;
  /** The bank is the one at the root, beside which the probes are. */
  readonly isRoot: boolean;
}

const title = 'Sandbank: control plane';

const intro = `What a sandbox adds to a bank: its clock, its ledger, faults to order, and a look at everything.
Calls are not signed. A call with a body needs \`content-type: application/json\`.
Where SANDBANK_CONTROL_TOKEN is set, every call needs it as \`Authorization: Bearer\`.
Amounts are decimal strings, instants are ISO 8601 with an offset. A refusal is \`application/problem+json\`.
The interface has its own document, \`/openapi.json\`. Plain requests to the interface go to \`/sandbox/as/{tpp}/v1\`,
the unsigned door, with a name of your choice for the TPP.

The examples have the latest ids of this bank at the time of your request. If the bank has no such id, the description of the parameter
names the call that lists them. Examples of answers have dates near the bank clock, and lists of one item.`;

/** Groups of the calls by the first segment of their paths, in the order in which a reader meets them. */
const groups = {
  'The bank': { segments: ['info'], description: 'What it is and whether it is ready.' },
  Quirks: {
    segments: ['quirks', 'profile'],
    description: 'What the bank does otherwise than the document, and the bank that it acts as.',
  },
  Clock: {
    segments: ['clock', 'calendar', 'schedule', 'forecast', 'timeline', 'when', 'runs'],
    description: 'Let time pass, and see what it brings.',
  },
  Payments: {
    segments: ['payments', 'search'],
    description: 'Find payments, look at them, act on them as the bank does.',
  },
  'What PSUs do': {
    segments: ['sca', 'consents', 'access', 'agreements', 'accounts', 'life'],
    description: 'Answer SCAs, grant consents, put money in.',
  },
  Ledger: {
    segments: ['ledger', 'snapshots', 'reset', 'bundle'],
    description: 'Check the books, keep them and go back.',
  },
  'TPPs and their requests': {
    segments: ['certificates', 'ca', 'bank-certificate', 'doctor', 'requests', 'events', 'faults'],
    description: 'Certificates, signatures, the journal, and faults to order.',
  },
  Banks: { segments: ['banks'], description: 'More banks in the same process.' },
} as const;

const nothing = titled('Nothing', 'Nothing is read: an empty object.', { examples: [{}] }).closed({});

const ready = titled('Ready').closed({
  status: choice('how the bank is', ['starting', 'checking', 'ready', 'unwritable', 'missing', 'broken']),
  detail: optional(text('why it is not ready')),
});

/** Calls of the process, which are at its root. */
function probes(): readonly Operation[] {
  // The HTTP parser refuses it before any path is known (rules.md G9).
  const tooManyHeaders: DocumentedAnswer = {
    description: 'The headers are over the limit.',
    content: {
      schema: refusalAnswer('HeadersTooLarge', ['BAD_REQUEST'], false),
      examples: named(refusalExample('BAD_REQUEST')),
    },
  };
  const alive = titled('Alive').closed({ status: Type.Literal('alive') });
  const common = { method: 'GET', tag: 'The bank', parameters: [], body: null } as const;
  const missing = { status: 'missing', detail: 'the file of its ledger was taken away' };
  return [
    {
      ...common,
      path: '/health',
      summary: 'Whether the process is alive',
      answers: { 200: ok({ schema: alive, examples: named(exampleOf(alive)) }), 431: tooManyHeaders },
    },
    {
      ...common,
      path: '/ready',
      summary: 'Whether the bank is ready',
      answers: {
        200: ok({ schema: ready, examples: named({ status: 'ready' }) }),
        431: tooManyHeaders,
        503: { ...ok({ schema: ready, examples: named(missing) }), description: 'It is not ready.' },
      },
    },
  ];
}

/** When any call is refused. */
const ofAll = {
  400: 'The request is wrong; detail says what to send instead.',
  401: 'SANDBANK_CONTROL_TOKEN is set, and the call has not its value.',
  403: 'The Host does not belong to this bank, or the request comes from another web site.',
  429: 'Ten wrong control tokens came from this address within a minute, or the bank has taken its requests of this second.',
  500: 'The bank failed, or a settlement run did; then run names it, and what was done before is kept.',
  503: 'The bank is starting or stopping, or cannot use its ledger.',
};

function documents(): readonly Operation[] {
  const answer = { openapi: '3.1.1', info: { title, version: packageJson.version }, paths: {} };
  const schema = Type.Unsafe({ type: 'object', description: 'OpenAPI 3.1.' });
  const common = { method: 'GET', tag: 'The bank', body: null } as const;
  const answers = {
    200: ok({ schema, examples: named(answer) }),
    403: refusal(403, ofAll[403], 'Problem403'),
    503: refusal(503, ofAll[503], 'Problem503'),
  };
  const tpp = { in: 'path', name: 'tpp', description: 'A name for the TPP of the door.', required: true } as const;
  const word = Type.String({ pattern: testTppName.source });
  const path = '/sandbox/as/:tpp/openapi.json';
  const ofDoor = {
    path,
    summary: 'The document of an unsigned door',
    answers: {
      ...answers,
      400: refusal(400, ofAll[400], 'Problem400'),
      401: refusal(401, ofAll[401], 'Problem401'),
    },
  };
  return [
    { ...common, path: '/sandbox/openapi.json', summary: 'This document', parameters: [], answers },
    { ...common, ...ofDoor, parameters: [{ ...tpp, schema: word, example: exampleTpp }] },
  ];
}

/**
 * What the document of a bank's control plane says, with examples that work in this bank now. `hasToken`: those who may
 * not call it may read the document, which then says nothing of the bank but its date.
 */
export async function describeControlOf(
  { bank, journal }: { readonly bank: Bank; readonly journal: Journal },
  endpoints: readonly ControlEndpoint[],
  { hasToken, ...options }: Omit<DocumentOptions, 'samples'> & { readonly hasToken: boolean },
): Promise<ApiDescription> {
  const samples = hasToken
    ? blankSamples((await readClock(bank)).date, bank.schedule.calendar)
    : await readControlSamples(bank, journal, exampleTpp);
  return describeControl(endpoints, { ...options, samples });
}

/** The same from these values. */
export function describeControl(
  endpoints: readonly ControlEndpoint[],
  { address, samples, isRoot }: DocumentOptions,
): ApiDescription {
  const here = intoBank(samples, { address });
  const ofEndpoints = endpoints.map((endpoint) => operationOf(endpoint, samples, here));
  return documentWith(ofEndpoints, { address, isRoot });
}

/** The list of the operations of {@link describeControl}. */
export function listControl(
  endpoints: readonly ControlEndpoint[],
  options: Omit<DocumentOptions, 'samples'>,
): ApiDescription<ListedOperation> {
  return documentWith(endpoints.map(listed), options);
}

/** What the document says with these operations of the endpoints. */
function documentWith<Described extends ListedOperation>(
  ofEndpoints: readonly Described[],
  { address, isRoot }: Omit<DocumentOptions, 'samples'>,
): ApiDescription<Described | Operation> {
  const operations = [...(isRoot ? probes() : []), ...documents(), ...ofEndpoints];
  const tags = Object.entries(groups).map(([name, { description }]) => ({ name, description }));
  const about = {
    title,
    version: packageJson.version,
    description: intro,
    servers: [{ url: address, description: 'This bank.' }],
    tags: tags.filter(({ name }) => operations.some(({ tag }) => tag === name)),
    securitySchemes: {
      controlToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The value of SANDBANK_CONTROL_TOKEN, where it is set.',
      },
    },
    security: [{}, { controlToken: [] }],
  };
  return { about, operations };
}

function listed({ method, path, summary = '' }: ControlEndpoint): ListedOperation {
  return { method, path: `/sandbox${path}`, tag: tagOf(path), summary };
}

function operationOf(endpoint: ControlEndpoint, samples: Samples, here: Here): Operation {
  const { method, path, query = {}, body, text: media } = endpoint;
  const takesBody = method !== 'GET' && (method !== 'DELETE' || body !== undefined);
  return {
    ...listed(endpoint),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(path, name, samples)),
      ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema, samples, here)),
    ],
    body: takesBody ? [jsonContent(body ?? nothing, here), ...(media === undefined ? [] : [textContent(media)])] : null,
    bodyIsOptional: body === undefined,
    answers: {
      200: ok(...contentsOf(endpoint, here)),
      ...(endpoint.creates === true && { 201: { ...ok(...contentsOf(endpoint, here)), description: 'Made.' } }),
      ...(endpoint.hasPage === true && {
        303: { description: 'For a browser: the page of the console.', content: null },
      }),
      ...refusalsOf(endpoint),
    },
  };
}

/** The group of a path; of one that no group names, the first one. */
function tagOf(path: string): string {
  const [, segment = ''] = path.split('/');
  const found = Object.entries(groups).find(([, { segments }]) => segments.some((known) => known === segment));
  return found?.[0] ?? 'The bank';
}

function jsonContent(schema: BodySchema, here: Here): Content {
  const { examples = [] }: SchemaShape = schema;
  const named = examples.map((value) => [nameOf(value), { summary: nameOf(value), value: here(value) }]);
  return { schema, examples: Object.fromEntries(named) };
}

/** An example is named by its members: `until`, `now-mode`. */
function nameOf(example: unknown): string {
  return Object.keys(Object(example)).join('-') || 'empty';
}

/** A body that is text. */
function textContent(mediaType: string): Content {
  return { schema: Type.String(), mediaType, examples: {} };
}

function ok(...content: readonly Content[]): DocumentedAnswer {
  return { description: 'Done.', content };
}

/**
 * JSON of the schema, and events where it sends them; of a stream alone, events of the schema. A file has no example.
 */
function contentsOf({ answer, answerType, tell }: ControlEndpoint, here: Here): readonly Content[] {
  if (answer === undefined) return [];
  if (answerType === bundleType || answerType === pemType)
    return [{ schema: answer, mediaType: answerType, examples: {} }];
  const example = here(exampleOf(answer));
  const content = { schema: answer, mediaType: answerType ?? json, examples: named(example) };
  if (answerType !== undefined || tell === undefined) return [content];
  return [content, { schema: Type.String(), mediaType: eventStream, examples: named(eventText('done', example)) }];
}

/** The one example of a document. */
function named(value: unknown): Content['examples'] {
  return { example: { summary: 'example', value } };
}

/** When a call below a name or an id is refused, and when one that changes something is. */
const ofNamed = { 404: 'There is none of this name or id.' };
const ofChanges = { 413: 'The body is too large.', 415: 'The content type is not application/json.' };

function refusalsOf({ method, path, refusals = {} }: ControlEndpoint): Operation['answers'] {
  const shared = { ...ofAll, ...(path.includes('/:') && ofNamed), ...(method !== 'GET' && ofChanges) };
  return Object.fromEntries([
    ...Object.entries(shared).map(
      ([status, says]) => [status, refusal(Number(status), says, `Problem${status}`)] as const,
    ),
    ...Object.entries(refusals).map(([status, says]) => [status, refusal(Number(status), says)] as const),
  ]);
}

/** `name`: of the component, where several operations have it. */
function refusal(status: number, description: string, name?: string): DocumentedAnswer {
  // The schema's own example is a 400.
  const other = status !== 400 && { title: STATUS_CODES[status], status, detail: description };
  const example = { ...Object(exampleOf(problemAnswer)), ...other };
  const content = { schema: problemAnswer, mediaType: 'application/problem+json', examples: named(example) };
  return { description, content, ...(name !== undefined && { name }) };
}

/**
 * The meaning of each parameter of a path, and an example for a bank without such a thing. Without an example that bank
 * answers 404.
 */
const pathParameters: Readonly<Record<string, readonly [description: string, example?: string]>> = {
  'payments/paymentId': ['The id of a payment. GET /sandbox/payments lists them.'],
  'sca/scaId': ['The id of an SCA: the path of scaRedirect ends in it. GET /sandbox/sca lists those that are open.'],
  'consents/consentId': ['The id of a consent. GET /sandbox/consents lists them.'],
  'accounts/number': ['The number of an account, a BBAN or an IBAN. GET /sandbox/accounts lists them.', '09232911044'],
  'access/number': ['The customer number of a PSU. GET /sandbox/info lists them.', '13039319955'],
  'life/number': ['The number of an account with a life. GET /sandbox/life lists them.'],
  'runs/runId': [
    'The id of a settlement run that had work; its slash is encoded or written as a hyphen. GET /sandbox/runs lists them.',
  ],
  'requests/requestId': ['The X-Request-ID of a request. GET /sandbox/requests lists the last ones.'],
  'certificates/serial': ['The serial number of a certificate, hexadecimal.', '1A2B'],
  'snapshots/name': ['The name of a snapshot. GET /sandbox/snapshots lists them.', 'before-the-salaries'],
  'banks/name': ['The name of a bank. GET /sandbox/banks lists them.', 'ci-1'],
};

/** A parameter of an endpoint's path, with the value of this bank where it has one. */
function pathParameter(path: string, name: string, { params }: Samples): Parameter {
  const [, segment = ''] = path.split('/');
  const [description, usual] = pathParameters[`${segment}/${name}`] ?? [''];
  const example = params[path] ?? params[name] ?? usual;
  const schema = Type.String({ minLength: 1 });
  return { in: 'path', name, description, required: true, schema, ...(example !== undefined && { example }) };
}

/** A parameter of an endpoint's query, with the value of this bank where it has one. `here` puts an example into it. */
function queryParameter(name: string, schema: AnswerSchema, { params }: Samples, here: Here): Parameter {
  const required = !Type.IsOptional(schema);
  const { description = '', examples }: SchemaShape = schema;
  const example = params[name] ?? (required && typeof examples?.[0] === 'string' ? here(examples[0]) : undefined);
  return {
    in: 'query',
    name,
    description: sentence(description),
    required,
    schema,
    ...(typeof example === 'string' && { example }),
  };
}

function sentence(description: string): string {
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
