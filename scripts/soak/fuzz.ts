import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { readConfig } from '../../api/start/config.ts';
import { endpoints } from '../../api/interface/index.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { brokenProofs } from '../../lab/proof.ts';
import type { Seeded } from '../../lab/seeded.ts';
import { validCertificate } from '../../lab/server.ts';
import { Violation, type Campaign, type Soak } from './campaign.ts';
import { anyBody, anyHeaderValue, anyQuery, anyUuid, fill, Known, rawBytes } from './fuzz-requests.ts';

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Concurrent requests, and requests between two proofs of the books. */
const [together, between] = [8, 500];
/** Limit in ms of processor time, so that other processes do not count. */
const longestWait = 1_000;
/** By how much the process may grow, in bytes: it may have held much before, as a worker of a test run does. */
const mostMemory = 1_500 * 1024 * 1024;

/**
 * Requests of every kind to a whole server: the interface, the control plane, SCA pages, named banks, wrong methods, bodies
 * of any shape, bytes that are no HTTP. No 5xx except a declared 503 or an armed fault; each refusal in its form; /health
 * answers all the time; the books balance. `tamper` changes answers, to prove that the campaign checks them.
 */
export function fuzzCampaign(tamper: (answer: Answered) => Answered = (answer) => answer): Campaign {
  return {
    unit: 'requests',
    usualCount: 200_000,
    run: async (soak) => {
      const flags = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00', '--log-level', 'silent'];
      const server = await startServer(readConfig({}, ['--port', '0', '--ledger', ':memory:', ...flags]));
      try {
        await requests(soak, server, tamper);
      } finally {
        await server.stop();
      }
    },
  };
}

export const fuzz = fuzzCampaign();

async function requests(soak: Soak, server: RunningServer, tamper: (answer: Answered) => Answered): Promise<void> {
  const memoryBefore = process.memoryUsage().rss;
  const known = new Known();
  const control = await controlPaths(server.address);
  for (let at = 0; at < soak.count; at += together) {
    // All are drawn before the first is sent: the order of the answers changes no move of this round.
    const round = Array.from({ length: Math.min(together, soak.count - at) }, () => draw(soak.random, known, control));
    const waited = healthWait(server.address);
    for (const answer of await Promise.all(round.map((sent) => sendAndCheck(server.address, sent, soak, tamper))))
      known.learn(answer);
    const ms = await waited;
    if (ms > longestWait)
      throw new Violation(`/health waited for ${Math.round(ms)} ms of work: ${JSON.stringify(round.map(formatted))}`);
    if (Math.floor(at / between) !== Math.floor((at + together) / between)) await prove(server, soak, memoryBefore);
  }
  await prove(server, soak, memoryBefore);
}

/** `METHOD /path` of each call of the control plane, as its own refusal lists them. */
async function controlPaths(address: string): Promise<readonly [string, ...string[]]> {
  const { text } = await send(address, {
    method: 'GET',
    target: '/sandbox/nothing',
    headers: {},
    body: Buffer.alloc(0),
  });
  const [first, ...others] = (JSON.parse(text) as { allowed: string[] }).allowed;
  if (first === undefined) throw new Error('the control plane lists no calls');
  return [first, ...others];
}

