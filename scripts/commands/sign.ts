import { readFileSync } from 'node:fs';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { ConfigError } from '../../api/start/config.ts';
import { readSandboxCa } from '../../api/start/sandbox-ca.ts';
import { type RequestToSign, signHeaders } from '../../api/signing/signature/sign-request.ts';
import { signersOwn, usualHeaders } from '../../api/signing/test-tpp.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { bankAddress, bankBelow } from '../cli/bank-address.ts';
import { type Command, CommandFailed, WrongUse } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient } from '../cli/control-plane-client.ts';
import { messageOf, reasonOf } from '../../api/start/error-text.ts';
import type { CertificateAnswer } from './certificate.ts';
import { pickMember } from '../play/members.ts';
import { curlLine } from './curl-line.ts';
import { readTpp, readTppIssuedBy, tppFolder } from './throw-away-tpp.ts';

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Signs a request as a throw-away TPP, and sends it. */
export const sign: Command = {
  name: 'sign',
  usage: 'METHOD URL [options]',
  summary: 'Signs a request as a throw-away TPP and sends it.',
  flags: [
    {
      name: 'header',
      short: 'H',
      value: "'Name: value'",
      what: "A header; 'Name:' without a value leaves out a default.",
    },
    {
      name: 'data',
      short: 'd',
      value: 'TEXT',
      what: 'The body, sent as it is; @FILE reads a file, @- standard input.',
    },
    { name: 'pick', value: 'PATH', what: 'Prints only that member of the answer: _links.scaRedirect.href' },
    { name: 'print', what: 'Prints a curl line with the signed request, good for a minute, and sends nothing.' },
    { name: 'http', what: 'Prints the signed request as HTTP text, for `sandbank doctor`, and sends nothing.' },
    {
      name: 'tpp',
      value: 'NAME',
      what: 'Who signs (default); made on first use, kept in data/tpp: beside the ledger.',
    },
    { name: 'ca', value: 'FILE', what: 'With a certificate that this CA issues, such as data/sandbox-ca.pem.' },
    {
      name: 'fault',
      value: 'NAME',
      what: 'With a faulty certificate that the bank makes: expired (certificate --help).',
    },
    { name: 'date', value: 'INSTANT', what: 'With this Date instead of now, such as 2027-03-24T12:00:00Z.' },
    { name: 'base', value: 'URL', what: 'Where a path is taken from: $BANK, else the server of HOST and PORT.' },
    bankFlag,
    { name: 'request-target', what: 'Also signs (request-target).' },
  ],
  settings: [],
  words: [2, 2],
  notes: [
    'Status and refusals go to standard error, the body to standard output as JSON.',
    'Headers set when not given: X-Request-ID, Accept, with a body Content-Type; except under /v1/sandbox also',
    'TPP-Redirect-URI https://tpp.example/callback, PSU-IP-Address 127.0.0.1, TPP-Session-ID, and for a periodic',
    "initiation x-accept-fix. Date, Digest, TPP-Signature-Certificate and Signature are always the signer's.",
    'Exit code: 0 for an answer below 400, 1 for a refusal or none, 2 for a wrong command.',
  ],
  run: async (given, terminal) => {
    const request = await prepared(given);
    if (given.has('print')) terminal.out(curlLine(request));
    else if (given.has('http')) terminal.out(httpText(request));
    else return send(request, given.text('pick'), terminal);
    return 0;
  },
};

/** The request as HTTP/1.1 text; a body that is no UTF-8 text does not survive it. */
function httpText({ method, url, headers, body }: SignedRequest): string {
  const length = body.length === 0 ? [] : [`content-length: ${body.length}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`, ...length, ...lines];
  return `${head.join('\n')}\n\n${Buffer.from(body).toString()}`;
}

/** Turns other errors into a WrongUse: signing fails by wrong input, such as an address, a file or a name. */
async function prepared(given: Arguments): Promise<SignedRequest> {
  try {
    return await signed(given);
  } catch (error) {
    throw error instanceof ConfigError || error instanceof CommandFailed ? error : new WrongUse(messageOf(error));
  }
}

