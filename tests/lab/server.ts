import { randomUUID } from 'node:crypto';
import type { Bank } from '../../engine/open-bank.ts';
import { systemClock, type WallClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { readConfig } from '../../api/start/config.ts';
import { bytesOf, headersOf } from '../../api/harness/connect.ts';
import { clientLimits } from '../../api/hosting/http-server.ts';
import { type ServerOptions, startServer } from '../../api/hosting/server.ts';
import type { CertificateRequest, IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { testCertificate } from './certificates.ts';
import { exchange, trustCaOf } from './exchange.ts';

const day = 86_400_000;

/** A certificate that is valid on the wall clock of now, which is what judges it (rules.md T1). */
export function validCertificate(changes: Partial<CertificateRequest> = {}): IssuedCertificate {
  const today = Math.floor(systemClock.now() / day) * day;
  return testCertificate({ validFrom: (today - day) as Instant, validTo: (today + 365 * day) as Instant, ...changes });
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text of another type; null when there was no body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
  readonly body: any;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A value to send as JSON, or the bytes themselves. */
  readonly body?: unknown;
  readonly certificate?: IssuedCertificate;
  /** When it is signed. Left out: now. */
  readonly date?: Instant;
}

/** The headers that a TPP always sends; null in a test takes one away. */
const usual = {
  'x-accept-fix': 'longer-names',
  'tpp-session-id': 'session-1',
  'tpp-redirect-uri': 'https://tpp.example/callback?state=abc',
  'psu-ip-address': '192.0.2.10',
  'content-type': 'application/json',
};

/** A bank and its client are in one process here: a move of the clock, or a busy machine, may hold both for longer than a connection may be idle. */
const patientLimits = { ...clientLimits, idle: 3_600_000 };

interface TestBankOptions {
  /** Left out: the clock of the machine. */
  readonly wall?: WallClock;
  /** Environment variables of the server. Left out: none. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole server on a free port, in memory, its clock frozen at `now`, as `npm start` would make it. */
export async function startTestBank(
  now: string,
  flags: readonly string[] = [],
  { wall = systemClock, env = {}, limits = patientLimits, ...options }: ServerOptions & TestBankOptions = {},
): Promise<TestBank> {
  const fixed = ['--port', '0', '--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', now];
  const config = readConfig(env, [...fixed, '--log-level', 'silent', ...flags]);
  const server = await startServer(config, wall, { ...options, limits });
  if (config.tls && config.tlsCert === null) await trustCaOf(server.address);
  return new TestBank(server.address, server.bank, () => server.stop());
}

/** An answer that is no error. Throws an Error with a refusal. */
export async function did(reply: Promise<Reply>): Promise<Reply> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return reply;
}

/** The control token of a server that teams share. */
export const hostToken = 'the-token-of-the-host';

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The PSU of the known state who pays unless a test says otherwise. */
const nora = '13039319955';

/** The headers that name a PSU in private. */
export function psuHeaders(psu = nora): { readonly 'x-psu-identity': string; readonly 'psu-context': string } {
  return { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
}

/** What a TPP is told when an SCA is to follow. */
export interface Told {
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}

/** What TPPs, PSUs and testers do to a bank over HTTP. */
export class BankClient {
  readonly address: string;
  /** Headers of each request, such as a token. */
  readonly own: Readonly<Record<string, string>>;

  constructor(address: string, own: Readonly<Record<string, string>> = {}) {
    this.address = address;
    this.own = own;
  }

  /** A signed request of a TPP to a path such as `/v1/accounts`. */
  signed(method: string, target: string, sent: Sent = {}): Promise<Reply> {
    const { headers, body } = this.signedParts(method, target, sent);
    return this.raw(method, target, headers, body);
  }

  /** The headers and the body of such a request. */
  signedParts(method: string, target: string, sent: Sent = {}): { headers: Record<string, string>; body: Buffer } {
    const body = bytesOf(sent);
    const { 'x-request-id': requestId = randomUUID(), ...headers } = headersOf(usual, sent);
    if (body.length === 0) delete headers['content-type'];
    const { certificatePem: certificate, keyPem: key } = sent.certificate ?? validCertificate();
    const { date = systemClock.now() } = sent;
    const signature = signHeaders({ method, target, headers, body, certificate, key, date, requestId });
    return { headers: { ...headers, ...signature }, body };
  }

  /** A request exactly as given. */
  async raw(method: string, target: string, headers: Record<string, string> = {}, body?: Uint8Array): Promise<Reply> {
    const sent = { method, headers: { ...this.own, ...headers }, body };
    const { text, ...answer } = await exchange(this.address + target, sent);
    const isJson = answer.headers.get('content-type')?.includes('json') ?? true;
    return { ...answer, body: text === '' ? null : isJson ? JSON.parse(text) : text };
  }

  /** A call of the control plane. */
  control(method: string, target: string, body?: unknown): Promise<Reply> {
    const headers: Record<string, string> = method === 'GET' ? {} : { 'content-type': 'application/json' };
    return this.raw(method, target, headers, bytesOf({ body }));
  }

  /** The PSU signs, in one call; the answer is the redirect as the TPP gets it. `told`: an address of an SCA page, or what the TPP was told. */
  async approve(told: string | Told, psu = nora, more: object = {}): Promise<URL> {
    const page = new URL(typeof told === 'string' ? told : told._links.scaRedirect.href);
    const approval = { outcome: 'approve', psu, context: 'PRIVATE', ...more };
    const answer = await did(this.control('POST', page.pathname.replace('/sca/', '/sandbox/sca/'), approval));
    return new URL(answer.body.redirect);
  }

  /** A PSU asks for a payment, which the bank takes. Returns what the TPP is told. */
  async initiates(path: string, body: object, psu = nora, sent: Sent = {}): Promise<Reply['body']> {
    const headers = { ...psuHeaders(psu), ...sent.headers };
    return (await did(this.signed('POST', path, { ...sent, body, headers }))).body;
  }

  /** A PSU asks for a payment and signs it, unless it is exempt. Returns its id. */
  async pays(path: string, body: object, psu = nora, sent: Sent = {}): Promise<string> {
    const told = await this.initiates(path, body, psu, sent);
    if (told._links.scaRedirect !== undefined) await this.approve(told, psu);
    return told.paymentId;
  }

  /** A PSU lets the TPP read accounts. Returns the headers that name the PSU. */
  async consents(psu = nora, more: object = {}, headers: Sent['headers'] = {}): Promise<{ readonly 'psu-id': string }> {
    const { body } = await did(this.signed('POST', '/v1/bank-offered-consents', { headers }));
    return { 'psu-id': (await this.approve(body, psu, more)).searchParams.get('psu-id') ?? '' };
  }

  /** What the control plane shows of a payment. */
  async payment(paymentId: string): Promise<Reply['body']> {
    return (await this.control('GET', `/sandbox/payments/${encodeURIComponent(paymentId)}`)).body;
  }

  /** Moves the clock. */
  advance(target: object): Promise<Reply> {
    return this.control('POST', '/sandbox/clock/advance', target);
  }

  reset(): Promise<Reply> {
    return this.control('POST', '/sandbox/reset');
  }

  /** Switches quirks. */
  quirks(quirks: object): Promise<Reply> {
    return this.control('PUT', '/sandbox/quirks', { quirks });
  }
}

/** One that runs in this process. */
export class TestBank extends BankClient {
  readonly bank: Bank;
  readonly stop: () => Promise<void>;

  constructor(address: string, bank: Bank, stop: () => Promise<void>) {
    super(address);
    this.bank = bank;
    this.stop = stop;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
