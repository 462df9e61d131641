import { scaQueryNames } from '../../api/quirks/sca-query.ts';
import { endpoints } from '../../api/interface/index.ts';
import { statusesOf } from '../../api/faults/fault-response.ts';
import type { Endpoint } from '../../api/pipeline/endpoint.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import type { Findings } from './difference.ts';
import { codeOf, type Exchange, pathAndQueryOf, itemsOf, linksOf, membersOf } from './exchange.ts';
import type { Case } from './memory.ts';
import { checkShape } from './shape.ts';

/** The endpoint that an exchange was sent to; undefined: the interface has none there. */
export function endpointOf({ endpoint, method }: Pick<Exchange, 'endpoint' | 'method'>): Endpoint | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return endpoints.find(({ path, method: own }) => path === endpoint && own === wanted);
}

const details = /^\/(?:(?:bulk-|periodic-)?payments\/:product|payment)\/:paymentId$/;

/** What each answer must be by itself: its status, its headers, its members and their forms (DW1, DW2). */
export function checkAnswer(one: Case): void {
  const { exchange, found } = one;
  const { status, answer, method } = exchange;
  const endpoint = endpointOf(exchange);
  const answers = status < 400 ? endpoint?.answers : undefined;
  const shape = answers?.[status];
  if (answers !== undefined && shape === undefined) {
    const wanted = Object.keys(answers);
    found.tell('status', statusPath(exchange), status, wanted.length === 1 ? Number(wanted[0]) : wanted.join(' or '));
  }
  checkHeaders(one, endpoint);
  checkScaAddress(one);
  if (status >= 400) return checkRefusal(one, endpoint);
  if (endpoint === undefined || shape === undefined || method === 'HEAD') return;
  if (shape === null) {
    if (answer !== undefined) found.tell('extra', '', answer);
    return;
  }
  if (answer === undefined) {
    const bare = Object.entries(answers ?? {}).find(([, one]) => one === null)?.[0];
    if (bare === undefined) found.tell('type', '', null, 'an object');
    else found.tell('status', statusPath(exchange), status, Number(bare));
    return;
  }
  const { path } = endpoint;
  const isDetails = method === 'GET' && details.test(path);
  checkShape(shape, answer, { ...one, isDetails, isTestData: path.startsWith('/sandbox') });
}

function checkHeaders({ exchange, quirks, found }: Case, endpoint: Endpoint | undefined): void {
  const { answerHeaders, headers, answer, status, endpoint: path, method } = exchange;
  const demand = (name: string, wanted: string | null, isAlike = (own: string): boolean => own === wanted): void => {
    const own = answerHeaders.get(name);
    const isRight = own === undefined ? wanted === null : wanted !== null && isAlike(own);
    if (!isRight) found.tell('header', name, own, wanted);
  };
  const type = `application/json${quirks.has('plain-json') ? '' : '; charset=utf-8'}`;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s"]/g, '');
  const isBare = method === 'HEAD' && !answerHeaders.has('content-type');
  if (!isBare && (answer !== undefined || method === 'HEAD'))
    demand('content-type', type, (own) => plain(own) === plain(type));
  const requestId = headers.get('x-request-id') ?? '';
  if (requestId === '' || endpoint === undefined) {
    if (!answerHeaders.has('x-request-id') && requestId === '') demand('x-request-id', 'an id of the bank');
  } else demand('x-request-id', requestId, (own) => own.toLowerCase() === requestId.toLowerCase());
  const isLimited = status === 429 || codeOf(answer) === 'ACCESS_EXCEEDED';
  demand('retry-after', isLimited ? 'seconds' : null, (own) => /^\d+$/.test(own));
  demand('location', null);
  demand('deprecation', path === '/consents' && status === 201 ? '@1707091200' : null);
  if (codeOf(answer) !== 'SERVICE_INVALID') demand('allow', null);
  else if (status === 405) demand('allow', 'the methods of the path', (own) => own !== '');
}

