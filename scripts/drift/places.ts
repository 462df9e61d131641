import { endpoints } from '../../api/interface/index.ts';
import { isBic } from '../../engine/values/account-number.ts';
import { ids, sums, words } from './forms.ts';
import type { HarEntry, HarPair } from './har.ts';

/** Kinds of values that may tell of a person. */
export type Kind = 'account' | 'address' | 'amount' | 'id' | 'ip' | 'masked' | 'message' | 'name' | 'text' | 'token';

/** Gets a value and its place, such as `answer accounts[].name`, and returns what stands there afterwards. */
type Visit = (kind: Kind, value: string, place: string) => string;

/** A code or a word of an interface: no blank, and no long number. */
const code = /^(?!.*\d{5})[\w:./+-]{1,35}$/;
const day = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$|^\d\d?[./]\d\d?[./]\d{2,4}$/;
/** A name of a member as programs have them: no name of somebody. */
const memberName = /^_?[a-z][A-Za-z]{0,49}\d{0,2}$/;
const memberPath = /^(?!.*\d{4})[A-Za-z][\w.[\]-]{0,99}$/;
const headerName = /^:?(?!.*\d{4})[A-Za-z][\w-]{0,60}$/;
const addresses =
  /street|city|town|post|district|province|building|floor|room|addressline|e-?mail|phone|mobile|contact|terminalid|cardacceptorid/i;
const names = /name$|^ultimate(?:Creditor|Debtor)$/i;
const texts = /^(?:remittanceInformation\w*|transactionDetails|reference|additionalInformation\w*|text|note|message)$/i;

/** Headers whose values are words, numbers and dates of HTTP and of the interface. */
const plainHeaders =
  /^(?:accept|accept-(?:charset|encoding|language|ranges)|access-control-[a-z-]+|age|allow|cache-control|connection|content-(?:encoding|language|length|security-policy|type)|date|deprecation|expires|host|keep-alive|last-modified|pragma|psu-(?:accept[a-z-]*|context|http-method)|referrer-policy|retry-after|strict-transport-security|sunset|te|tpp-redirect-preferred|transfer-encoding|upgrade|vary|x-accept-fix|x-content-type-options|x-frame-options|:method|:scheme|:status)$/;
