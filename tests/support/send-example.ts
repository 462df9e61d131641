import { exchange } from '../lab/exchange.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';

/** A parameter or a body of a document, with the members that are read here. */
interface Part {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly example?: unknown;
}

interface DocumentedOperation {
  readonly parameters?: readonly Part[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>>;
  };
}

export interface ExampleRequest {
  readonly method: string;
  /** Below the server's address, in express syntax. */
  readonly path: string;
  /** Parameters of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: unknown;
}

export interface ExampleAnswer {
  readonly status: number;
  /** Parsed JSON; null: none. */
  readonly body: unknown;
}

/** Reads the first example of an operation out of a document, as a page that sends it does. */
export function exampleOf(document: ApiDocument, method: string, template: string): ExampleRequest {
  const [[, first] = []] = examplesOf(document, method, template);
  if (first === undefined) throw new Error(`The document has no example of ${method} ${template}`);
  return first;
}

/** Reads the examples of an operation out of a document, by name: one for each of its bodies. */
export function examplesOf(
  document: ApiDocument,
  method: string,
  template: string,
): readonly (readonly [name: string, example: ExampleRequest])[] {
  const operation = document.paths[template]?.[method.toLowerCase()] as DocumentedOperation | undefined;
  if (operation === undefined) throw new Error(`The document has no ${method} ${template}`);
  const parameters = (operation.parameters ?? []).map((part) => resolved(document, part));
  const given = parameters.filter(({ example }) => example !== undefined);
  const of = (place: string): Record<string, string> =>
    Object.fromEntries(
      given.filter((part) => part.in === place).map(({ name = '', example }) => [name, String(example)]),
    );
  const path = template.replaceAll(/\{(\w+)\}/g, ':$1');
  const common = { method, path, params: of('path'), query: of('query'), headers: of('header') };
  const examples = operation.requestBody?.content['application/json']?.examples ?? { example: { value: undefined } };
  return Object.entries(examples).map(([name, { value }]) => [name, { ...common, body: value }]);
}

/** Sends it to a server of the document. */
export async function sendExample(server: string, request: ExampleRequest): Promise<ExampleAnswer> {
  const { method, path, params, query, headers, body } = request;
  const target = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const text = new URLSearchParams(query).toString();
  const answer = await exchange(`${server}${target}${text === '' ? '' : `?${text}`}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
}

function resolved(document: ApiDocument, part: Part): Part {
  const name = part.$ref?.split('/').at(-1);
  if (name === undefined) return part;
  const { parameters } = document.components as { readonly parameters: Readonly<Record<string, Part>> };
  return parameters[name] ?? part;
}