async function signed(given: Arguments): Promise<SignedRequest> {
  const [word = '', address = ''] = given.words;
  const method = word.toUpperCase();
  const url = urlOf(address, given);
  const body = readBody(given.text('data'));
  const { 'x-request-id': requestId = randomIds.uuid(), ...headers } = Object.fromEntries(
    chooseHeaders(given.texts('header'), method, url, body),
  );
  const signature = signHeaders({
    method,
    target: url.pathname + url.search,
    headers,
    body,
    ...(await credentials(given, url)),
    date: dateOf(given),
    requestId,
    coverRequestTarget: given.has('request-target'),
  });
  return { method, url, headers: { ...headers, ...signature }, body };
}

/** The certificate of --tpp: its own, one that --ca issues, or one with the --fault, from the bank that is asked. */
async function credentials(given: Arguments, url: URL): Promise<Pick<RequestToSign, 'certificate' | 'key' | 'keyId'>> {
  const [now, name, ca, fault] = [
    systemClock.now(),
    given.text('tpp') ?? 'default',
    given.text('ca'),
    given.text('fault'),
  ];
  if (fault === undefined) {
    const folder = tppFolder(given.config().ledger);
    return ca === undefined ? readTpp(folder, name, now) : readTppIssuedBy(folder, readSandboxCa(ca), name, now);
  }
  if (ca !== undefined) throw new WrongUse('give --ca or --fault: the bank issues a faulty certificate');
  const [path = ''] = /^\/banks\/[^/]+/.exec(url.pathname) ?? [];
  const client = new ControlPlaneClient(given, { server: url.origin, path, isFromBank: true });
  return client.ask<CertificateAnswer>('POST', '/certificates', 'certificate', { name, fault });
}

function dateOf(given: Arguments): Instant {
  const text = given.text('date');
  const date = text === undefined ? systemClock.now() : parseInstant(text);
  if (date === null) throw new WrongUse(`--date is ${JSON.stringify(text)}: expected one such as 2027-03-24T12:00:00Z`);
  return date;
}

/** A path, as in the bank's links, is appended to the base, which may have a path of its own. */
function urlOf(address: string, given: Arguments): URL {
  const isWhole = URL.canParse(address);
  if (isWhole && given.has('bank')) throw new WrongUse('--bank is for a path, such as /v1/accounts');
  const url = new URL(isWhole ? address : baseOf(given) + (address.startsWith('/') ? '' : '/') + address);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new WrongUse(`${url.href} is no address of a bank: expected http:// or https://`);
}

function baseOf(given: Arguments): string {
  const base = given.text('base');
  const { server, path } = base === undefined ? bankAddress(given) : bankBelow(base, given, '--base');
  return server + path;
}

function readBody(data: string | undefined): Buffer {
  if (data?.startsWith('@') !== true) return Buffer.from(data ?? '');
  return readFileSync(data === '@-' ? 0 : data.slice(1));
}

async function send({ method, url, headers, body }: SignedRequest, pick: string | undefined, terminal: Terminal) {
  const content = body.length === 0 ? null : body;
  const answer = await fetch(url, { method, headers, redirect: 'manual', body: content }).catch((error: unknown) => {
    throw new CommandFailed(`nothing answers at ${url.origin}${reasonOf(error)}`);
  });
  const text = await answer.text();
  terminal.error(`${answer.status} ${answer.statusText}`);
  const code = answer.status < 400 ? 0 : 1;
  const json = parsed(text);
  const whole = json === undefined ? text : JSON.stringify(json, null, 2);
  if (pick === undefined) {
    if (whole !== '') terminal.out(whole);
    return code;
  }
  const member = pickMember(json, pick);
  if (member === undefined) throw new CommandFailed(`the answer has no ${pick}:\n${whole}`);
  terminal.out(typeof member === 'string' ? member : JSON.stringify(member, null, 2));
  return code;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The caller's headers, each `Name: value`, over the defaults, by lower-case name. */
function chooseHeaders(given: readonly string[], method: string, url: URL, body: Buffer): Map<string, string> {
  const headers = new Map([
    ['x-request-id', randomIds.uuid()],
    ...Object.entries(usualHeaders(method, url.pathname, body)),
  ]);
  for (const line of given) {
    const [, name, rest] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new WrongUse(`-H '${line}' is not of the form 'Name: value'`);
    const value = rest.trimStart();
    if (signersOwn.includes(name.toLowerCase())) throw new WrongUse(`-H '${line}': the signer sets this header`);
    if (value === '') headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return headers;
}