const plainValue = /^(?!.*\d{7})[\w !#%&'()*+,./:;=?"-]{0,300}$/;
const idHeaders = /^(?:x-request-id|x-psu-identity|[a-z-]+-(?:id|session-id))$/;
const ipHeaders = /^(?:psu-ip-address|x-forwarded-for|x-real-ip|forwarded)$/;
const linkHeaders = /^(?:location|referer|origin|[a-z-]+-ur[il])$/;
/** If the value of such a parameter is a word, a switch or a small number, it is no id. */
const plainParameters =
  /^(?:bookingStatus|withBalance|deltaList|allowLogicalDuplicate|context|flow|limit|offset|page|size)$/i;

/** The words of the paths of the interface. */
const pathWords: ReadonlySet<string> = new Set([
  ...['', 'v1', 'api', 'api-sandbox', 'banks'],
  ...endpoints.flatMap(({ path }) => path.split('/').filter((segment) => !segment.startsWith(':'))),
]);
const services = new Set(['payments', 'periodic-payments', 'bulk-payments']);

/**
 * The entry with the results of `visit` in place of all values that may tell of a person: of the address, the headers and the bodies. What
 * stays is what is known to tell of nobody: words of the interface, switches, days, names of members and the host of the bank.
 */
export function rewrittenEntry(entry: HarEntry, visit: Visit): HarEntry {
  const { request, response } = entry;
  const hosts = new Set([URL.canParse(request.url) ? new URL(request.url).hostname : '']);
  const bodyOf = (text: string, at: string): string => rewrittenBody(text, at, hosts, visit);
  const headersOf = (pairs: readonly HarPair[], at: string): HarPair[] =>
    pairs.map((pair) => rewrittenHeader(pair, at, hosts, visit));
  const { postData } = request;
  const { text: answer } = response.content;
  return {
    ...entry,
    request: {
      ...request,
      url: rewrittenLink(request.url, 'request', hosts, visit),
      headers: headersOf(request.headers, 'request header'),
      ...(postData !== undefined && { postData: { ...postData, text: bodyOf(postData.text, 'request') } }),
    },
    response: {
      ...response,
      headers: headersOf(response.headers, 'answer header'),
      content: { ...response.content, ...(answer !== undefined && { text: bodyOf(answer, 'answer') }) },
    },
  };
}

function rewrittenHeader({ name, value }: HarPair, at: string, hosts: ReadonlySet<string>, visit: Visit): HarPair {
  const key = name.toLowerCase();
  if (!headerName.test(name)) return { name: visit('token', name, at), value: visit('token', value, at) };
  const place = `${at} ${key}`;
  const isInstant = key === 'deprecation' && /^@\d{10}$/.test(value);
  if (isInstant || (plainHeaders.test(key) && plainValue.test(value))) return { name, value };
  if (linkHeaders.test(key)) return { name, value: rewrittenLink(value, place, hosts, visit) };
  // The word in front is the interface's.
  const [geo = ''] = /^GEO:/i.exec(value) ?? [];
  if (geo !== '') return { name, value: geo + visit('address', value.slice(geo.length), place) };
  const kind = ipHeaders.test(key) ? 'ip' : idHeaders.test(key) ? 'id' : /geo/.test(key) ? 'address' : 'token';
  return { name, value: value === '' ? '' : visit(kind, value, place) };
}

/** A whole address or a path. Hosts other than these are replaced, and words other than those of the interface. */
function rewrittenLink(link: string, place: string, hosts: ReadonlySet<string>, visit: Visit): string {
  const [scheme = ''] = /^[a-z][\w+.-]{0,20}:/i.exec(link) ?? [];
  const [whole, fragment] = halvesOf(link.slice(scheme.length), '#');
  const [hostAndPath, query] = halvesOf(whole, '?');
  const [authority] = /^\/\/[^/]*/.exec(hostAndPath) ?? [];
  if (scheme !== '' && authority === undefined) return visit('text', link, place);
  const segments = hostAndPath.slice(authority?.length ?? 0).split('/');
  const ownPath = segments.map((segment, at) => {
    const isProduct = services.has(segments[at - 1] ?? '') && /^[a-z]+(?:-[a-z]+)+$/.test(segment);
    return isProduct || pathWords.has(segment) ? segment : visit('id', segment, `${place} path`);
  });
  const pairs = query?.split('&').map((pair) => {
    const [name, value] = halvesOf(pair, '=');
    const ownName = memberName.test(name) || code.test(name) ? name : visit('text', name, `${place} query`);
    if (value === undefined) return ownName;
    const isPlain = plainParameters.test(name) && /^(?:[A-Za-z]{1,20}|\d{1,5})$/.test(value);
    if (isPlain || value === '' || day.test(value)) return `${ownName}=${value}`;
    return `${ownName}=${visit('id', value, `${place} query ${shownName(name)}`)}`;
  });
  return [
    scheme,
    authority === undefined ? '' : `//${rewrittenAuthority(authority.slice(2), place, hosts, visit)}`,
    ownPath.join('/'),
    pairs === undefined ? '' : `?${pairs.join('&')}`,
    fragment === undefined ? '' : `#${visit('token', fragment, `${place} fragment`)}`,
  ].join('');
}

function rewrittenAuthority(authority: string, place: string, hosts: ReadonlySet<string>, visit: Visit): string {
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const [port = ''] = /:\d{1,5}$/.exec(authority) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1, authority.length - port.length);
  const own =
    hosts.has(host.toLowerCase()) || /^(?:localhost|127\.0\.0\.1|\[::1\]|)$/i.test(host)
      ? host
      : visit(/^[\d.]+$|^\[/.test(host) ? 'ip' : 'address', host, `${place} host`);
  return (user === '' ? '' : `${visit('token', user, place)}@`) + own + port;
}

/** The text before and behind the first such sign; undefined: the sign is missing. */
function halvesOf(text: string, sign: string): readonly [before: string, behind?: string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function shownName(name: string): string {
  return memberName.test(name) ? name : '?';
}

/** JSON value by value, as it is spelled; another text as a whole. */
function rewrittenBody(text: string, at: string, hosts: ReadonlySet<string>, visit: Visit): string {
  try {
    if (typeof JSON.parse(text) !== 'object') return visit('text', text, at);
  } catch {
    return text.trim() === '' ? text : visit('text', text, at);
  }
  const open: { readonly isList: boolean; readonly place: string; readonly name: string; isKey: boolean }[] = [];
  let name = '';
  const placeOf = (): string => {
    const top = open.at(-1);
    if (top === undefined) return at;
    if (top.isList) return `${top.place}[]`;
    return `${top.place}${open.length === 1 ? ' ' : '.'}${shownName(name)}`;
  };
  return text.replaceAll(
    /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],]/g,
    (lexeme: string): string => {
      const top = open.at(-1);
      if (lexeme === '{' || lexeme === '[') {
        open.push({ isList: lexeme === '[', place: placeOf(), name, isKey: lexeme === '{' });
      } else if (lexeme === '}' || lexeme === ']') name = open.pop()?.name ?? '';
      else if (lexeme === ',') {
        if (top !== undefined) top.isKey = !top.isList;
      } else if (top?.isKey === true) {
        top.isKey = false;
        name = String(JSON.parse(lexeme));
        return memberName.test(name) ? lexeme : JSON.stringify(visit('text', name, placeOf()));
      } else {
        const place = placeOf();
        const isMessage = /(?:^| |\.)tppMessages\[\]/.test(place);
        if (!lexeme.startsWith('"')) return rewrittenNumber(lexeme, name, place, visit);
        const value = String(JSON.parse(lexeme));
        const own =
          name === 'href'
            ? rewrittenLink(value, place, hosts, visit)
            : rewrittenText(value, name, isMessage, (kind) => visit(kind, value, place));
        return own === value ? lexeme : JSON.stringify(own);
      }
      return lexeme;
    },
  );
}

