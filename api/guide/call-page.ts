import type { ApiDocument } from '../openapi/document.ts';
import { isObject, type JsonObject } from '../habits/json.ts';
import { curlLine } from '../pages/curl-line.ts';
import { html, Html, type HtmlValue } from '../pages/html.ts';
import type { Rendered } from './render-page.ts';

/** A call of an API document. */
export interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly operation: Operation;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, JsonObject>>;
}

type Contents = Readonly<Record<string, { readonly schema: JsonObject; readonly examples?: Examples }>>;
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly example?: string | number | boolean;
}

/** The calls of a document, in its order of groups. */
export function callsIn({ paths, tags }: ApiDocument): readonly Call[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]): Call => {
      const operation = given as unknown as Operation & { readonly operationId: string };
      const [tag = ''] = operation.tags;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        tag,
        operation,
      };
    }),
  );
  return tags.flatMap(({ name }) => calls.filter(({ tag }) => tag === name));
}

/** Where the page of a call sends it. */
interface Sent {
  /** Absolute address of its server, for the line of curl. */
  readonly server: string;
  /** The same relative to the page. */
  readonly from: string;
  /** Names of headers that the server adds by itself, in small letters. */
  readonly added: ReadonlySet<string>;
  readonly asksToken: boolean;
}

/** What a call takes and answers, with an example of both and a form that sends it. `words`: Markdown as HTML. */
export function callContent(call: Call, document: ApiDocument, sent: Sent, words: (text: string) => Html): Rendered {
  const { method, path, summary, operation } = call;
  const schemas = new Schemas(document);
  const parameters = (operation.parameters ?? []).map((each) => schemas.whole(each) as unknown as Parameter);
  const own = parameters.filter(({ name }) => !sent.added.has(name.toLowerCase()));
  const [[mediaType, body] = ['', undefined]] = Object.entries(operation.requestBody?.content ?? {});
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, schemas.whole(answer)] as const,
  );
  const done = answers.filter(([status]) => status < '400');
  const [, first] = done[0] ?? [];
  const sections: { id: string; words: Html }[] = [];
  const section = (id: string, title: string, content: HtmlValue): Html => {
    sections.push({ id, words: html`${title}` });
    return html`<h2 id="${id}">${title}</h2>
      ${content}`;
  };
  const told = html`<p class="route">
      <span class="method ${method.toLowerCase()}">${method}</span>
      <code>${withBreaks(path)}</code> ${operation.deprecated === true && html`<span class="need">deprecated</span>`}
    </p>
    ${parameters.length > 0 && section('parameters', 'Parameters', parameterLists(parameters, schemas))}
    ${
      body !== undefined &&
      section(
        'body',
        'Body',
        html`<p>${about(schemas.whole(body.schema))}</p>
          ${schemas.members(body.schema, true)}`,
      )
    }
    ${done.map(([status, answer]) => section(`answer-${status}`, `Answer ${status}`, answerOf(answer, schemas)))}
    ${section('refusals', 'Refusals', refusalsOf(answers, words))}`;
  const shown = html`<section aria-labelledby="request">
      <h2 id="request">Request</h2>
      ${code(curlOf(call, own, body?.examples, sent))}
      ${sendForm(call, own, body === undefined ? undefined : { mediaType, examples: body.examples ?? {} }, sent)}
    </section>
    ${first !== undefined && exampleOf(first)}`;
  const content = html`<h1>${summary}</h1>
    <div class="call">
      <div>${told}</div>
      <div class="shown">${shown}</div>
    </div>`;
  return { content, sections };
}

/** An address that may be broken behind a slash. */
function withBreaks(path: string): Html {
  return new Html(html`${path}`.text.replaceAll('/', '/<wbr>'));
}

/** First those that a request needs or that the example has. The others are folded. */
function parameterLists(parameters: readonly Parameter[], schemas: Schemas): Html {
  const row = ({ in: place, name, required, schema, description, example }: Parameter): Html =>
    html`<li>
      ${nameLine(name, html`${place}, ${schemas.kind(schema)}`, required)}
      <p>${about({ description })} ${example !== undefined && html`Example: <code>${String(example)}</code>`}</p>
    </li>`;
  const [usual, seldom] = [parameters.filter(isUsual), parameters.filter((each) => !isUsual(each))];
  return html`${
    usual.length > 0 &&
    html`<ul class="members">
      ${usual.map(row)}
    </ul>`
  }
  ${
    seldom.length > 0 &&
    html`<details ${usual.length === 0 && html`open`}>
      <summary>${seldom.length} ${usual.length > 0 && 'more '}optional</summary>
      <ul class="members">
        ${seldom.map(row)}
      </ul>
    </details>`
  }`;
}

