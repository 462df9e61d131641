import { randomUUID } from 'node:crypto';
import { Session, type Profiler } from 'node:inspector/promises';
import { readConfig } from '../../api/start/config.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { allStatementsOf, statementsOf } from './count-statements.ts';
import { withTarget, type Figure } from './figure.ts';

const psu = '13039319955';
const root = new URL('../../', import.meta.url).href;

/** One request, signed beforehand, so that signing is not counted. */
type Send = () => Promise<Answer>;

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
}

/** Costs of three requests to a running server: source files executed and SQL statements. */
export async function requestCosts(): Promise<Figure[]> {
  const flags = ['--port', '0', '--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', '2027-03-16T12:00Z'];
  const server = await startServer(readConfig({}, [...flags, '--log-level', 'silent']));
  try {
    const tpp = new Tpp(server.address);
    const psuId = await tpp.consent();
    const account = await tpp.firstAccount(psuId);
    let cents = 100;
    const initiation = (): Send => tpp.initiation({ 'psu-id': psuId }, (cents += 1));
    const approval = async (): Promise<Send> => {
      const { body } = await tpp.initiation({ 'x-psu-identity': psu }, (cents += 1))();
      return approvalOf(memberOf<{ scaRedirect: { href: string } }>(body, '_links').scaRedirect.href);
    };
    const list = (): Send => tpp.signed('GET', `/v1/accounts/${account}/transactions`, { 'psu-id': psuId });
    return [
      ...(await costOf('POST /v1/payments with PSU-ID', server, initiation, { status: 201, atMost: 12 })),
      ...(await costOf('approval of one SCA', server, approval, { status: 303, atMost: 12 })),
      ...(await costOf('GET transactions', server, list, { status: 200, atMost: 9 })),
    ];
  } finally {
    await server.stop();
  }
}

async function costOf(
  what: string,
  { bank }: RunningServer,
  prepare: () => Send | Promise<Send>,
  { status, atMost }: { readonly status: number; readonly atMost: number },
): Promise<Figure[]> {
  const turn = async (): Promise<() => Promise<void>> => {
    const send = await prepare();
    return async () => {
      const answer = await send();
      if (answer.status !== status) throw new Error(`${what}: ${answer.status} instead of ${status}: ${answer.body}`);
    };
  };
  // The first one compiles schemas and reads the certificate: once, not for each request.
  await (
    await turn()
  )();
  // The scheduler looks at the clock meanwhile, once a second: what is in every turn belongs to the request.
  const [files, ...others] = [await filesOf(await turn()), await filesOf(await turn()), await filesOf(await turn())];
  const ownFiles = [...files].filter((file) => others.every((other) => other.has(file)));
  const statements = (await statementsOf(bank, await turn())).length;
  const all = (await allStatementsOf(bank, await turn())).length;
  return [
    withTarget(
      what,
      { figure: `${statements} statements`, ratio: `${all} with begin, commit and the like` },
      { by: statements, atMost },
    ),
    { what: '  files of engine and api', figure: `${ownFiles.length} files`, ratio: '', target: '', isMet: true },
  ];
}

/** The files of engine and api of which a function was called during the request. */
async function filesOf(work: () => Promise<void>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // What it takes from here on is what was called since.
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Set(result.filter(isCalled).map(({ url }) => url.slice(root.length)));
  } finally {
    session.disconnect();
  }
}

function isCalled({ url, functions }: Profiler.ScriptCoverage): boolean {
  const isOurs = url.startsWith(`${root}engine/`) || url.startsWith(`${root}api/`);
  return isOurs && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
}

/** A TPP with its own certificate. */
class Tpp {
  readonly #address: string;
  readonly #certificate = issueCertificate(testTppRequest('bench', systemClock.now()));

  constructor(address: string) {
    this.#address = address;
  }

  signed(method: string, target: string, more: Readonly<Record<string, string>>, json?: object): Send {
    const body = Buffer.from(json === undefined ? '' : JSON.stringify(json));
    const headers = {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      'psu-ip-address': '192.0.2.10',
      'tpp-redirect-uri': 'https://tpp.example/return',
      'tpp-session-id': 'bench',
      'x-accept-fix': 'longer-names',
      'psu-context': 'PRIVATE',
      ...more,
    };
    const { certificatePem: certificate, keyPem: key } = this.#certificate;
    const signing = { method, target, headers, body, certificate, key };
    const signature = signHeaders({ ...signing, date: systemClock.now(), requestId: randomUUID() });
    const sent = { method, headers: { ...headers, ...signature }, ...(json !== undefined && { body }) };
    return () => answerOf(this.#address + target, sent);
  }

  initiation(named: Readonly<Record<string, string>>, cents: number): Send {
    return this.signed('POST', '/v1/payments/norwegian-domestic-credit-transfers', named, {
      instructedAmount: { amount: (cents / 100).toFixed(2), currency: 'NOK' },
      creditorName: 'Company 123',
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
    });
  }

  /** PSU-ID of a PSU who gave a consent. */
  async consent(): Promise<string> {
    const { body } = await this.signed('POST', '/v1/bank-offered-consents', { 'x-psu-identity': psu })();
    const sca = new URL(memberOf<{ scaRedirect: { href: string } }>(body, '_links').scaRedirect.href);
    const approval = JSON.stringify({ outcome: 'approve', psu, context: 'PRIVATE' });
    const headers = { 'content-type': 'application/json' };
    const answer = await answerOf(`${sca.origin}/sandbox${sca.pathname}`, { method: 'POST', headers, body: approval });
    return new URL(memberOf<string>(answer.body, 'redirect')).searchParams.get('psu-id') ?? '';
  }

  async firstAccount(psuId: string): Promise<string> {
    const { body } = await this.signed('GET', '/v1/accounts', { 'psu-id': psuId })();
    const [first] = memberOf<{ resourceId: string }[]>(body, 'accounts');
    return first?.resourceId ?? '';
  }
}

/** Identifies the PSU on the SCA page; what is left to send is the approval. */
async function approvalOf(scaRedirect: string): Promise<Send> {
  const first = await formOn(scaRedirect);
  const { location } = await first({ action: 'identify', psu })();
  return (await formOn(new URL(location, scaRedirect).href))({ action: 'approve' });
}

/** The form of an SCA page, with its token. */
async function formOn(page: string): Promise<(fields: Readonly<Record<string, string>>) => Send> {
  const { body } = await answerOf(page, {});
  const token = /name="token" value="([^"]*)"/.exec(body)?.[1] ?? '';
  return (fields) => () => answerOf(page, { method: 'POST', body: new URLSearchParams({ token, ...fields }) });
}

async function answerOf(address: string, sent: RequestInit): Promise<Answer> {
  const answer = await fetch(address, { ...sent, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location') ?? '', body: await answer.text() };
}

function memberOf<T>(json: string, member: string): T {
  return (JSON.parse(json) as Record<string, T>)[member] as T;
}
