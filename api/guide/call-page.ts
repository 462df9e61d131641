import type { AnswerSchema } from '../bodies/schema.ts';
import { isObject, type JsonObject } from '../quirks/json.ts';
import { Components } from '../openapi/components.ts';
import {
  type ApiDescription,
  type Content,
  type DocumentedAnswer,
  type ListedOperation,
  type Operation,
  operationId,
  type Parameter,
  templateOf,
} from '../openapi/document.ts';
import { curlLine } from '../pages/curl-line.ts';
import { breakable, html, Html, type HtmlValue } from '../pages/html.ts';

/** A call of an API document. Its path has parameters in braces; `route` is the path from the address of the bank. */
export type ListedCall = ListedOperation & { readonly id: string; readonly route: string };

/** A call with what its page says of it. */
type Call = Operation & ListedCall;

/** The calls of a document, in its order of groups. Those of one path stand together. */
export function callsIn<Described extends ListedOperation>({ about, operations }: ApiDescription<Described>) {
  const root = new URL(about.servers[0]?.url ?? '').pathname.replace(/\/$/, '');
  const calls = operations.map((operation) => ({
    ...operation,
    id: operationId(operation),
    path: templateOf(operation),
    route: root + templateOf(operation),
  }));
  const byPath = [...Map.groupBy(calls, ({ path }) => path).values()].flat();
  return about.tags.flatMap(({ name }) => byPath.filter(({ tag }) => tag === name));
}

/** A schema with all its parts in it. */
function whole(schema: AnswerSchema | JsonObject, of: 'schema' | 'shown' = 'schema'): JsonObject {
  return new Components(true)[of](schema);
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
  /** The address of the section on a code of refusals. */
  readonly codeAt: (code: string) => string;
  /** The address of the section on a rule. */
  readonly ruleAt: (number: string) => string;
}

/**
 * What a call takes and answers, with an example of both. `hasForm`: a script sends it; a stream of events has no form.
 */
export function callContent(call: Call, sent: Sent) {
  const { method, route, summary, deprecated = false, parameters, rules = [], answers } = call;
  const [body] = contentsOf(call.body);
  const own = parameters.filter(({ name }) => !sent.added.has(name.toLowerCase()));
  const done = Object.entries(answers).filter(([status]) => status < '400');
  const [answer] = contentsOf(done[0]?.[1].content ?? null);
  const [answered] = Object.values(answer?.examples ?? {});
  const hasForm = answer?.mediaType !== 'text/event-stream';
  const usual = parameters.filter(isUsual).map(parameterRow);
  const seldom = parameters.filter((each) => !isUsual(each)).map(parameterRow);
  const content = html`<h1>${summary}</h1>
    <div class="call">
      <div>
        <p class="route">
          ${methodMark(method)}
          <code>${breakable(route)}</code>
          ${deprecated && html`<span class="need">deprecated</span>`}
        </p>
        ${parameters.length > 0 && html`<h2 id="parameters">Parameters</h2>`} ${usual.length > 0 && list(usual)}
        ${seldom.length > 0 && folded(`${seldom.length} optional parameters`, list(seldom))}
        ${
          body !== undefined &&
          html`<h2 id="body">Body</h2>
            <p>${about(whole(body.schema))}</p>
            ${members(whole(body.schema), true)}`
        }
        ${done.map(([status, told]) => answerSection(status, told))}
        ${
          rules.length > 0 &&
          html`<h2 id="rules">Rules</h2>
            <p>${rules.map((number) => html`<a href="${sent.ruleAt(number)}">${number}</a> `)}</p>`
        }
        <h2 id="refusals">Refusals</h2>
        ${refusals(call, sent.codeAt)}
      </div>
      <div class="shown">
        <h2 id="request">Request</h2>
        ${code(curlOf(call, own, sent))} ${hasForm && sendForm(call, own, sent)}
        ${
          answered !== undefined &&
          html`<h2 id="answered">Answer</h2>
            ${code(exampleText(answered.value))}`
        }
      </div>
    </div>`;
  return { content, hasForm };
}

/** The method of a call, in its colour. */
export function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Whether a request needs the parameter, or the example has it. */
function isUsual({ required, example }: Parameter): boolean {
  return required || example !== undefined;
}

function parameterRow({ in: place, name, required, schema, description, example }: Parameter): Html {
  const named = { name, kind: `${place}, ${kindOf(whole(schema))}`, required };
  return row(named, { description, examples: example === undefined ? [] : [example] });
}

