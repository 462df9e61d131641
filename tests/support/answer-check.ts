import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { eventStream } from '../../api/control/event-stream.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { formats } from './formats.ts';

/** An answer as it was sent. */
export interface SentAnswer {
  readonly method: string;
  /** Below the servers' address, without a query. */
  readonly path: string;
  readonly status: number;
  /** Empty: none. */
  readonly contentType: string;
  /** Empty: none. */
  readonly body: string;
}

interface Documented {
  /** Pointer to the response in the document. */
  readonly pointer: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

type Reference = { readonly $ref?: string };

/** Compares answers with an API document. Each schema is compiled for the first answer that needs it. */
export class AnswerCheck {
  readonly #document: ApiDocument;
  readonly #paths: readonly { readonly path: string; readonly pattern: RegExp }[];
  readonly #refusal: string;
  readonly #compiled = new Map<string, ValidateFunction>();
  #ajv: Ajv2020 | null = null;

  /** `refusal`: what the names of the components of answers begin with that a path outside the document may get; their ends are the statuses. */
  constructor(document: ApiDocument, refusal: string) {
    this.#document = document;
    this.#refusal = refusal;
    const paths = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }));
    this.#paths = paths.toSorted((left, right) => variables(left.path) - variables(right.path));
  }

  /** What the document does not say of an answer; null: it says all of it. */
  faultOf({ method, path, status, contentType, body }: SentAnswer): string | null {
    const said = `${method} ${path} answered ${status}`;
    const documented = this.#find(method, path, status);
    if (documented === null) return `${said}, which the API document does not have`;
    const { content, pointer } = documented;
    if (method === 'HEAD') return null;
    if (content === undefined) return body === '' ? null : `${said} with a body, which the API document does not have`;
    const mediaType = contentType.split(';')[0] ?? '';
    if (!(mediaType in content)) return `${said} as ${contentType || 'no type'}, which the API document does not have`;
    const validate = this.#validator(`${pointer}/content/${escaped(mediaType)}/schema`);
    if (validate(mediaType.endsWith('json') ? JSON.parse(body) : body)) return null;
    // The schema of a stream is that of one event, or a text.
    if (mediaType === eventStream && eventsIn(body).every((event) => validate(event))) return null;
    return `${said} with a body that the API document does not describe: ${(validate.errors ?? []).map(words).join('; ')}\n${body.slice(0, 2000)}`;
  }

  #find(method: string, path: string, status: number): Documented | null {
    // HEAD is answered as GET is, but for a stream.
    const verb = method === 'HEAD' && status !== 405 ? 'get' : method.toLowerCase();
    const template = this.#paths.find(
      ({ path: known, pattern }) => pattern.test(path) && this.#document.paths[known]?.[verb] !== undefined,
    )?.path;
    if (template === undefined) return this.#at(`#/components/responses/${this.#refusal}${status}`);
    const found = this.#at(`#/paths/${escaped(template)}/${verb}/responses/${status}`);
    // Where the bank itself is not there, each path is unknown.
    return found === null && status === 404 ? this.#at(`#/components/responses/${this.#refusal}404`) : found;
  }

  #at(pointer: string): Documented | null {
    const found = pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((within, name) => memberOf(within, unescaped(name)), this.#document);
    if (typeof found !== 'object' || found === null) return null;
    const { $ref } = found as Reference;
    return $ref === undefined ? { ...found, pointer } : this.#at($ref);
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    this.#ajv ??= new Ajv2020({
      ...compiledFast,
      strict: false,
      validateSchema: false,
      formats,
      // It would name each other format of the document, which the tests of their rooms judge.
      logger: false,
    }).addSchema(answersOf(this.#document), 'document');
    const made = this.#ajv.compile({ $ref: `document${encodeURI(pointer)}` });
    this.#compiled.set(pointer, made);
    return made;
  }
}

/** Each part is compiled once, and as it is: a quarter of the time. Most answers of a shape are few. */
const compiledFast = { inlineRefs: false, code: { optimize: false } };

/** The document without its requests, of which the compiler would look at every part. */
function answersOf({ paths, components }: ApiDocument): object {
  const { schemas, responses } = components;
  const answers = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([verb, operation]) => {
      const own = Object.entries(operation['responses'] as Readonly<Record<string, Reference>>);
      return [verb, { responses: Object.fromEntries(own.filter(([, { $ref }]) => $ref === undefined)) }];
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return { paths: Object.fromEntries(answers), components: { schemas, responses } };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** `/accounts/{accountId}` matches one segment for a variable. */
function patternOf(path: string): RegExp {
  const pattern = path.split(/\{\w+\}/).map((text) => text.replaceAll(/[^\w/]/g, '\\$&'));
  return new RegExp(`^${pattern.join('[^/]+')}$`);
}

function variables(path: string): number {
  return path.split('{').length;
}

/** As a name in a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function words({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
}

/** The events of a stream, as their schema has them: `{id, event, data}`, the data parsed. */
function eventsIn(stream: string): readonly object[] {
  return stream.split('\n\n').flatMap((block) => {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
    return fields.event === undefined ? [] : [{ ...fields, data: JSON.parse(fields.data ?? '') as unknown }];
  });
}
