import * as Type from 'typebox';
import packageJson from '../../package.json' with { type: 'json' };
import type { Bank } from '../../engine/bank.ts';
import { addDays, daysBetween, type LocalDate, parseLocalDate } from '../../engine/values/local-date.ts';
import { choice, closed, type AnswerSchema, type BodySchema } from '../bodies/schema.ts';
import { problemAnswer, text } from '../control/answers.ts';
import { refusalAnswer } from '../interface/refusal-answer.ts';
import type { Samples } from './example-bodies.ts';
import { exampleTpp } from './interface-document.ts';
import { noSamples, readSamples } from './samples.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { eventStream } from '../control/event-stream.ts';
import {
  apiDocument,
  type ApiDocument,
  type Content,
  type DocumentedAnswer,
  type Operation,
  type Parameter,
} from './document.ts';

interface Told {
  /** Absolute address of the bank, without a slash at the end. */
  readonly address: string;
  /** What examples are made of. */
  readonly samples: Pick<Samples, 'today' | 'psu'>;
  /** The bank is the one at the root, beside which the probes are. */
  readonly isRoot: boolean;
}

const intro = `What a sandbox adds to a bank: its clock, its ledger, faults to order, and a look at everything.
Calls are not signed. One that changes something needs \`content-type: application/json\`, also when it has no body.
Where SANDBANK_CONTROL_TOKEN is set, every call needs it as \`Authorization: Bearer\`.
Amounts are decimal strings, instants are ISO 8601 with an offset. A refusal is \`application/problem+json\`.
The interface itself has a document of its own, \`/openapi.json\`; plain requests to it go to \`/sandbox/as/{tpp}/v1\`,
the unsigned door, with a name of your own for the TPP.`;

/** Groups of the calls by the first segment of their paths, in the order in which a reader meets them. */
const groups = {
  'The bank': { segments: ['info'], description: 'What it is and whether it is ready.' },
  Clock: {
    segments: ['clock', 'calendar', 'schedule', 'forecast', 'runs'],
    description: 'Let time pass, and see what it brings.',
  },
  Payments: { segments: ['payments'], description: 'Look at payments and act on them as the bank does.' },
  'What PSUs do': {
    segments: ['sca', 'consents', 'agreements', 'accounts'],
    description: 'Answer SCAs, grant consents, put money in.',
  },
  Ledger: {
    segments: ['ledger', 'snapshots', 'reset', 'bundle'],
    description: 'Check the books, keep them and go back.',
  },
  'TPPs and their requests': {
    segments: ['certificates', 'doctor', 'requests', 'coverage', 'events', 'faults'],
    description: 'Certificates, signatures, the journal, what was met, and faults to order.',
  },
  Banks: { segments: ['banks'], description: 'More banks in the same process.' },
} as const;

/** What a parameter of a path names, and a value of a call that works; null: an earlier answer has it. */
const pathParameters: Readonly<Record<string, readonly [description: string, example: string | null]>> = {
  'payments/paymentId': ['The id of a payment.', null],
  'sca/scaId': ['The id of an SCA: the path of scaRedirect ends in it.', null],
  'consents/consentId': ['The id of a consent.', null],
  'accounts/number': ['The number of an account, a BBAN or an IBAN.', '09232911044'],
  'runs/runId': ['The id of a settlement run; its slash is encoded or written as a hyphen.', null],
  'requests/requestId': ['The X-Request-ID of a request.', null],
  'certificates/serial': ['The serial number of a certificate, hexadecimal.', '1A2B'],
  'snapshots/name': ['The name of a snapshot.', 'before-the-salaries'],
  'banks/name': ['The name of a bank.', 'ci-1'],
};

/** The PSU, and the day after the bank's date, in the examples of the schemas. */
const psuOfExamples = '13039319955';
const dayOfExamples = parseLocalDate('2027-03-30');

const nothing = closed({}, { title: 'Nothing', description: 'Nothing is read: an empty object.', examples: [{}] });