/** Codes that only some calls refuse with, each after a pattern of the {@link traitsOf} of these calls. */
export const ownReasons: readonly (readonly [call: RegExp, codes: string])[] = [
  [/^GET \/(?:card-)?accounts/, 'ACCESS_EXCEEDED CONSENT_EXPIRED CONSENT_UNKNOWN CONSENT_INVALID'],
  [/^GET \/(?:agreements|users?) /, 'CONSENT_EXPIRED CONSENT_INVALID'],
  [/dateFrom|fromDate|^GET \/accounts.*transactionId/, 'PERIOD_INVALID'],
  [/dateFrom|fromDate/, 'PARAMETER_NOT_CONSISTENT'],
  [/ body | limit /, 'FORMAT_ERROR'],
  [/ PSU-ID /, 'CORPORATE_ID_INVALID PSU_CREDENTIALS_INVALID'],
  [/allowLogicalDuplicate/, 'EXECUTION_DATE_INVALID KID_INVALID KID_MISSING PAYMENT_FAILED SERVICE_BLOCKED'],
  [/allowLogicalDuplicate|^POST \/sandbox/, 'CONFLICT'],
  [/allowLogicalDuplicate|Sandbank-Control-Token|contact-information/, 'FORBIDDEN'],
  [/^DELETE \/[a-z-]*payments|\/cancellation-/, 'CANCELLATION_INVALID'],
  [/^DELETE \/[a-z-]*payments|authorisations/, 'RESOURCE_BLOCKED STATUS_INVALID'],
  [/\{product\}/, 'PRODUCT_UNKNOWN'],
  [/^POST \/signing-baskets/, 'REFERENCE_MIX_INVALID REFERENCE_STATUS_INVALID RESOURCE_BLOCKED'],
  [/basketId/, 'RESOURCE_EXPIRED'],
  [/Id\}| body /, 'RESOURCE_UNKNOWN'],
];

/** Method, path, `body` and names of parameters of a call, with blanks between and behind them. */
export function traitsOf({
  method,
  path,
  body,
  parameters,
}: Pick<Call, 'method' | 'path' | 'body' | 'parameters'>): string {
  return [method, path, body === null ? '' : 'body', ...parameters.map(({ name }) => name), ''].join(' ');
}

/** The refusals of a call, by status. Those that any call can have, or that only an armed fault gives, are folded. */
function refusals(shown: Call, codeAt: Sent['codeAt']): Html {
  const { answers } = shown;
  const traits = traitsOf(shown);
  const own = new Set(ownReasons.flatMap(([call, codes]) => (call.test(traits) ? codes.split(' ') : [])));
  const rowsOf = (isOwn: boolean): readonly Html[] =>
    Object.entries(answers).flatMap(([status, { description }]) => {
      if (status < '400') return [];
      const all = [...description.matchAll(/^`([A-Z_]+)`:/gm)].map(([, name = '']) => name);
      const codes = all.filter((name) => own.has(name) === isOwn);
      if (codes.length === 0 && (all.length > 0 || !isOwn)) return [];
      const links = codes.map((name, at) => html`${at > 0 && ', '}<a href="${codeAt(name)}">${name}</a>`);
      return html`<li>
        <p><code>${status}</code></p>
        <p>${codes.length > 0 ? links : about({ description })}</p>
      </li>`;
    });
  const [first, rest] = [rowsOf(true), rowsOf(false)];
  return html`${first.length > 0 && list(first)}
  ${rest.length > 0 && folded('Refusals that any call can have', list(rest))}`;
}

function answerSection(status: string, { description, content }: DocumentedAnswer): Html {
  return html`<h2 id="answer-${status}">Answer ${status}</h2>
    ${content === null && html`<p>${about({ description })} It has no body.</p>`}
    ${contentsOf(content).map(
      ({ schema, mediaType = 'application/json' }) =>
        html`${mediaType !== 'application/json' && html`<p><code>${mediaType}</code></p>`}
        ${members(whole(schema, 'shown'), true)}`,
    )}`;
}

function contentsOf(content: Operation['body']): readonly Content[] {
  return [content ?? []].flat();
}

const list = (rows: readonly Html[]): Html =>
  html`<ul class="members">
    ${rows}
  </ul>`;

const folded = (summary: string, content: HtmlValue): Html =>
  html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;

const code = (text: string): Html =>
  html`<div class="code">
    <pre tabindex="0"><code>${text}</code></pre>
  </div>`;

const exampleText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

interface Named {
  readonly name: string;
  /** A few words, as of {@link kindOf}. */
  readonly kind: string;
  readonly required: boolean;
}

/** A parameter, or a member of an object. `inner`: what its value holds. */
function row({ name, kind, required }: Named, told: JsonObject, inner: HtmlValue = null): Html {
  const { examples } = told;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return html`<li>
    <p>
      <code>${name}</code> <span class="kind">${kind}</span> ${required && html`<span class="need">required</span>`}
    </p>
    <p>${about(told)} ${example !== undefined && html`<span>Example: <code>${String(example)}</code></span>`}</p>
    ${inner}
  </li>`;
}

