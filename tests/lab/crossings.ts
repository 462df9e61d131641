import { randomUUID } from 'node:crypto';
import { connectBank } from '../../api/harness/index.ts';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { consoleActions, consoleViews } from '../../api/console/views.ts';
import { isReadByPages } from '../../api/control/guard.ts';
import { newBankToken } from '../../api/pipeline/control-token.ts';
import { type Answered, exchange } from './exchange.ts';
import { BankClient, bearer, did, validCertificate } from './server.ts';

/*
 * The matrix of tenants (docs/spec/control-plane.md H): every kind of call to a bank with the credentials of every other. The calls are
 * those of the API documents and of the console, so that a new route is in it.
 */

type Headers = Readonly<Record<string, string>>;

/** How a call is opened: by a bearer token, by a session of the console, by both; `host`: by what opens the server alone. */
interface Call {
  readonly kind: 'control' | 'door' | 'console' | 'document' | 'page' | 'host';
  readonly method: string;
  /** Below the bank. */
  readonly path: string;
  readonly by: 'token' | 'session' | 'both';
}

/** `opens`: the names of the banks that it opens; all: it is the host's. */
type Credential = readonly [
  name: string,
  by: 'token' | 'session' | 'nothing',
  headers: Headers,
  opens: readonly string[] | 'all',
];

/** What a bank gave to its own. */
interface Tenant {
  readonly name: string;
  readonly token: string;
  readonly cookie: string;
  readonly certificate: IssuedCertificate;
}

/** The name of the TPP of all tenants: their ids are the same (rules.md G8). */
const tppName = 'crossing';
/** Wrong tokens from one address (C4); fewer than the ten that are answered. */
const perAddress = 9;

/** Pages that the root shows to everybody, and a bank to its own. */
const openPages = ['/', '/docs', '/docs/first-payment', '/llms.txt', '/favicon.ico', '/sca/x', '/sandbox/landed'];

/** Takes some of the calls of one kind. */
type Sample = <Item>(calls: readonly Item[]) => readonly Item[];

const all: Sample = (calls) => calls;

/**
 * Makes two banks on a server with this control token, crosses the credentials of each with every call of the other, of a bank that is not
 * there and of the server, and removes the banks. Returns the calls that were crossed, such as `GET /sandbox/host`, counts of what was tried, and
 * what opened that should not, or did not open that should. `sample` takes some of the calls, for each credential anew; left out: all. Without a
 * credential each call is tried, then at one bank.
 */