function isUsual({ required, example }: Parameter): boolean {
  return required || example !== undefined;
}

function nameLine(name: string, kind: HtmlValue, required: boolean): Html {
  return html`<p>
    <code>${name}</code> <span class="kind">${kind}</span> ${required && html`<span class="need">required</span>`}
  </p>`;
}

/** A description: its words between backticks are code. */
function about({ description }: JsonObject): Html | null {
  if (typeof description !== 'string') return null;
  return new Html(html`${description}`.text.replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}

function answerOf(answer: JsonObject, schemas: Schemas): Html {
  const kinds = Object.entries((answer['content'] ?? {}) as Contents);
  return html`<p>${about(answer)} ${kinds.length === 0 && 'It has no body.'}</p>
    ${kinds.map(
      ([mediaType, { schema }]) =>
        html`${(kinds.length > 1 || mediaType !== 'application/json') && html`<p><code>${mediaType}</code></p>`}
        ${schemas.members(schema, true)}`,
    )}`;
}

function refusalsOf(answers: readonly (readonly [string, JsonObject])[], words: (text: string) => Html): Html {
  const refusals = answers.filter(([status]) => status >= '400');
  return html`${refusals.map(
    ([status, { description }]) =>
      html`<details>
        <summary>${status}</summary>
        ${words(String(description))}
      </details>`,
  )}`;
}

/** The example of the first content of an answer. */
function exampleOf(answer: JsonObject): Html | null {
  const [content] = Object.values((answer['content'] ?? {}) as Contents);
  const [example] = Object.values(content?.examples ?? {});
  if (example === undefined) return null;
  return html`<section aria-labelledby="answered">
    <h2 id="answered">Answer</h2>
    ${code(textOf(example.value))}
  </section>`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function code(text: string): Html {
  return html`<div class="code">
    <pre tabindex="0"><code>${text}</code></pre>
  </div>`;
}

/** The line that sends the example. */
function curlOf(
  { method, path }: Call,
  parameters: readonly Parameter[],
  examples: Examples | undefined,
  { server, asksToken }: Sent,
): string {
  const url = new URL(server + path);
  const headers: Record<string, string> = asksToken ? { authorization: 'Bearer TOKEN' } : {};
  for (const { in: place, name, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'path') url.pathname = url.pathname.replace(`%7B${name}%7D`, encodeURIComponent(example));
    else if (place === 'query') url.searchParams.set(name, String(example));
    else headers[name] = String(example);
  }
  const [first] = Object.values(examples ?? {});
  if (examples !== undefined) headers['content-type'] = 'application/json';
  const body = Buffer.from(first === undefined ? '' : textOf(first.value));
  return curlLine({ method, url, headers, body }).replaceAll(/ (?=-H |--data)/g, ' \\\n  ');
}

/** The form that a script shows and sends. */
function sendForm(
  { id, method, path }: Call,
  parameters: readonly Parameter[],
  body: { readonly mediaType: string; readonly examples: Examples } | undefined,
  { from, asksToken }: Sent,
): Html {
  const field = ({ in: place, name, required, example = '' }: Parameter): Html =>
    html`<p>
      <label for="${place}-${name}">${name}</label>
      <input
        id="${place}-${name}"
        name="${name}"
        data-in="${place}"
        value="${String(example)}"
        ${required && html`required`}
        autocomplete="off"
        spellcheck="false"
      />
    </p>`;
  const seldom = parameters.filter((each) => !isUsual(each));
  const examples = Object.values(body?.examples ?? {});
  return html`<form
    class="try"
    id="try"
    hidden
    aria-label="Send the call"
    data-call="${id}"
    data-method="${method}"
    data-path="${path}"
    data-from="${from}"
  >
    ${asksToken && html`<p><label for="token">Control token</label><input id="token" type="password" autocomplete="off" /></p>`}
    ${parameters.filter(isUsual).map(field)}
    ${
      seldom.length > 0 &&
      html`<details>
        <summary>${seldom.length} optional</summary>
        ${seldom.map(field)}
      </details>`
    }
    ${
      examples.length > 1 &&
      html`<p>
        <label for="example">Example</label>
        <select id="example">
          ${examples.map(({ summary, value }) => html`<option value="${textOf(value)}">${summary}</option>`)}
        </select>
      </p>`
    }
    ${
      body !== undefined &&
      html`<p>
        <label for="send-body">Body</label>
        <textarea
          id="send-body"
          rows="${String(Math.min(textOf(examples[0]?.value ?? {}).split('\n').length + 1, 24))}"
          data-type="${body.mediaType}"
          spellcheck="false"
        >
${textOf(examples[0]?.value ?? {})}</textarea>
      </p>`
    }
    <p class="send"><button>Send</button> <span class="kind" id="sent" role="status"></span></p>
    <div class="code" id="answer" hidden>
      <pre tabindex="0"><code></code></pre>
    </div>
  </form>`;
}

/** The schemas of a document, as lists of members. */
class Schemas {
  readonly #components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

  constructor({ components }: ApiDocument) {
    this.#components = components as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  }

  /** The part that a reference stands for, with what stands beside the reference. */
  whole(part: JsonObject): JsonObject {
    const { $ref: reference, ...own } = part;
    if (typeof reference !== 'string') return part;
    const [kind = '', name = ''] = reference.split('/').slice(2);
    return { ...this.whole(this.#components[kind]?.[name] ?? {}), ...own };
  }

  /** What a value is, in a few words: `list of objects`. */
  kind(part: JsonObject): string {
    const schema = this.whole(part);
    const { type, items, anyOf, format, title } = schema;
    if (Array.isArray(anyOf)) return [...new Set(anyOf.filter(isObject).map((one) => this.kind(one)))].join(' or ');
    if ('const' in schema) return JSON.stringify(schema['const']);
    if (isObject(items)) return `list: ${this.kind(items)}`;
    if (type === 'object') return typeof title === 'string' ? title : 'object';
    return [type, format]
      .flat()
      .filter((word) => typeof word === 'string')
      .join(', ');
  }

  /** The members of an object, of the items of a list, or of each alternative. `isOpen`: not folded. */
  members(part: JsonObject, isOpen = false): Html | null {
    const schema = this.whole(part);
    const { items, anyOf, properties, required, additionalProperties, enum: values, title } = schema;
    if (isObject(items)) return this.members(items, isOpen);
    if (Array.isArray(anyOf)) return html`${anyOf.filter(isObject).map((one) => this.members(one, isOpen))}`;
    if (Array.isArray(values)) return valuesOf(values.map(String));
    const needed = Array.isArray(required) ? required : [];
    const named = isObject(properties) ? Object.entries(properties) : [];
    const others = isObject(additionalProperties) ? [['…', additionalProperties] as const] : [];
    const rows = [...named, ...others].map(([name, member]) => {
      const { description, examples } = this.whole(member as JsonObject);
      const example = Array.isArray(examples) ? examples[0] : undefined;
      return html`<li>
        ${nameLine(name, this.kind(member as JsonObject), needed.includes(name))}
        <p>${about({ description })} ${example !== undefined && html`Example: <code>${String(example)}</code>`}</p>
        ${this.members(member as JsonObject)}
      </li>`;
    });
    if (rows.length === 0) return null;
    const list = html`<ul class="members">
      ${rows}
    </ul>`;
    if (isOpen) return list;
    return html`<details>
      <summary>
        ${rows.length} ${rows.length === 1 ? 'member' : 'members'} ${typeof title === 'string' && html`of ${title}`}
      </summary>
      ${list}
    </details>`;
  }
}

/** The words that a value can be; many are folded. */
function valuesOf(values: readonly string[]): Html {
  const words = values.map((value, at) => html`${at > 0 && ' '}<code>${value}</code>`);
  if (values.length <= 12) return html`<p class="values">One of: ${words}</p>`;
  return html`<details>
    <summary>${values.length} values</summary>
    <p class="values">${words}</p>
  </details>`;
}
