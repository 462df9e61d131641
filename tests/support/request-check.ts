import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { isIPv4, isIPv6 } from 'node:net';
import { formats } from './formats.ts';

/** A request of the interface. */
export interface SentRequest {
  readonly method: string;
  /** Below the servers' address, without a query. */
  readonly path: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: URLSearchParams;
  /** Empty: none. */
  readonly body: string;
}

interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, unknown>> };
}
interface Reference {
  readonly $ref: string;
}
interface Parameter {
  readonly in: 'header' | 'query' | 'path';
  readonly name: string;
  readonly required: boolean;
  readonly schema: object;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const ofHeaders = { uuid, ipv4: isIPv4, ipv6: isIPv6, uri: (text: string) => URL.canParse(text) };

/** Compares requests with an API document. Each schema is compiled for the first request that needs it. */
export class RequestCheck {
  readonly #document: ApiDocument;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<object, ValidateFunction>();
  readonly #paths: readonly { readonly pattern: RegExp; readonly verbs: ApiDocument['paths'][string] }[];

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#paths = Object.entries(document.paths).map(([template, verbs]) => {
      return { pattern: new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), verbs };
    });
    const options = {
      inlineRefs: false,
      code: { optimize: false },
      strict: false,
      validateSchema: false,
      logger: false,
    } as const;
    const { schemas } = document.components;
    this.#ajv = new Ajv2020({ ...options, formats: { ...formats, ...ofHeaders } }).addSchema(
      { components: { schemas } },
      'document',
    );
  }

  /** What the document refuses of a request; null: nothing. */
  faultOf({ method, path, headers, query, body }: SentRequest): string | null {
    const found = this.#find(method, path);
    if (found === null) return `${method} ${path}: the document has no such operation`;
    const { operation, params } = found;
    const parameters = (operation.parameters ?? []).map((part) => this.#resolved(part));
    const known = parameters.flatMap((parameter) => (parameter.in === 'query' ? parameter.name : []));
    for (const name of query.keys()) if (!known.includes(name)) return `the query has ${name}`;
    for (const { in: place, name, required, schema } of parameters) {
      const sent = { header: headers[name.toLowerCase()], query: query.get(name), path: params[name] }[place] ?? null;
      // An empty header is as if it were not sent (rules.md E7).
      if (sent === null || (sent === '' && place === 'header' && name !== 'x-accept-fix')) {
        if (required) return `${name} is missing`;
      } else if (!this.#takes(schema, String(sent))) return `${name} is ${JSON.stringify(sent)}`;
    }
    const { requestBody } = operation;
    if (requestBody === undefined) return null;
    const { schema } = requestBody.content['application/json'] as { readonly schema: object };
    const validate = this.#validator(schema);
    // The bounds count composed letters (rules.md P8b), which no schema can say.
    return validate(JSON.parse(body.normalize('NFC'))) ? null : `the body: ${this.#ajv.errorsText(validate.errors)}`;
  }

  /** A text of a header, a query or a path, which may stand for a number or for true. */
  #takes(schema: object, text: string): boolean {
    const validate = this.#validator(schema);
    return [text, ...(/^(?:-?(?:0|[1-9]\d*)|true|false)$/.test(text) ? [JSON.parse(text) as unknown] : [])].some(
      (value) => validate(value),
    );
  }

  #validator(schema: object): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const made = this.#ajv.compile(JSON.parse(text) as object);
    this.#compiled.set(schema, made);
    return made;
  }

  #resolved(part: Parameter | Reference): Parameter {
    if (!('$ref' in part)) return part;
    const shared = this.#document.components['parameters'] as Readonly<Record<string, Parameter>>;
    return shared[part.$ref.split('/').at(-1) ?? ''] as Parameter;
  }

  #find(method: string, path: string) {
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const matches = this.#paths.flatMap(({ pattern, verbs }) => {
      const match = pattern.exec(path);
      const operation = verbs[verb] as Operation | undefined;
      if (match === null || operation === undefined) return [];
      return [{ operation, params: (match.groups ?? {}) as Readonly<Record<string, string>> }];
    });
    const fewest = matches.toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length);
    return fewest[0] ?? null;
  }
}