/** The address of an SCA is whole, and has the query that the quirk sca-query adds, or none. */
function checkScaAddress({ exchange, quirks, found }: Case): void {
  const { href } = membersOf(linksOf(exchange.answer)['scaRedirect']);
  if (typeof href !== 'string') return;
  const tell = (expected: string): void => found.tell('link', '_links.scaRedirect.href', href, expected);
  const wanted = quirks.has('sca-query') ? scaQueryNames : [];
  const shown = [...pathAndQueryOf(href)[1].keys()];
  if (!/^https?:\/\/[^/]/.test(href)) tell('an absolute address');
  else if (shown.toSorted().join() !== wanted.toSorted().join())
    tell(wanted.length === 0 ? 'an address without a query' : `an address with ${wanted.join(', ')}`);
}

/** A refusal: its status follows from its first code, and its messages say which and why. */
function checkRefusal(one: Case, endpoint: Endpoint | undefined): void {
  const { exchange, found } = one;
  const { status, answer } = exchange;
  const { tppMessages: messages, _links: links, ...others } = membersOf(answer);
  if (!Array.isArray(messages))
    return found.tell(messages === undefined ? 'absent' : 'type', 'tppMessages', messages, 'a list of messages');
  const code = codeOf(answer);
  const wanted = isCode(code) ? statusesFor(code, endpoint, one) : [status];
  if (!wanted.includes(status)) found.tell('status', statusPath(exchange), status, wanted.join(' or '), code);
  if (messages.length === 0) found.tell('absent', 'tppMessages[]', messages, 'a message');
  for (const message of itemsOf(messages)) checkMessage(message, found);
  for (const [name, value] of Object.entries(others)) found.tell('extra', name, value);
  if (links !== undefined && status !== 401 && status !== 403) found.tell('extra', '_links', links);
  for (const [name, link] of Object.entries(membersOf(links)))
    if (name !== 'scaRedirect') found.tell('link', `_links.${name}`, link);
}

function statusesFor(code: FaultCode, endpoint: Endpoint | undefined, { exchange, quirks }: Case): readonly number[] {
  const all = statusesOf(code);
  const at = (place: string): number[] =>
    all.flatMap((one) => ('place' in one && one.place === place ? [one.status] : []));
  const { path = '', names, role } = endpoint ?? {};
  if (code === 'CONSENT_UNKNOWN' && role === 'PSP_AI' && !quirks.has('revoked-403')) return [401];
  if (code !== 'RESOURCE_UNKNOWN' || path.startsWith('/sandbox') || exchange.target.startsWith('/v1/tpps'))
    return all.map(({ status }) => status);
  if (names === 'account') return [...at('account'), ...(path.endsWith('/:transactionId') ? at('path') : [])];
  if (names === 'path') return at('path');
  return path === '/card-accounts' && quirks.has('no-cards-404') ? [404] : [all[0].status];
}

function checkMessage(message: unknown, found: Findings): void {
  const at = 'tppMessages[]';
  if (typeof message !== 'object' || message === null) return found.tell('type', at, message, 'an object');
  const { category, code, path, text, ...others } = membersOf(message);
  found.compare('value', `${at}.category`, category, 'ERROR');
  if (typeof code !== 'string') found.tell(code === undefined ? 'absent' : 'type', `${at}.code`, code, 'a code');
  else if (!isCode(code)) found.tell('code', `${at}.code`, code, 'a code of docs/errors.md');
  if (path !== undefined && typeof path !== 'string') found.tell('type', `${at}.path`, path, 'a text');
  if (typeof text !== 'string') found.tell(text === undefined ? 'absent' : 'type', `${at}.text`, text, 'a text');
  else if (text.trim() === '' || text.length > 512) found.tell('form', `${at}.text`, text, '1 to 512 characters');
  for (const [name, value] of Object.entries(others)) found.tell('extra', `${at}.${name}`, value);
}

function isCode(code: string): code is FaultCode {
  return itemsOf(faultCodes).includes(code);
}

/** The path of a difference in the status. */
export function statusPath({ endpoint }: Pick<Exchange, 'endpoint'>): string {
  return `/v1${endpoint ?? ''}`;
}