function draw(random: Seeded, known: Known, control: readonly [string, ...string[]]): Sent | Buffer {
  const kind = random.below(20);
  if (kind === 0) return rawBytes(random);
  const body = anyBody(random);
  const json = { 'content-type': random.below(12) === 0 ? anyHeaderValue(random) : 'application/json' };
  const bank = random.below(10) === 0 ? `/banks/b${random.below(6)}` : '';
  if (kind < 3) {
    const form = `action=${random.pick(['identify', 'choose', 'approve', 'cancel', 'x'])}&psu=13039319955&context=PRIVATE&account=${encodeURIComponent(known.id(random))}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const method = random.pick(['GET', 'POST', 'POST', 'PUT']);
    return {
      method,
      target: `${bank}/sca/${known.sca(random)}${anyQuery(random, ['method', 'step'])}`,
      headers,
      body: Buffer.from(form),
    };
  }
  if (kind < 8) {
    const [method = '', path = ''] = random.pick(control).split(' ');
    return {
      method: methodOr(method, random),
      target: bank + fill(path, random, known) + anyQuery(random, ['from', 'to', 'count']),
      headers: json,
      body,
    };
  }
  const endpoint = endpoints[random.below(endpoints.length)];
  if (endpoint === undefined) throw new Error('the interface has no endpoints');
  const target = `${bank}${random.pick(['/v1', '/v1', '/api-sandbox/v1'])}${fill(endpoint.path, random, known, endpoint.products)}${anyQuery(random, Object.keys(endpoint.query ?? {}))}`;
  const sent = {
    method: methodOr(endpoint.method, random),
    target,
    headers: { ...json, ...interfaceHeaders(random) },
    body,
  };
  return random.below(5) === 0 ? sent : signed(sent, random);
}

function methodOr(method: string, random: Seeded): string {
  return random.below(15) === 0
    ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])
    : method;
}

function interfaceHeaders(random: Seeded): Record<string, string> {
  const headers: Record<string, string> = {
    'x-accept-fix': 'longer-names',
    'tpp-session-id': `session-${random.below(4)}`,
    'tpp-redirect-uri': 'https://tpp.example/callback',
    'psu-ip-address': '192.0.2.10',
    'x-psu-identity': '13039319955',
    'psu-context': random.pick(['PRIVATE', 'CORPORATE']),
  };
  const names: readonly [string, ...string[]] = [
    'psu-id',
    ...Object.keys(headers),
    'psu-corporate-id',
    'accept',
    'x-psu-authmethod-preferred',
  ];
  if (random.below(3) === 0) headers[random.pick(names)] = anyHeaderValue(random);
  return headers;
}

function signed(sent: Sent, random: Seeded): Sent {
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const more = signHeaders({ ...sent, certificate, key, date: systemClock.now(), requestId: anyUuid(random) });
  return { ...sent, headers: { ...sent.headers, ...more } };
}

/** What the bank answered, for what it names. */
async function sendAndCheck(
  address: string,
  sent: Sent | Buffer,
  soak: Soak,
  tamper: (answer: Answered) => Answered,
): Promise<string> {
  if (Buffer.isBuffer(sent)) {
    const text = await sendBytes(address, sent);
    soak.tally('bytes');
    if (/^HTTP\/1\.1 5/.test(text))
      throw new Violation(`${text.slice(0, 300)} to ${JSON.stringify(sent.toString('latin1').slice(0, 500))}`);
    soak.step();
    return '';
  }
  const answer = tamper(await send(address, sent));
  soak.tally(`${sectionOf(sent.target)}: ${answer.status}`);
  const problem = problemWith(sent, answer);
  if (problem !== null)
    throw new Violation(
      `${problem}: ${answer.status} ${answer.type} ${answer.text.slice(0, 500)} to ${JSON.stringify(formatted(sent))}`,
    );
  soak.step();
  return answer.status < 300 || answer.text.includes('scaRedirect') ? answer.text : '';
}

function sectionOf(target: string): string {
  return /\/(v1|sandbox|sca)\b/.exec(target)?.[1] ?? 'elsewhere';
}

/** The fault of an answer; null if there is none. */
function problemWith({ method, target }: Sent, { status, type, text }: Answered): string | null {
  // An armed SYSTEM_ERROR looks like a real one, but its text says that it is armed.
  const told = status === 503 || (status === 500 && /provoked|armed/i.test(text));
  if (status >= 500 && !told) return 'a failure';
  if (status < 400 || method === 'HEAD') return null;
  const section = sectionOf(target);
  if (type.startsWith('text/html')) return section === 'sca' ? null : 'a page';
  try {
    const body = JSON.parse(text) as {
      tppMessages?: { category?: string; code?: string; text?: string }[];
      status?: number;
      detail?: string;
    };
    if (type.startsWith('application/problem+json'))
      return body.status === status && body.detail !== undefined ? null : 'no problem';
    const messages = body.tppMessages ?? [];
    const right = messages.every((one) => one.category === 'ERROR' && one.code && one.text && one.text.length <= 512);
    return messages.length > 0 && right ? null : 'no tppMessages';
  } catch {
    return 'no JSON';
  }
}

function formatted(sent: Sent | Buffer): unknown {
  if (Buffer.isBuffer(sent)) return sent.toString('latin1').slice(0, 200);
  const { method, target, headers, body } = sent;
  return {
    method,
    target,
    headers: { ...headers, Signature: undefined, 'TPP-Signature-Certificate': undefined },
    body: body.toString('latin1').slice(0, 1_000),
  };
}

function send(address: string, { method, target, headers, body }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(address);
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Promise((resolve, reject) => {
    const length = hasBody ? { 'content-length': String(body.length) } : {};
    const request = httpRequest(
      { hostname, port, method, path: target, headers: { ...headers, ...length } },
      (response) => {
        let text = '';
        const type = response.headers['content-type'] ?? '';
        const done = (): void => resolve({ status: response.statusCode ?? 0, type, text });
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          // The stream of events has no end.
          if (method === 'GET' && type.startsWith('text/event-stream')) {
            done();
            response.destroy();
          }
        });
        response.on('error', reject);
        response.on('end', done);
      },
    );
    request.on('error', reject);
    request.end(hasBody ? body : undefined);
  });
}

/** Sends bytes and returns all that comes back until the connection closes or a time limit ends it. */
function sendBytes(address: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
    socket.setTimeout(50, () => socket.destroy());
    socket.write(bytes);
  });
}

/** Processor time of this process until /health answers, in ms. */
async function healthWait(address: string): Promise<number> {
  const before = process.cpuUsage();
  await send(address, { method: 'GET', target: '/health', headers: {}, body: Buffer.alloc(0) });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function prove({ bank }: RunningServer, soak: Soak, memoryBefore: number): Promise<void> {
  const broken = await brokenProofs(bank);
  if (Object.keys(broken).length > 0) throw new Violation(`the books are wrong: ${JSON.stringify(broken)}`);
  const grown = process.memoryUsage().rss - memoryBefore;
  if (grown > mostMemory) throw new Violation(`the process grew by ${Math.round(grown / 1024 / 1024)} MB`);
  soak.tally('books proved');
}