export async function crossTenants(address: string, hostToken: string, sample: Sample = all) {
  const tried = new Map<string, number>();
  const wrong: string[] = [];
  const calls = new Set<string>();
  const client = new BankClient(address);
  const host = new BankClient(address, bearer(hostToken));
  /** Tokens that were sent, of which some were wrong: each address sends a few. */
  let guesses = 0;
  const suffix = randomUUID().slice(0, 8);
  const [one, other, absent] = [`one-${suffix}`, `two-${suffix}`, `non-${suffix}`];
  try {
    const tenants = [await make(one), await make(other)] as const;
    await controlCalls(tenants, absent);
    await signedCalls(...tenants, absent);
  } finally {
    for (const name of [one, other]) await host.control('DELETE', `/sandbox/banks/${name}`);
  }
  return { calls, tried: Object.fromEntries(tried), wrong };

  /** A bank, with everything that it gives to those who have its token. */
  async function make(name: string): Promise<Tenant> {
    const wanted = { name, now: '2027-03-24T12:00:00+01:00', mode: 'frozen' };
    const { body } = await did(host.control('POST', '/sandbox/banks', wanted));
    const bank = await connectBank(address, { name, token: body.token });
    const { certificate: certificatePem, key: keyPem } = await bank.tpp({ name: tppName }).credentials();
    const certificate = { ...validCertificate(), certificatePem, keyPem };
    return { name, token: body.token, cookie: await logIn(`/banks/${name}`, body.token), certificate };
  }

  /** The cookie of a session in the console of a bank or, with '', of the server. */
  async function logIn(base: string, given: string): Promise<string> {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Buffer.from(new URLSearchParams({ 'control-token': given }).toString());
    const { headers } = await client.raw('POST', `${base}/console/session`, form, body);
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  /** The operations of an API document, with a value for each parameter. */
  async function operationsIn(document: string): Promise<readonly (readonly [method: string, path: string])[]> {
    const { body } = await host.raw('GET', document);
    return Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => [method.toUpperCase(), filled(path, /\{\w+\}/g)] as const),
    );
  }

  /** Calls that a token or a session opens. */
  async function controlCalls([one, other]: readonly [Tenant, Tenant], absent: string): Promise<void> {
    const credentials: readonly Credential[] = [
      ['the token of one', 'token', bearer(one.token), [one.name]],
      ['the token of the other', 'token', bearer(other.token), [other.name]],
      ['the token of the host', 'token', bearer(hostToken), 'all'],
      ['a wrong token', 'token', bearer(newBankToken()), []],
      ['nothing', 'nothing', {}, []],
      ['the session of one', 'session', { cookie: one.cookie }, [one.name]],
      ['the session of the host', 'session', { cookie: await logIn('', hostToken) }, 'all'],
    ];
    const [ofBank, ofServer] = [await callsOf(`/banks/${one.name}`), await callsOf('')];
    for (const { method, path } of [...ofBank, ...ofServer]) calls.add(`${method} ${path}`);
    for (const credential of credentials) {
      const isNothing = credential[1] === 'nothing';
      const some = (calls: readonly Call[]): readonly Call[] =>
        isNothing ? calls : Object.values(Object.groupBy(calls, ({ kind }) => kind)).flatMap((each) => sample(each));
      for (const call of some(ofBank)) {
        const closed = await asked(call, credential, absent);
        for (const { name } of isNothing && sample !== all ? [other] : [one, other])
          await demandCall(call, credential, name, closed);
      }
      for (const call of some(ofServer)) await demandCall(call, credential, null, null);
    }
  }

  /** The calls of a bank, or of the server, from its documents and its console. */
  async function callsOf(base: string): Promise<readonly Call[]> {
    const own = '/sandbox/openapi.json';
    const control = (await operationsIn(base + own)).filter(([, path]) => path !== own);
    const pages = [
      ...consoleViews.map(({ path }) => ['GET', `/console${filled(path, /:\w+/g)}`] as const),
      ...consoleActions.map(({ path }) => ['POST', `/console${filled(path, /:\w+/g)}`] as const),
    ].map(([method, path]): Call => ({ kind: 'console', method, path, by: 'session' }));
    const controls = control.map(([method, path]): Call => {
      const by = isReadByPages({ method, path }) ? 'both' : 'token';
      return { kind: base === '' ? 'host' : 'control', method, path, by };
    });
    const door = (await operationsIn(`${base}/openapi.json`)).map(([method, path]): Call => {
      return { kind: 'door', method, path: `/sandbox/as/${tppName}/v1${path}`, by: 'token' };
    });
    if (base === '') {
      const metrics: Call = { kind: 'host', method: 'GET', path: '/metrics', by: 'token' };
      const { status } = await host.raw('GET', metrics.path);
      const ofHost = controls.filter(({ path }) => !/^\/(?:health|ready)$/.test(path));
      return [...ofHost, ...door, ...pages, ...(status === 404 ? [] : [metrics])];
    }
    const read = (kind: Call['kind'], path: string): Call => ({ kind, method: 'GET', path, by: 'both' });
    const documents = ['/openapi.json', own].map((path) => read('document', path));
    return [...controls, ...door, ...pages, ...documents, ...openPages.map((path) => read('page', path))];
  }

  /**
   * A bank opens for its own and for the host; for all others it answers as one that is not there does (`closed`). What is the host's opens
   * for the host alone: `name` is null.
   */
  async function demandCall(
    call: Call,
    credential: Credential,
    name: string | null,
    closed: Answered | null,
  ): Promise<void> {
    const [who, by, , opens] = credential;
    const isBy = call.by === 'both' || call.by === by;
    const isOpen = isBy && (opens === 'all' || (name !== null && opens.includes(name)));
    // It would change something whatever its body is.
    if (isOpen && call.kind === 'door' && call.method !== 'GET') return;
    const answer = await asked(call, credential, name);
    const { status, text } = answer;
    count(`${call.kind} by ${who}, ${isOpen ? 'open' : 'closed'}${name === null ? ', of the server' : ''}`);
    const what = `${who}, ${call.method} ${call.path} of ${name ?? 'the server'}: ${status} ${text.slice(0, 200)}`;
    demand(isOpen ? isIn(call, answer) : status === 401, what);
    if (isOpen || closed === null || name === null) return;
    const shown = ({ status, headers, text }: Answered, of: string): string =>
      `${status} ${headers.get('content-type')} ${text.replaceAll(of, absent)}`;
    const isSame = shown(answer, name) === shown(closed, absent);
    demand(isSame, `differs from a bank that is not there: ${what}`);
  }

  /** Calls that a certificate opens: of its own bank, whatever token comes with it. */
  async function signedCalls(one: Tenant, other: Tenant, absent: string): Promise<void> {
    const operations = await operationsIn(`/banks/${one.name}/openapi.json`);
    const sameId = validCertificate(testTppRequest(tppName, systemClock.now()));
    for (const [method, operation] of sample(operations)) {
      const path = `/v1${operation}`;
      const own = await signed(one.name, one.certificate, method === 'GET' ? method : 'PATCH', path);
      demand(codeOf(own) !== 'CERTIFICATE_INVALID', `the certificate of one, ${path}: ${own.status}`);
      for (const [who, signer, name] of [
        ['the certificate of one', one.certificate, other.name],
        ['the id of a TPP of one', sameId, one.name],
        ['the id of a TPP of one', sameId, other.name],
      ] as const) {
        for (const more of [{}, bearer(hostToken), bearer(other.token)]) {
          const answer = await signed(name, signer, method, path, more);
          count(`interface by ${who}`);
          const text = `${who}, ${method} ${path} of ${name}: ${answer.status} ${codeOf(answer)}`;
          demand(codeOf(answer) === 'CERTIFICATE_INVALID', text);
        }
      }
      const nowhere = await signed(absent, one.certificate, method, path);
      demand(nowhere.status === 401, `${method} ${path} of a bank that is not there: ${nowhere.status}`);
      if (method === 'GET' || !path.startsWith('/v1/sandbox/')) continue;
      for (const [who, given, status] of [
        ['nothing', null, 403],
        ['the token of one', one.token, 403],
        ['a wrong token', newBankToken(), 403],
        ['the token of the other', other.token, null],
        ['the token of the host', hostToken, null],
      ] as const) {
        // Carried out, it would change what the other calls need.
        if (status === null && /initialize/.test(path)) continue;
        const header: Headers = given === null ? {} : { 'sandbank-control-token': given };
        const answer = await signed(other.name, other.certificate, method, path, header);
        count(`sandbox data by ${who}`);
        const isForbidden = codeOf(answer) === 'FORBIDDEN';
        const isRight = status === null ? !isForbidden && answer.status < 500 : isForbidden && answer.status === status;
        demand(isRight, `${who}, ${method} ${path}: ${answer.status} ${codeOf(answer)}`);
      }
    }
  }

  /** A call with a credential, of a bank or of the server. Writes have a body that no call takes. */
  function asked({ method, path }: Call, [, by, headers]: Credential, bank: string | null): Promise<Answered> {
    const base = bank === null ? '' : `/banks/${bank}`;
    const body = method === 'GET' ? undefined : Buffer.from('x');
    const type: Headers = body === undefined ? {} : { 'content-type': 'text/plain' };
    return send(method, base + path, { ...headers, ...type }, body, by === 'token');
  }

  /** `guesses`: its token may be wrong. */
  function send(method: string, path: string, headers: Headers, body?: Buffer, guesses = false): Promise<Answered> {
    return exchange(address + path, { method, headers, body, from: guesses ? nextAddress() : undefined });
  }

  function signed(
    bank: string,
    certificate: IssuedCertificate,
    method: string,
    path: string,
    headers: Headers = {},
  ): Promise<Answered> {
    const target = `/banks/${bank}${path}`;
    return send(method, target, client.signedParts(method, target, { headers, certificate }).headers, undefined, true);
  }

  /** An address of this machine that has sent few wrong tokens. */
  function nextAddress(): string {
    const number = Math.floor(guesses / perAddress);
    guesses += 1;
    return `127.${1 + (number >> 14)}.${(number >> 7) & 127}.${1 + (number & 127)}`;
  }

  function count(what: string): void {
    tried.set(what, (tried.get(what) ?? 0) + 1);
  }

  function demand(isKept: boolean, broken: string): void {
    if (!isKept) wrong.push(broken);
  }
}

/** A read of the owner is let in; a write is refused for its type or for the token of its form, and so changes nothing. */
function isIn({ kind, method }: Call, { status, headers, text }: Answered): boolean {
  if (kind === 'console' && method === 'POST')
    return status === 403 && text.includes('does not carry the token of its page');
  if (kind === 'door') return headers.get('content-type')?.includes('problem') === false && status < 500;
  return ![401, 403, 429].includes(status) && status < 500;
}

/** A path with a value for each parameter. */
function filled(path: string, parameters: RegExp): string {
  return path.replaceAll('{product}', 'norwegian-domestic-credit-transfers').replaceAll(parameters, 'x');
}

function codeOf({ text }: Answered): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? '';
}
