import { jsonOr } from '../../engine/values/json-text.ts';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { quote, withoutUser } from '../../engine/values/text.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { landingOf, signersOwn, usualHeaders } from '../../api/signing/test-tpp.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { bankAddress } from '../cli/bank-address.ts';
import { CommandFailed, serverNote, WrongUse } from '../cli/command.ts';
import { clientOf, type ControlPlaneClient, nothingAnswers, stranger } from '../cli/control-plane-client.ts';
import { readInput } from '../cli/file-input.ts';
import { expecting } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { bankClockOf } from '../cli/signing-clock.ts';
import { serverCommand } from '../cli/server-command.ts';
import { pickMember } from '../../api/catalogue/step-values.ts';
import { curlLine, httpText, type PrintedRequest } from '../../api/pages/curl-line.ts';
import { struckText } from '../../api/pipeline/fault-effect.ts';
import { readTpp, tppFolder } from './throw-away-tpp.ts';

interface SignedRequest extends PrintedRequest {
  /** Whether flags and settings name its server: an address may be that of another bank. */
  readonly isOfSettings: boolean;
}

/** Signs a request as a throw-away TPP, and sends it. */
export const sign = serverCommand({
  name: 'sign',
  usage: 'METHOD URL',
  summary: 'Signs a request as a throw-away TPP, and sends it.',
  flags: {
    "-H, --header <'Name: value'>": "A header; 'Name:' without a value leaves out a default.",
    '-d, --data <TEXT>': 'The body, sent unchanged. @FILE reads a file, @- reads standard input.',
    '--pick <PATH>': 'Prints only this member of the answer, such as _links.scaRedirect.href.',
    '--print': 'Prints the signed request as a curl line, valid for a minute. Sends nothing.',
    '--http': 'Prints the signed request as HTTP text for `sandbank doctor`. Sends nothing.',
    '--tpp <NAME>': 'Signs as this TPP [default]. The first use makes its certificate, in data/tpp beside the ledger.',
    '--fault <NAME>':
      'Signs with a faulty certificate of the bank, such as expired. `sandbank certificate --help` lists the faults.',
    '--date <INSTANT>': 'Signs with this Date instead of now: 2027-03-24T12:00:00Z.',
    '--json':
      'Prints status, headers and body of the answer as JSON. With --pick, prints only the picked member, as JSON.',
  },
  words: [2, 2],
  notes: [
    'The body of the answer goes to standard output; the status goes to standard error.',
    'The command adds X-Request-ID and Accept if you leave them out. With a body it adds Content-Type, and for a periodic initiation x-accept-fix. Except under /v1/sandbox it adds TPP-Redirect-URI (/sandbox/landed of the bank, a page that shows what comes back), PSU-IP-Address 127.0.0.1 and TPP-Session-ID. The command always makes Date, Digest, TPP-Signature-Certificate and Signature itself, and refuses yours.',
    `URL is an address, or a path in a server. ${serverNote}`,
    'Exit code: 0 for a status below 400, 1 for a refusal or no answer, 2 for a wrong command.',
  ],
  examples: [
    'sandbank sign GET /v1/user --pick _links.scaRedirect.href',
    'sandbank sign GET /v1/sandbox/customers --print',
    "sandbank sign POST /v1/bank-offered-consents -H 'PSU-IP-Address:' --json",
  ],
  run: async ({ given, terminal }) => {
    if (['print', 'http', 'json'].filter((flag) => given.has(flag)).length > 1)
      throw new WrongUse('give one of --print, --http and --json: only --json sends the request');
    const request = await signed(given);
    const text = given.has('print') ? curlLine(request) : given.has('http') ? httpText(request) : null;
    // For another program, which needs what was signed.
    if (text !== null && terminal.isInteractive) terminal.print(text);
    else if (text !== null) terminal.pass(text);
    else await send(request, given, terminal);
  },
});

async function signed(given: Arguments): Promise<SignedRequest> {
  const [word = '', address = ''] = given.words;
  const method = methodOf(word);
  const { url, isOfSettings } = addressed(address, given);
  const bankTime = await bankClockOf(given, isOfSettings)(url);
  const wanted = given.text('date');
  const date = wanted === undefined ? (bankTime ?? systemClock.now()) : valueOf('date', wanted, dateOfSignature);
  const body = readBody(given.text('data'));
  const usual = usualHeaders(method, url.pathname, body, landingOf(url.origin, url.pathname));
  const { 'x-request-id': requestId = randomIds.uuid(), ...headers } = headersOver(usual, given.texts('header'));
  const signature = signHeaders({
    method,
    target: url.pathname + url.search,
    headers,
    body,
    ...(await credentials(given, url, bankTime)),
    date,
    requestId,
  });
  return { method, url, isOfSettings, headers: { ...headers, ...signature }, body };
}

/** A method that can be sent. CONNECT is for proxies; fetch refuses it and the two others. */
function methodOf(word: string): string {
  const method = word.toUpperCase();
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(method) && !['CONNECT', 'TRACE', 'TRACK'].includes(method)) return method;
  throw new WrongUse(`${quote(word)} is no method: expected one such as GET or POST`);
}

