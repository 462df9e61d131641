import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { processEnvironment } from '../api/config.ts';
import { readSandboxCa } from '../api/sandbox-ca.ts';
import { signHeaders } from '../api/signing/sign-request.ts';
import { systemClock } from '../engine/clock.ts';
import { randomIds } from '../engine/ids.ts';
import { pickMember } from './pick-member.ts';
import { runScript } from './run-script.ts';
import { readTpp, readTppIssuedBy } from './throw-away-tpp.ts';

const usage = `usage: npm run -s sign -- METHOD URL [options]

Signs a request as a throw-away TPP and sends it. Status and refusals go to stderr, the body to stdout as JSON.
URL may be a path, as the bank's links are: it is taken from --base.
  -H 'Name: value'   a header; 'Name:' without a value leaves out a default
  -d TEXT | @FILE    the body, sent as it is; @- reads standard input
  --pick PATH        prints only that member of the answer: _links.scaRedirect.href
  --print            prints the signed request and sends nothing
  --tpp NAME         who signs (default: default); kept in data/tpp/, made on first use
  --ca FILE          with a certificate that this CA issues: a bank with SANDBANK_TPP_TRUST=ca makes its own beside
                     its ledger, data/sandbox-ca.pem
  --base URL         default $BANK, else http://127.0.0.1:8080
  --request-target   also signs (request-target)

Headers set when not given: X-Request-ID, Accept, with a body Content-Type; except under /v1/sandbox also
TPP-Redirect-URI https://tpp.example/callback, PSU-IP-Address 127.0.0.1, TPP-Session-ID, and for a periodic
initiation x-accept-fix. Date, Digest, TPP-Signature-Certificate and Signature are always the signer's.
Exit code: 0 for an answer below 400, 1 for a refusal, 2 for a wrong command.`;

const options = {
  header: { type: 'string', short: 'H', multiple: true, default: [] as string[] },
  data: { type: 'string', short: 'd' },
  pick: { type: 'string' },
  print: { type: 'boolean', default: false },
  tpp: { type: 'string', default: 'default' },
  ca: { type: 'string' },
  base: { type: 'string', default: processEnvironment()['BANK'] ?? 'http://127.0.0.1:8080' },
  'request-target': { type: 'boolean', default: false },
} as const;

const signersOwn = ['date', 'digest', 'tpp-signature-certificate', 'signature'];

/** The caller's headers over the defaults, by lower-case name. */
function chooseHeaders(given: readonly string[], method: string, url: URL, body: Buffer): Map<string, string> {
  const headers = new Map(Object.entries(defaultHeaders(method, url, body)));
  for (const line of given) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`-H '${line}' is not of the form 'Name: value'`);
    if (signersOwn.includes(name.toLowerCase())) throw new Error(`-H '${line}': the signer sets this header`);
    if (value === '') headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function defaultHeaders(method: string, url: URL, body: Buffer): Record<string, string> {
  const periodic = method === 'POST' && /\/v1\/periodic-payments\/[^/]+$/.test(url.pathname);
  return {
    'x-request-id': randomIds.uuid(),
    accept: 'application/json',
    ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
    ...(url.pathname.includes('/v1/sandbox/')
      ? {}
      : {
          'tpp-redirect-uri': 'https://tpp.example/callback',
          'psu-ip-address': '127.0.0.1',
          'tpp-session-id': randomIds.uuid(),
        }),
    ...(periodic ? { 'x-accept-fix': 'none' } : {}),
  };
}

function readBody(data: string | undefined): Buffer {
  if (data?.startsWith('@') !== true) return Buffer.from(data ?? '');
  return readFileSync(data === '@-' ? 0 : data.slice(1));
}

async function send(method: string, url: URL, headers: Record<string, string>, body: Buffer, pick: string | undefined) {
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body.length === 0 ? {} : { body }) });
  const text = await answer.text();
  console.error(`${answer.status} ${answer.statusText}`);
  process.exitCode = answer.status < 400 ? 0 : 1;
  const json = parseJson(text);
  const whole = json === undefined ? text : JSON.stringify(json, null, 2);
  if (pick === undefined) {
    if (whole !== '') console.log(whole);
    return;
  }
  const member = pickMember(json, pick);
  if (member === undefined) {
    console.error(`the answer has no ${pick}:\n${whole}`);
    process.exitCode = 1;
  } else console.log(typeof member === 'string' ? member : JSON.stringify(member, null, 2));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function prepare() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [method, address] = positionals;
  if (method === undefined || address === undefined || positionals.length > 2) throw new Error('give METHOD and URL');
  const url = new URL(address, values.base);
  const body = readBody(values.data);
  const { 'x-request-id': requestId = randomIds.uuid(), ...headers } = Object.fromEntries(
    chooseHeaders(values.header, method.toUpperCase(), url, body),
  );
  const now = systemClock.now();
  const signature = signHeaders({
    method,
    target: url.pathname + url.search,
    headers,
    body,
    ...(values.ca === undefined
      ? readTpp(values.tpp, now)
      : readTppIssuedBy(readSandboxCa(values.ca), values.tpp, now)),
    date: now,
    requestId,
    coverRequestTarget: values['request-target'],
  });
  return { method: method.toUpperCase(), url, headers: { ...headers, ...signature }, body, values };
}

await runScript(usage, async () => {
  const request = prepare();
  if (!request.values.print) {
    await send(request.method, request.url, request.headers, request.body, request.values.pick);
    return;
  }
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  console.log(`${request.method} ${request.url.pathname}${request.url.search} HTTP/1.1\nhost: ${request.url.host}`);
  console.log(`${lines.join('\n')}\n\n${request.body.toString()}`);
});
