import type { AnswerSchema } from '../bodies/schema.ts';
import { Components, type Json } from './components.ts';
import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import { faultGuide } from '../faults/errors-page.ts';
import { statusesOf } from '../faults/fault-response.ts';
import { refusalAnswer } from '../interface/answer-parts.ts';

/** The head of a document. */
interface About {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** Clients use the first one by default. */
  readonly servers: readonly Server[];
  /** In the order in which a reader meets them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Security schemes by name, as OpenAPI has them. */
  readonly securitySchemes?: Readonly<Record<string, Json>>;
  /** One of these sets of schemes is needed; an empty set: none. If it is left out, nothing is needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Server {
  /** Absolute; `{name}` is a variable. */
  readonly url: string;
  readonly description: string;
  readonly variables?: Readonly<Record<string, { readonly default: string }>>;
}

/** One operation, in the shape that every room can give. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's address, in express syntax: `/accounts/:accountId/balances`. */
  readonly path: string;
  readonly tag: string;
  /** What it does, in a few words. */
  readonly summary: string;
  readonly deprecated?: boolean;
  /** The parameters of path, query and headers. */
  readonly parameters: readonly Parameter[];
  /** It is null if it takes no body; a list means one of these. */
  readonly body: Content | readonly Content[] | null;
  /** It is true if it may be left out. */
  readonly bodyIsOptional?: boolean;
  /** Numbers of the rules that say what its schemas cannot. */
  readonly rules?: readonly string[];
  /** Its answers by HTTP status. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
}

export interface Parameter {
  readonly in: 'header' | 'query' | 'path';
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: AnswerSchema | Json;
  /**
   * An example; the examples of all parameters together make a request that works. If it is left out, that request
   * lacks the parameter.
   */
  readonly example?: string | number | boolean;
}

/** A body: of a request, or of an answer. */
export interface Content {
  readonly schema: AnswerSchema | Json;
  /** The default is `application/json`. */
  readonly mediaType?: string;
  /** Values by name. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface DocumentedAnswer {
  /** When it comes, in a sentence. */
  readonly description: string;
  /** It is null if it has no body; a list means the one that the caller accepts. */
  readonly content: Content | readonly Content[] | null;
  /** Headers that it may have beside those of every answer. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Name of a component, for an answer of several operations. Without it the answer is this operation's own. */
  readonly name?: string;
}

/** What a list of calls says of an operation. */
export type ListedOperation = Pick<Operation, 'method' | 'path' | 'tag' | 'summary'>;

/** What a document, or a list of its calls, says before it is one. */
export interface ApiDescription<Described extends ListedOperation = Operation> {
  readonly about: About;
  readonly operations: readonly Described[];
}

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Json;
  readonly servers: readonly Server[];
  readonly tags: About['tags'];
  readonly security: NonNullable<About['security']>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Json;
}

/**
 * Makes an OpenAPI 3.1 document. Schemas with a title, parameters and named answers become components, each once.
 * Throws an assertion for two schemas with one title.
 */
export function apiDocument({ about, operations }: ApiDescription): ApiDocument {
  const { title, version, description, servers, tags, securitySchemes = {}, security = [] } = about;
  const components = new Components();
  const answered = new Map<DocumentedAnswer, Json>();
  const answerOnce = (answer: DocumentedAnswer): Json => {
    const known = answered.get(answer) ?? answerOf(answer, components);
    answered.set(answer, known);
    return known;
  };
  // Before the answers: what both have keeps the name for the requests.
  for (const { body } of operations) if (body !== null) contentOf(body, components);
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const item = (paths[templateOf(operation)] ??= {});
    item[operation.method.toLowerCase()] = operationOf(operation, components, answerOnce);
  }
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  return {
    openapi: '3.1.1',
    info: { title, version, description, license },
    servers,
    tags,
    security,
    paths,
    components: { securitySchemes, ...components.collected() },
  };
}