const ready = closed(
  {
    status: choice('how the bank is', ['starting', 'checking', 'ready', 'unwritable', 'missing', 'broken']),
    detail: Type.Optional(text('why it is not ready')),
  },
  { title: 'Ready' },
);

const isReady: Content = { schema: ready, examples: {} };

/** What the HTTP parser refuses, before any path is known (rules.md G9). */
const tooManyHeaders: DocumentedAnswer = {
  description: 'The headers are over the limit.',
  content: { schema: refusalAnswer('HeadersTooLarge', ['BAD_REQUEST'], false), examples: {} },
};

/** Calls of the process, which are at its root. */
const probes: readonly Operation[] = [
  {
    method: 'GET',
    path: '/health',
    tag: 'The bank',
    summary: 'Whether the process is alive',
    parameters: [],
    body: null,
    answers: {
      200: ok({ schema: closed({ status: Type.Literal('alive') }, { title: 'Alive' }), examples: {} }),
      431: tooManyHeaders,
    },
  },
  {
    method: 'GET',
    path: '/ready',
    tag: 'The bank',
    summary: 'Whether the bank is ready',
    parameters: [],
    body: null,
    answers: { 200: ok(isReady), 431: tooManyHeaders, 503: { ...ok(isReady), description: 'It is not ready.' } },
  },
];

/** When any call is refused. */
const ofAll = {
  400: 'The request is wrong; detail says what to send instead.',
  401: 'SANDBANK_CONTROL_TOKEN is set, and this is not its value.',
  403: 'The Host is none of this bank, or the request comes from another web site.',
  500: 'The bank failed, or a settlement run did; then run names it, and what was done before is kept.',
  503: 'The bank is starting, or cannot use its ledger.',
};

const thisDocument: Operation = {
  method: 'GET',
  path: '/sandbox/openapi.json',
  tag: 'The bank',
  summary: 'This document',
  parameters: [],
  body: null,
  answers: {
    200: ok({ schema: Type.Unsafe({ type: 'object', description: 'OpenAPI 3.1.' }), examples: {} }),
    403: refusal(ofAll[403], 'Problem403'),
    503: refusal(ofAll[503], 'Problem503'),
  },
};

/**
 * The document of a bank's control plane, with examples that work in this bank now. `hasToken`: those who may not call it may
 * read the document, which then says nothing of the bank but its date.
 */
export async function controlDocument(
  bank: Bank,
  endpoints: readonly ControlEndpoint[],
  { hasToken, ...told }: Omit<Told, 'samples'> & { readonly hasToken: boolean },
): Promise<ApiDocument> {
  const { today, psu } = await readSamples(bank, exampleTpp);
  return describeControl(endpoints, { ...told, samples: { today, psu: hasToken ? noSamples.psu : psu } });
}

/** The same from these values. */
export function describeControl(
  endpoints: readonly ControlEndpoint[],
  { address, samples, isRoot }: Told,
): ApiDocument {
  const operations = endpoints.map((endpoint) => operationOf(endpoint, samples));
  const tags = Object.entries(groups).map(([name, { description }]) => ({ name, description }));
  const all = [...(isRoot ? probes : []), thisDocument, ...operations];
  return apiDocument(
    {
      title: 'Sandbank: control plane',
      version: packageJson.version,
      description: intro,
      servers: [{ url: address, description: 'This bank.' }],
      tags: tags.filter(({ name }) => all.some(({ tag }) => tag === name)),
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of SANDBANK_CONTROL_TOKEN, where it is set.',
        },
      },
      security: [{}, { controlToken: [] }],
    },
    all,
  );
}

function operationOf(endpoint: ControlEndpoint, samples: Told['samples']): Operation {
  const { method, path, summary = '', query = {}, body, text: media } = endpoint;
  return {
    method,
    path: `/sandbox${path}`,
    tag: tagOf(path),
    summary,
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(path, name)),
      ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema, samples)),
    ],
    body: method === 'GET' ? null : [bodyOf(body ?? nothing, samples), ...(media === undefined ? [] : [textOf(media)])],
    answers: { 200: ok(...contentsOf(endpoint)), ...refusalsOf(endpoint) },
  };
}

