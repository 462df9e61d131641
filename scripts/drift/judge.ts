import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { listed, memberOf } from '../../api/bodies/rule.ts';
import { clip } from '../../engine/values/text.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { isJsonType, parseJson } from '../../api/pipeline/read-body.ts';
import { acceptsType, readHeaders } from '../../api/pipeline/request-headers.ts';
import { provokedBeginning } from '../../api/pipeline/struck-call.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import type { JsonObject } from '../../api/quirks/json.ts';
import { type Exchange, templateOf } from './exchange.ts';
import { headerNames, nameOf, typeOfAnswers } from './recording.ts';
import { type Misfit, SchemaJudge } from './fits.ts';

/**
 * How an exchange differs from the document: `lost` a member is missing, `added` there is one more, `type`, `value`
 * another word, form or bound; `status`, `header`; `taken` the bank takes a request that the sandbox refuses, `refused`
 * the other way round.
 */
export type Kind = Misfit['kind'] | 'status' | 'header' | 'taken' | 'refused';

export interface Difference {
  readonly exchange: Exchange;
  /** `GET /v1/accounts`. */
  readonly operation: string;
  /**
   * `accounts[].name` of an answer, `body` the whole of it, `header X-Request-ID`, `status`, `request
   * creditorAccount.bban`.
   */
  readonly member: string;
  readonly kind: Kind;
  /** What the document asks for, in words. */
  readonly document: string;
  /** What the bank has there; of a request, what the client sent. */
  readonly bank: unknown;
  /** Its section in the API pages: `/docs/interface/getAccounts#answer-200`. */
  readonly docs: string;
}

/** A difference, and the section of its API page. */
type Told = readonly [section: string, member: string, kind: Kind, document: string, bank: unknown];

/** Codes by which a bank refuses the form of a request. */
const ofForm = /^(?:HTTP_HEADER_REQUIRED|FORMAT_ERROR|PARAMETER_NOT_SUPPORTED|REQUESTED_FORMATS_INVALID)$/;

/** In a Content-Type. */
const otherCharset = /; *charset=(?!"?utf-8"? *(?:;|$))/i;

/** Places that these codes name too for what the bank knows: dates, amounts, the signature, an id that was used. */
const beyondForm = /date|day|amount|digest|^signature|^x-request-id$|^$/i;

/** Judges exchanges by the document that a bank with these quirks serves (rules.md DW1). */
export class Judge {
  readonly #quirks: Quirks;
  readonly #paths: ApiDocument['paths'];
  readonly #schemas: SchemaJudge;
  /** Lower-case names of headers that the recording lacks. */
  readonly #notJudged: ReadonlySet<string>;

  /** `document`: that of a bank with these quirks. */
  constructor(document: ApiDocument, quirks: Quirks, notJudged: ReadonlySet<string>) {
    this.#quirks = quirks;
    this.#paths = document.paths;
    this.#schemas = new SchemaJudge(document);
    this.#notJudged = notJudged;
  }

  /** The differences of one exchange; none: it is as the sandbox speaks. */
  differences(exchange: Exchange): readonly Difference[] {
    const { endpoint, template } = exchange;
    const products = endpoint.products ?? [];
    // A product that the document does not have is judged as another one of the service.
    const path = [template, ...products.map((product) => templateOf(endpoint, product))].find(
      (each) => each in this.#paths,
    );
    const operation = this.#paths[path ?? '']?.[endpoint.method.toLowerCase()] ?? {};
    const told = [...this.#request(exchange, operation), ...this.#answer(exchange, operation)];
    return told.map(([section, member, kind, document, bank]) => ({
      ...{ exchange, operation: `${endpoint.method} /v1${template}`, member: member || 'body', kind, document, bank },
      docs: `/docs/interface/${operation['operationId']}#${section}`,
    }));
  }

  #request(exchange: Exchange, operation: JsonObject): readonly Told[] {
    const found = this.#refused(exchange, operation);
    if (exchange.status < 400) return found;
    const message = listed(memberOf(exchange.answer, 'tppMessages'))[0];
    const memberText = (name: string): string => String(memberOf(message, name) ?? '');
    const [code, path, text] = [memberText('code'), withoutPlaces(memberText('path')), memberText('text')];
    const isOfForm = ofForm.test(code) && !beyondForm.test(path) && !text.startsWith(provokedBeginning);
    // The sandbox asks for it too, where a read begins an SCA.
    const isOfSca = code === 'HTTP_HEADER_REQUIRED' && path === 'tpp-redirect-uri' && !exchange.headers.get(path);
    const isKnown = found.some(([, member]) => isAt(path, member.split(' ').at(-1) ?? ''));
    const isUnseen = this.#notJudged.has(nameOf(path)) || exchange.template.startsWith('/sandbox/');
    if (!isOfForm || isOfSca || isKnown || isUnseen) return [];
    return [['refusals', `request ${path}`, 'refused', 'it is taken', `${code}: ${text}`]];
  }