/** The certificate of --tpp: its own, or one with the --fault, from the bank that is asked. */
async function credentials(given: Arguments, url: URL, bankTime: Instant | null) {
  const [name = 'default', fault] = ['tpp', 'fault'].map((flag) => given.text(flag));
  if (fault === undefined) return readTpp(tppFolder(given.config().ledger), name, { now: systemClock.now(), bankTime });
  return clientOf(given, url).ask('POST /certificates', 'certificate', { body: { name, fault } });
}

const dateOfSignature = expecting('an instant such as 2027-03-24T12:00:00Z', parseInstant);

/** A path, as in the bank's links, is appended to the base, which may have a path of its own. */
function addressed(address: string, given: Arguments): Pick<SignedRequest, 'url' | 'isOfSettings'> {
  if (URL.canParse(address) || /^https?:/.test(address)) {
    const flag = ['bank', 'port', 'host'].find((name) => given.has(name));
    if (flag !== undefined) throw new WrongUse(`--${flag} is for a path, such as /v1/accounts`);
    return { url: urlOf(address, address), isOfSettings: false };
  }
  const { server, path } = bankAddress(given);
  const url = urlOf(server + path + (address.startsWith('/') ? '' : '/') + address, address);
  return { url, isOfSettings: true };
}

/** The URL of a text. Throws a WrongUse that names what was given. */
function urlOf(text: string, given: string): URL {
  if (!URL.canParse(text)) throw new WrongUse(`${quote(given)} is no path and no address`);
  const url = new URL(text);
  if (/^https?:$/.test(url.protocol) && url.username + url.password === '') return url;
  throw new WrongUse(`${withoutUser(url.href)} is no address of a bank: expected http:// or https://, and a host`);
}

function readBody(data: string | undefined): Buffer {
  if (data?.startsWith('@') !== true) return Buffer.from(data ?? '');
  return readInput(`--data ${data}`, data === '@-' ? null : data.slice(1));
}

async function send(request: SignedRequest, given: Arguments, terminal: Terminal): Promise<void> {
  const { method, url, isOfSettings, headers, body } = request;
  if (body.length > 0 && ['GET', 'HEAD'].includes(method)) {
    throw new WrongUse(`a ${method} is sent without a body: leave out --data, or print a curl line with --print`);
  }
  const [pick, isJson] = [given.text('pick'), given.has('json')];
  const content = body.length === 0 ? null : body;
  const noAnswer = async (error: unknown): Promise<never> => {
    const struck = isOfSettings ? await struckBy(clientOf(given, url), headers['X-Request-ID'] ?? '') : null;
    throw struck === null ? nothingAnswers(url.origin, error) : new CommandFailed(struck);
  };
  const answer = await fetch(url, { method, headers, redirect: 'manual', body: content }).catch(noAnswer);
  const { status } = answer;
  const text = await answer.text().catch(noAnswer);
  if (!isJson) terminal.error(`${status} ${answer.statusText}`);
  const json = jsonOr(text, undefined);
  const whole = json === undefined ? text : JSON.stringify(json, null, 2);
  if (pick !== undefined) {
    const member = pickMember(json, pick);
    if (member === undefined) throw new CommandFailed(`the answer has no ${pick}:\n${whole}`);
    terminal.print(typeof member === 'string' && !isJson ? member : JSON.stringify(member, null, 2));
  } else if (isJson) {
    const shown = { status, headers: Object.fromEntries(answer.headers), body: json ?? text };
    terminal.print(JSON.stringify(shown, null, 2));
  } else if (whole !== '') terminal.print(whole);
  if (status >= 400) throw new CommandFailed();
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  if (isPage && /\/v1(?:\/|$)/.test(url.pathname)) throw stranger(url.origin, status);
}

/** What an armed fault did to a request of this id (docs/spec/control-plane.md C23). Null: nothing that is known. */
async function struckBy(client: ControlPlaneClient, requestId: string): Promise<string | null> {
  const asked = client.ask('GET /requests/:requestId', 'requests', { params: { requestId } });
  const [entry] = await asked.then(
    ({ requests }) => requests,
    () => [],
  );
  return struckText(entry?.fault, 'The request was carried out.');
}

/** The caller's headers, each `Name: value`, over the usual ones, by lower-case name. */
function headersOver(usual: Readonly<Record<string, string>>, given: readonly string[]): Record<string, string> {
  const headers = new Map(Object.entries(usual));
  for (const line of given) {
    const [, name, rest] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || rest === undefined)
      throw new WrongUse(`-H ${quote(line)} is not of the form 'Name: value'`);
    const value = rest.trimStart();
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new WrongUse(`-H ${quote(line)} has a character that no header can carry`);
    if (signersOwn.includes(name.toLowerCase())) throw new WrongUse(`-H ${quote(line)}: the signer sets this header`);
    if (value === '') headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}
