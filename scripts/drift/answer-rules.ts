import { endpoints } from '../../api/interface/index.ts';
import { statusesOf } from '../../api/faults/fault-response.ts';
import type { Endpoint } from '../../api/pipeline/endpoint.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import { type Difference, difference } from './difference.ts';
import { codeOf, type Exchange, itemsOf, listOf, membersOf } from './exchange.ts';
import { ShapeCheck } from './shape.ts';

/** The endpoint that an exchange was sent to; undefined: the interface has none there. */
export function endpointOf({ endpoint, method }: Pick<Exchange, 'endpoint' | 'method'>): Endpoint | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return endpoints.find(({ path, method: own }) => path === endpoint && own === wanted);
}

const details = /^\/(?:(?:bulk-|periodic-)?payments\/:product|payment)\/:paymentId$/;

/** What each answer must be by itself: its status, its headers, its members and their forms (DW1, DW2). */
export class AnswerRules {
  readonly #quirks: Quirks;
  readonly #shapes: Readonly<Record<'own' | 'testData', ShapeCheck>>;

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
    this.#shapes = {
      own: new ShapeCheck(quirks, { isTestData: false }),
      testData: new ShapeCheck(quirks, { isTestData: true }),
    };
  }

  differences(exchange: Exchange): readonly Difference[] {
    const { status, answer, method } = exchange;
    const endpoint = endpointOf(exchange);
    const headers = this.#headers(exchange, endpoint);
    if (status >= 400) return [...headers, ...this.#refusal(exchange, endpoint)];
    if (endpoint === undefined) return headers;
    const shape = endpoint.answers?.[status];
    if (shape === undefined) {
      const wanted = Object.keys(endpoint.answers ?? {});
      return endpoint.answers === undefined
        ? headers
        : [
            difference(
              'status',
              pathOf(exchange),
              status,
              wanted.length === 1 ? Number(wanted[0]) : wanted.join(' or '),
            ),
            ...headers,
          ];
    }
    if (method === 'HEAD') return headers;
    if (shape === null) return answer === undefined ? headers : [...headers, difference('extra', '', answer, null)];
    const bare = Object.entries(endpoint.answers ?? {}).find(([, one]) => one === null)?.[0];
    if (answer === undefined)
      return [
        ...headers,
        bare === undefined
          ? difference('type', '', null, 'an object')
          : difference('status', pathOf(exchange), status, Number(bare)),
      ];
    const isTestData = endpoint.path.startsWith('/sandbox');
    const { href } = membersOf(membersOf(membersOf(answer)['_links'])['scaRedirect']);
    if (typeof href === 'string' && !/^https?:\/\/[^/]/.test(href))
      headers.push(difference('link', '_links.scaRedirect.href', href, 'an absolute address'));
    const check = this.#shapes[isTestData ? 'testData' : 'own'];
    return [...headers, ...check.differences(shape, answer, method === 'GET' && details.test(endpoint.path))];
  }

  #headers(
    { answerHeaders, headers, answer, status, answer: body, endpoint: path, method }: Exchange,
    endpoint: Endpoint | undefined,
  ): Difference[] {
    const found: Difference[] = [];
    const demand = (name: string, wanted: string | null, isAlike = (own: string): boolean => own === wanted): void => {
      const own = answerHeaders.get(name);
      const isRight = own === undefined ? wanted === null : wanted !== null && isAlike(own);
      if (!isRight) found.push(difference('header', name, own ?? null, wanted));
    };
    const type = `application/json${this.#quirks.has('plain-json') ? '' : '; charset=utf-8'}`;
    const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s"]/g, '');
    if (body !== undefined || method === 'HEAD')
      demand(
        'content-type',
        method === 'HEAD' && !answerHeaders.has('content-type') ? null : type,
        (own) => plain(own) === plain(type),
      );
    const requestId = headers.get('x-request-id') ?? '';
    if (requestId === '' || endpoint === undefined) {
      if (!answerHeaders.has('x-request-id') && requestId === '') demand('x-request-id', 'an id of the bank');
    } else demand('x-request-id', requestId, (own) => own.toLowerCase() === requestId.toLowerCase());
    const isLimited = status === 429 || codeOf(answer) === 'ACCESS_EXCEEDED';
    demand('retry-after', isLimited ? 'seconds' : null, (own) => /^\d+$/.test(own));
    demand('location', null);
    const isOld = path === '/consents' && status === 201;
    demand('deprecation', isOld ? '@1707091200' : null);
    if (codeOf(answer) !== 'SERVICE_INVALID') demand('allow', null);
    else if (status === 405) demand('allow', 'the methods of the path', (own) => own !== '');
    return found;
  }

  /** A refusal: its status follows from its first code, and its messages say which and why. */
  #refusal(exchange: Exchange, endpoint: Endpoint | undefined): Difference[] {
    const { status, answer } = exchange;
    const found: Difference[] = [];
    const messages = listOf(answer, 'tppMessages');
    if (!Array.isArray(membersOf(answer)['tppMessages'])) {
      const { tppMessages: own } = membersOf(answer);
      return [difference(own === undefined ? 'absent' : 'type', 'tppMessages', own ?? null, 'a list of messages')];
    }
    if (messages.length === 0) found.push(difference('absent', 'tppMessages[]', messages, 'a message'));
    for (const message of messages) found.push(...messageOf(message));
    for (const name of Object.keys(membersOf(answer)))
      if (name !== 'tppMessages' && !(name === '_links' && (status === 401 || status === 403)))
        found.push(difference('extra', name, membersOf(answer)[name], null));
    const { _links: links } = membersOf(answer);
    for (const name of Object.keys(membersOf(links)))
      if (name !== 'scaRedirect') found.push(difference('link', `_links.${name}`, membersOf(links)[name], null));
    const code = codeOf(answer);
    if (!isCode(code)) return found;
    const wanted = this.#statusesOf(code, endpoint, exchange);
    if (!wanted.includes(status))
      found.unshift({ ...difference('status', pathOf(exchange), status, wanted.join(' or ')), why: code });
    return found;
  }

  #statusesOf(code: FaultCode, endpoint: Endpoint | undefined, { target }: Exchange): readonly number[] {
    const [usual, ...placed] = statusesOf(code);
    const at = (place: string): number[] =>
      placed.flatMap((one) => ('place' in one && one.place === place ? [one.status] : []));
    const names = endpoint?.names;
    if (code === 'CONSENT_UNKNOWN' && endpoint?.role === 'PSP_AI' && !this.#quirks.has('revoked-403')) return [401];
    if (code === 'RESOURCE_UNKNOWN') {
      const isCards = endpoint?.path === '/card-accounts' && this.#quirks.has('no-cards-404');
      const isDeep = /:transactionId$/.test(endpoint?.path ?? '');
      if (endpoint?.path.startsWith('/sandbox') === true || target.startsWith('/v1/tpps'))
        return statusesOf(code).map((one) => one.status);
      if (names === 'account') return [...at('account'), ...(isDeep ? at('path') : [])];
      return names === 'path' ? at('path') : isCards ? [404] : [usual.status];
    }
    return statusesOf(code).map((one) => one.status);
  }
}