  /** What the bank's validators refuse of a request. */
  #refused({ endpoint, headers, query, params, body, isOfDoor, template }: Exchange, operation: JsonObject): Told[] {
    const found: Told[] = [];
    const tell = (member: string, document: string, sent: unknown, section = 'parameters'): void =>
      void found.push([section, `request ${member}`, 'taken', clip(document, 200), sent]);
    // The door leaves out a header that is sent empty, and adds none in its place.
    const given = Object.fromEntries([...headers].filter(([, value]) => !isOfDoor || value !== ''));
    const strictly = this.#quirks.has('strict-signing') && endpoint.withPsu === true ? ['psu-ip-address'] : [];
    const demanded = [...endpoint.requires.map(String), ...strictly];
    const emptied = demanded.filter((key) => isOfDoor && headers.get(key) === '');
    const parameters = listed(operation['parameters']).map((each) => this.#schemas.resolved(each));
    const required = parameters.filter((each) => each['in'] === 'header' && each['required'] === true);
    const byPsu = endpoint.requires.filter((one) => one === 'psu');
    const demands = [...required.map(({ name }) => String(name).toLowerCase()), ...emptied, ...byPsu];
    const options = { sandboxData: template.startsWith('/sandbox/') };
    const faults = faultsOf(() => readHeaders(given, demands, options));
    for (const { path = '', text } of faults.filter((fault) => !this.#notJudged.has(fault.path ?? '')))
      tell(`header ${headerNames.find((name) => name.toLowerCase() === path) ?? path}`, text, given[path]);
    const { accept, 'content-type': type } = given;
    if (!acceptsType(accept, 'application/json')) tell('header Accept', 'application/json', accept);
    const { product = '' } = params;
    if (endpoint.products?.includes(product) === false)
      tell('path product', `one of ${endpoint.products.join(', ')}`, product);
    for (const name of new Set(query.keys())) {
      const documented = parameters.find((each) => each['in'] === 'query' && each['name'] === name);
      // The document of the door leaves out the cursor, which the links of its answers have.
      const { schema = isOfDoor && endpoint.query?.[name] !== undefined } = documented ?? {};
      const [misfit] = this.#schemas.misfits(schema, valueIn(schema, query.get(name) ?? ''));
      if (misfit !== undefined) tell(`query ${name}`, misfit.document, query.get(name));
      else if (query.getAll(name).length > 1) tell(`query ${name}`, 'once', query.getAll(name));
    }
    if (endpoint.body === null) return found;
    if (type !== undefined && body !== '' && !isJsonType(type)) tell('header Content-Type', 'application/json', type);
    const schema = 'byProduct' in endpoint.body ? endpoint.body.byProduct[product] : endpoint.body;
    let sent: unknown;
    const read = (): void => {
      sent = parseJson(Buffer.from(body));
      if (schema !== undefined) validateBody(schema, sent, { quirks: this.#quirks });
    };
    for (const { path = '', text } of faultsOf(read))
      tell(withoutPlaces(path) || 'body', text, valueAt(sent, path), 'body');
    return found;
  }

  #answer(exchange: Exchange, { responses }: JsonObject): readonly Told[] {
    const { status, answer, mediaType, headers, answerHeaders, canHaveBody } = exchange;
    const { [status]: response } = responses as JsonObject;
    if (response === undefined) return [['refusals', 'status', 'status', String(Object.keys(responses ?? {})), status]];
    const section = status < 400 ? `answer-${status}` : 'refusals';
    const { headers: documented, content } = this.#schemas.resolved(response);
    const found: Told[] = [];
    const tell = (member: string, kind: Kind, document: string, bank: unknown): void =>
      void found.push([section, member, kind, document, bank]);
    const [sent, returned] = [headers.get('x-request-id'), answerHeaders.get('x-request-id')];
    // The page of a bank that has left is its host's, which knows no ids of requests.
    const isOfHost = mediaType === 'text/html' && Object.hasOwn(Object(content) as object, mediaType);
    const isJudged = /^[\x20-\x7e]{1,100}$/.test(sent ?? '') && !this.#notJudged.has('x-request-id') && !isOfHost;
    if (isJudged && returned !== sent)
      tell('header X-Request-ID', returned === undefined ? 'lost' : 'header', `that of the request, ${sent}`, returned);
    // A tool that records no header of an answer has left them out.
    const isLost = (name: string): boolean => answerHeaders.size > 0 && !answerHeaders.has(name.toLowerCase());
    for (const name of Object.keys(Object(documented) as object))
      if (name !== 'X-Request-ID' && isLost(name)) tell(`header ${name}`, 'lost', 'always there', undefined);
    if (content === undefined && answer !== undefined) tell('body', 'added', 'no body', answer);
    if (content !== undefined && answer === undefined && canHaveBody) tell('body', 'lost', 'always there', undefined);
    if (content === undefined || answer === undefined) return found;
    const kinds = Object.keys(content as JsonObject);
    const known = kinds.find((kind) => kind.split(';')[0] === mediaType);
    const type = answerHeaders.get('content-type') ?? mediaType;
    if (isLost('Content-Type') && !this.#notJudged.has(typeOfAnswers.toLowerCase()))
      tell('header Content-Type', 'lost', kinds.join(' or '), undefined);
    else if (type !== '' && (known === undefined || otherCharset.test(type)))
      tell('header Content-Type', 'header', kinds.join(' or '), type);
    const { schema } = (content as Record<string, JsonObject>)[known ?? kinds[0] ?? ''] ?? {};
    for (const { member, kind, document, bank } of this.#schemas.misfits(schema, answer))
      tell(member, kind, document, bank);
    return found;
  }
}

/** The faults of the Refusal that a validator throws; none: it throws none. */
function faultsOf(validate: () => unknown): Refusal['faults'] | readonly [] {
  try {
    validate();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
}

/** Whether a bank names a member by this path: the member itself, what it is in, or a part of it. */
function isAt(path: string, member: string): boolean {
  const [named, own] = [`${nameOf(path)}.`, `${nameOf(member)}.`];
  return own.startsWith(named) || named.startsWith(own);
}

/** `payments[].amount` of `payments[3].amount`. */
function withoutPlaces(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

function valueAt(whole: unknown, path: string): unknown {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  return names.reduce((at, name) => memberOf(at, name), whole);
}

/** A parameter of a query as its schema has it. */
function valueIn(schema: unknown, text: string): unknown {
  const type = memberOf(schema, 'type');
  if ((type === 'integer' || type === 'number') && /^-?\d+$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