/** A description as a sentence. Its words between backticks are code. */
function about({ description }: JsonObject): Html | null {
  if (typeof description !== 'string' || description === '') return null;
  const sentence = description.charAt(0).toUpperCase() + description.slice(1) + (/[.?!]$/.test(description) ? '' : '.');
  return new Html(html`${sentence}`.text.replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}

/** Formats that readers know. The descriptions explain the others. */
const knownFormats = new Set<unknown>(['date', 'date-time', 'uuid', 'uri', 'email', 'duration']);

/** The kind of a value, in a few words: `list: InstructedAmount`. */
function kindOf({ type, items, oneOf, anyOf = oneOf, format, title, const: only }: JsonObject): string {
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(kindOf))].join(' or ');
  if (only !== undefined) return JSON.stringify(only);
  if (isObject(items)) return `list: ${kindOf(items)}`;
  if (type === 'object') return typeof title === 'string' ? title : 'object';
  return [type, knownFormats.has(format) ? format : []].flat().join(', ');
}

/**
 * The members of an object, of the items of a list, or of each alternative; or the possible words of a text. `isOpen`:
 * not folded.
 */
function members(part: JsonObject, isOpen = false): HtmlValue {
  const { items, anyOf, properties = {}, required = [], additionalProperties, enum: values } = part;
  if (isObject(items)) return members(items, isOpen);
  if (Array.isArray(anyOf)) return anyOf.map((one: JsonObject) => members(one, isOpen));
  if (Array.isArray(values)) {
    const words = html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`;
    return values.length <= 12 ? words : folded(`${values.length} values`, words);
  }
  const others = isObject(additionalProperties) ? { '…': additionalProperties } : {};
  const rows = Object.entries({ ...(properties as Record<string, JsonObject>), ...others }).map(([name, member]) =>
    row({ name, kind: kindOf(member), required: (required as string[]).includes(name) }, member, members(member)),
  );
  if (rows.length === 0) return null;
  return isOpen ? list(rows) : folded(rows.length === 1 ? '1 member' : `${rows.length} members`, list(rows));
}

/** The line that sends the example. */
function curlOf({ method, path, body }: Call, parameters: readonly Parameter[], { server, asksToken }: Sent): string {
  const [content] = contentsOf(body);
  const url = new URL(server + path);
  const headers: Record<string, string> = asksToken ? { authorization: 'Bearer TOKEN' } : {};
  for (const { in: place, name, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'path') url.pathname = url.pathname.replace(`%7B${name}%7D`, encodeURIComponent(example));
    else if (place === 'query') url.searchParams.set(name, String(example));
    else headers[name] = String(example);
  }
  if (content !== undefined) headers['content-type'] = 'application/json';
  const [first] = Object.values(content?.examples ?? {});
  const line = curlLine({
    method,
    url,
    headers,
    body: Buffer.from(first === undefined ? '' : exampleText(first.value)),
  });
  return line.replaceAll(/ (?='http|-H |--data)/g, ' \\\n  ');
}

/** The form that a script shows and sends. */
function sendForm({ method, path, body }: Call, parameters: readonly Parameter[], { from, asksToken }: Sent): Html {
  const [content] = contentsOf(body);
  const field = ({ in: place, name, required, example = '' }: Parameter): Html =>
    html`<label
      >${name}
      <input
        name="${name}"
        data-in="${place}"
        value="${String(example)}"
        ${required && html`required`}
        autocomplete="off"
        spellcheck="false"
    /></label>`;
  const seldom = parameters.filter((each) => !isUsual(each));
  const examples = Object.values(content?.examples ?? {});
  const first = exampleText(examples[0]?.value ?? {});
  const rows = Math.min(first.split('\n').length + 1, 24);
  return html`<form
    class="try"
    id="try"
    hidden
    aria-label="Send the call"
    data-method="${method}"
    data-path="${path}"
    data-from="${from}"
  >
    ${asksToken && html`<label>Control token <input id="token" type="password" autocomplete="off" /></label>`}
    ${parameters.filter(isUsual).map(field)}
    ${seldom.length > 0 && folded(`${seldom.length} optional`, seldom.map(field))}
    ${
      examples.length > 1 &&
      html`<label
        >Example
        <select id="example">
          ${examples.map(({ summary, value }) => html`<option value="${exampleText(value)}">${summary}</option>`)}
        </select></label
      >`
    }
    ${
      // Browsers drop a line break right after the tag.
      body !== null &&
      html`<label>Body <textarea id="send-body" rows="${rows}" spellcheck="false">${`\n${first}`}</textarea></label>`
    }
    <p class="send"><button>Send</button> <span class="kind" id="sent" role="status"></span></p>
    <p id="approve" hidden>
      The bank's customer must approve:
      <a target="_blank" rel="noopener">open the page to approve on</a>.
      ${parameters.some(({ name }) => name === 'PSU-ID') && html`Its last page shows a <code>psu-id</code>: ${method === 'GET' ? html`put it into the field <code>PSU-ID</code> and send the call again` : html`the field <code>PSU-ID</code> of later calls takes it`}.`}
    </p>
    <div class="code" id="answer" hidden>
      <pre tabindex="0"><code></code></pre>
    </div>
  </form>`;
}