function messageOf(message: unknown): Difference[] {
  const { category, code, path, text, ...others } = membersOf(message);
  const at = 'tppMessages[]';
  const found: Difference[] = [];
  if (typeof message !== 'object' || message === null) return [difference('type', at, message, 'an object')];
  if (category !== 'ERROR')
    found.push(difference(category === undefined ? 'absent' : 'value', `${at}.category`, category ?? null, 'ERROR'));
  if (typeof code !== 'string')
    found.push(difference(code === undefined ? 'absent' : 'type', `${at}.code`, code ?? null, 'a code'));
  else if (!isCode(code)) found.push(difference('code', `${at}.code`, code, 'a code of docs/errors.md'));
  if (path !== undefined && typeof path !== 'string') found.push(difference('type', `${at}.path`, path, 'a text'));
  if (typeof text !== 'string')
    found.push(difference(text === undefined ? 'absent' : 'type', `${at}.text`, text ?? null, 'a text'));
  else if (text.trim() === '' || text.length > 512)
    found.push(difference('form', `${at}.text`, text, '1 to 512 characters'));
  for (const name of Object.keys(others)) found.push(difference('extra', `${at}.${name}`, others[name], null));
  return found;
}

function isCode(code: string): code is FaultCode {
  return itemsOf(faultCodes).includes(code);
}

/** The path of a difference in the status. */
export function pathOf({ endpoint }: Pick<Exchange, 'endpoint'>): string {
  return `/v1${endpoint ?? ''}`;
}