function rewrittenNumber(number: string, name: string, place: string, visit: Visit): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)/.exec(number) ?? [];
  if (sums.test(name)) return /^-?\d+(?:\.\d+)?$/.test(number) ? visit('amount', number, place) : number;
  return digits.length < 5 ? number : sign + visit('id', digits, place) + number.slice(sign.length + digits.length);
}

function rewrittenText(value: string, name: string, isMessage: boolean, visit: (kind: Kind) => string): string {
  if (value === '') return value;
  if (isMessage && /^(?:code|category)$/.test(name) && code.test(value)) return value;
  if (isMessage && name === 'path' && memberPath.test(value)) return value;
  if ((isMessage && name === 'text') || name === 'psuMessage') return visit('message');
  const isPlain =
    (words.test(name) && code.test(value)) ||
    (name === 'verbs' && /^[A-Z]{3,7}$/.test(value)) ||
    (/(?:^bic|Agent)$/.test(name) && (isBic(value) || /^\/{0,2}[A-Z]{2}\d{6,9}$/.test(value))) ||
    (/^(?:dayOfExecution|monthsOfExecution)$/.test(name) && /^\d\d?$/.test(value)) ||
    (/[rR]ate$/.test(name) && /^\d{1,9}\.?\d{0,9}$/.test(value)) ||
    /^(?:true|false)$/.test(value);
  if (isPlain) return value;
  if (sums.test(name) && /^[+-]?[\d.]+$/.test(value)) return visit('amount');
  if (/^(?:bban|iban|accountNumber)$/i.test(name)) return visit('account');
  if (name === 'maskedPan') return visit('masked');
  if (ids.test(name) || name === 'identifier') return visit('id');
  if (addresses.test(name)) return visit('address');
  if (names.test(name)) return visit('name');
  if (texts.test(name)) return visit('text');
  if (day.test(value) && !/birth|born/i.test(name)) return value;
  return visit(/\d/.test(value) && !/\s/.test(value) ? 'id' : 'text');
}