/** The group of a path; of one that no group names, the first one. */
function tagOf(path: string): string {
  const [, segment = ''] = path.split('/');
  const found = Object.entries(groups).find(([, { segments }]) => segments.some((known) => known === segment));
  return found?.[0] ?? 'The bank';
}

function pathParameter(path: string, name: string): Parameter {
  const [, segment = ''] = path.split('/');
  const [description, example] = pathParameters[`${segment}/${name}`] ?? ['', null];
  const schema = Type.String({ minLength: 1 });
  return { in: 'path', name, description, required: true, schema, ...(example !== null && { example }) };
}

function queryParameter(name: string, schema: AnswerSchema, samples: Told['samples']): Parameter {
  const required = !Type.IsOptional(schema);
  const { description = '', examples }: { description?: string; examples?: readonly unknown[] } = schema;
  const example = required && typeof examples?.[0] === 'string' ? toWork(examples[0], samples) : undefined;
  return {
    in: 'query',
    name,
    description: sentence(description),
    required,
    schema,
    ...(typeof example === 'string' && { example }),
  };
}

function bodyOf(schema: BodySchema, samples: Told['samples']): Content {
  const { examples = [] } = schema as { examples?: readonly unknown[] };
  const named = examples.map((value) => [nameOf(value), { summary: nameOf(value), value: toWork(value, samples) }]);
  return { schema, examples: Object.fromEntries(named) };
}

/** An example is named by its members: `until`, `now-mode`. */
function nameOf(example: unknown): string {
  return Object.keys(Object(example)).join('-') || 'empty';
}

/** A body that is text. */
function textOf(mediaType: string): Content {
  return { schema: Type.String(), mediaType, examples: {} };
}

function ok(...content: readonly Content[]): DocumentedAnswer {
  return { description: 'Done.', content };
}

/** JSON of the schema, and events where it sends them; of a stream alone, events of the schema. */
function contentsOf({ answer, answerType, tell }: ControlEndpoint): readonly Content[] {
  if (answer !== undefined && answerType !== undefined)
    return [{ schema: answer, mediaType: answerType, examples: {} }];
  return [
    ...(answer === undefined ? [] : [{ schema: answer, examples: {} }]),
    ...(tell === undefined ? [] : [textOf(eventStream)]),
  ];
}

/** When a call below a name or an id is refused, and when one that changes something is. */
const ofNamed = { 404: 'There is none of this name or id.' };
const ofChanges = { 413: 'The body is too large.', 415: 'The content type is not application/json.' };

function refusalsOf({ method, path, refusals = {} }: ControlEndpoint): Operation['answers'] {
  const shared = { ...ofAll, ...(path.includes('/:') && ofNamed), ...(method !== 'GET' && ofChanges) };
  return Object.fromEntries([
    ...Object.entries(shared).map(([status, description]) => [status, refusal(description, `Problem${status}`)]),
    ...Object.entries(refusals).map(([status, description]) => [status, refusal(description)]),
  ]);
}

function refusal(description: string, name?: string): DocumentedAnswer {
  const content = { schema: problemAnswer, mediaType: 'application/problem+json', examples: {} };
  return { description, content, ...(name !== undefined && { name }) };
}

/** The value with the PSU of this bank, and with every date as far from its date as it is from the day of the examples. */
function toWork(value: unknown, { today, psu }: Told['samples']): unknown {
  const json = JSON.stringify(value).replaceAll(psuOfExamples, psu);
  return JSON.parse(json.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (date) => shifted(date, today))) as unknown;
}

function shifted(text: string, today: LocalDate): string {
  const date = parseLocalDate(text);
  if (date === null || dayOfExamples === null) return text;
  return addDays(addDays(today, 1), daysBetween(dayOfExamples, date));
}

function sentence(description: string): string {
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