/** `getAccountsByAccountIdBalances`: unique, and the same as long as method and path are. */
export function operationId({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path.split('/').flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split(/[-.]/)));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The path with its parameters in braces. */
export function templateOf({ path }: Pick<Operation, 'path'>): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function operationOf(
  operation: Operation,
  components: Components,
  answerOnce: (answer: DocumentedAnswer) => Json,
): Json {
  const { summary, deprecated, tag, parameters, body, bodyIsOptional = false, rules = [], answers } = operation;
  return {
    operationId: operationId(operation),
    tags: [tag],
    summary,
    ...(deprecated === true && { deprecated }),
    ...(rules.length > 0 && { 'x-rules': rules }),
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => parameterOf(parameter, components)) }),
    ...(body !== null && { requestBody: { required: !bodyIsOptional, content: contentOf(body, components) } }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOnce(answer)])),
  };
}

function parameterOf({ schema, example, ...own }: Parameter, components: Components): Json {
  const part = { ...own, schema: components.schema(schema), ...(example !== undefined && { example }) };
  return components.shared('parameters', own.name, part);
}

function answerOf({ description, content, headers, name }: DocumentedAnswer, components: Components): Json {
  const part = {
    description,
    ...(headers !== undefined && { headers: headersOf(headers) }),
    ...(content !== null && { content: contentOf(content, components, 'shown') }),
  };
  return name === undefined ? part : components.shared('responses', name, part);
}

function headersOf(headers: NonNullable<DocumentedAnswer['headers']>): Json {
  const shown = Object.entries(headers).map(([name, { description, example }]) => {
    return [name, { description, schema: { type: 'string' }, example }];
  });
  return Object.fromEntries(shown);
}

function contentOf(
  content: Content | readonly Content[],
  components: Components,
  by: 'schema' | 'shown' = 'schema',
): Json {
  const kinds = [content].flat().map(({ schema, mediaType = 'application/json', examples }: Content) => {
    return [mediaType, { schema: components[by](schema), examples }];
  });
  return Object.fromEntries(kinds);
}

/** The beginning of the names of refusal components; the status follows. */
export const refusalName = 'Refusal';

/** Codes that a refusal may have, by its HTTP status, from the table that the bank answers by. */
function codesByStatus(): ReadonlyMap<number, readonly FaultCode[]> {
  const pairs = faultCodes.flatMap((code) => {
    return [...new Set(statusesOf(code).map(({ status }) => status))].map((status) => ({ code, status }));
  });
  const byStatus = Map.groupBy(pairs, ({ status }) => status);
  return new Map(
    [...byStatus]
      .toSorted(([left], [right]) => left - right)
      .map(([status, rows]) => [status, rows.map(({ code }) => code)]),
  );
}

/** Statuses of faults that are told together: those of a body (rules.md E3). The first fault gives the status. */
const toldTogether: readonly number[] = [400, 409];

/** Refusals by status: the same for all operations, as each code can be provoked for each of them (rules.md E6). */
export function refusals(): Readonly<Record<number, DocumentedAnswer>> {
  const byStatus = codesByStatus();
  const together = faultCodes.filter((code) => toldTogether.some((status) => byStatus.get(status)?.includes(code)));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = `${refusalName}${status}`;
      const [first = 'SYSTEM_ERROR'] = codes;
      const answer: DocumentedAnswer = {
        name,
        description: codes.map((code) => `\`${code}\`: ${faultGuide[code].when}`).join('\n\n'),
        content: {
          schema: refusalAnswer(name, toldTogether.includes(status) ? together : codes, status === 401),
          examples: { [first]: { summary: first, value: refusalExample(first) } },
        },
        headers: { ...requestIdHeader, ...((status === 429 || status === 503) && retryAfter) },
      };
      return [status, answer];
    }),
  );
}

/** A refusal with this code, in the words of the table of faults. */
export function refusalExample(code: FaultCode): object {
  const { when, remedy } = faultGuide[code];
  return { tppMessages: [{ category: 'ERROR', code, text: `${when} ${remedy}`.slice(0, 512) }] };
}

/** The header that all answers have. */
export const requestIdHeader = {
  'X-Request-ID': { description: 'That of the request.', example: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' },
};

const retryAfter = { 'Retry-After': { description: 'When to send it again, in seconds.', example: '1' } };
