import { endpoints } from '../../api/interface/index.ts';
import { busyPage, gatewayPage, leftPage } from '../../api/pipeline/struck-call.ts';
import { type Answered, exchange } from '../lab/exchange.ts';
import { openRaw } from '../lab/raw-connection.ts';
import type { Seeded } from '../lab/seeded.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { controlEndpoints } from '../support/control-endpoints.ts';
import { type Campaign, demand, demandBooks, type Search } from './campaign.ts';
import { anyBody, anyHeaderValue, anyQuery, fill, Known, rawBytes } from './fuzz-requests.ts';

interface Sent {
  /** Null: the body is all that is sent, and no HTTP. */
  readonly method: string | null;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Concurrent requests, and requests between two proofs of the books. */
const [requestsAtOnce, requestsBetween] = [8, 400];
/** Then a new server is asked, as the ledger, the journals and the snapshots of a bank grow with what it is asked. */
const requestsOfBank = 20_000;
/** In ms of processor time, so that other processes do not count. */
const maxHealthWait = 1_000;
/** Growth of the process in bytes: it may have held much before, as a worker of a test run does. */
const maxGrowth = 1_500 * 1024 * 1024;
/** Time limit of a connection that sends bytes, in ms: some leave the server waiting for more. */
const rawConnectionMs = 50;

/** A test changes answers. */
type ChangeAnswer = (answer: Answered) => Answered;

/**
 * Requests of every kind to a whole server: the interface, the control plane, SCA pages, named banks, wrong methods, bodies
 * of any shape and size, bytes that are no HTTP. No 5xx except a declared 503 or an armed fault; each refusal in its form; /health
 * answers all the time; the books balance.
 */
export const fuzz: Campaign<ChangeAnswer> = async (search, change = (same) => same) => {
  const bytesBefore = process.memoryUsage.rss();
  while (search.left() > 0) {
    await using bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const known = new Known();
    for (let asked = requestsAtOnce; asked <= requestsOfBank && search.left() > 0; asked += requestsAtOnce) {
      // All are drawn before the first is sent: the order of the answers changes no move of this round.
      const length = Math.min(requestsAtOnce, search.left());
      const round = Array.from({ length }, () => draw(bank, search.random, known));
      const waited = healthWait(bank);
      const answers = await Promise.all(round.map((sent) => sendAndCheck(bank.address, sent, search, change)));
      for (const text of answers) known.learn(text);
      const ms = Math.round(await waited);
      demand(ms <= maxHealthWait, () => `/health waited for ${ms} ms of work: ${round.map(formatted).join()}`);
      if (asked % requestsBetween > 0 && search.left() > 0) continue;
      await demandBooks(bank.bank);
      const grown = process.memoryUsage.rss() - bytesBefore;
      demand(grown <= maxGrowth, `the process grew by ${Math.round(grown / 1024 / 1024)} MB`);
      search.tally('books proved');
    }
  }
};

function draw(client: TestBank, random: Seeded, known: Known): Sent {
  const kind = random.below(20);
  if (kind === 0) return { method: null, target: 'bytes', headers: {}, body: rawBytes(random) };
  const bank = random.below(10) === 0 ? `/banks/b${random.below(6)}` : '';
  if (kind < 3) {
    const action = random.pick(['identify', 'choose', 'approve', 'cancel', 'x']);
    const account = encodeURIComponent(random.pick(known.ids));
    const body = Buffer.from(`action=${action}&psu=13039319955&context=PRIVATE&account=${account}`);
    const target = `${bank}/sca/${random.pick(known.scas)}${anyQuery(random, ['method', 'step'])}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method: random.pick(['GET', 'POST', 'POST', 'PUT']), target, headers, body };
  }
  const json = { 'content-type': random.below(12) === 0 ? anyHeaderValue(random) : 'application/json' };
  if (kind < 8) {
    const call = random.pick(controlEndpoints);
    const method = methodOr(call.method, random);
    const target = `${bank}/sandbox${fill(call.path, random, known)}${anyQuery(random, ['from', 'to', 'count'])}`;
    return { method, target, headers: json, body: anyBody(random, method, call.body) };
  }
  const endpoint = random.pick(endpoints);
  const path = fill(endpoint.path, random, known, endpoint.products);
  const base = bank + random.pick(['/v1', '/v1', '/api-sandbox/v1']);
  const method = methodOr(endpoint.method, random);
  const target = base + path + anyQuery(random, Object.keys(endpoint.query ?? {}));
  const headers = { ...json, ...interfaceHeaders(random) };
  const body = anyBody(random, method, endpoint.body);
  const isSigned = random.below(5) > 0;
  return { method, target, ...(isSigned ? client.signedParts(method, target, { headers, body }) : { headers, body }) };
}

function methodOr(method: string, random: Seeded): string {
  const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'] as const;
  return random.below(15) === 0 ? random.pick(others) : method;
}

function interfaceHeaders(random: Seeded): Record<string, string> {
  const headers: Record<string, string> = {
    // Now and then the same again, as in a repeated request.
    'x-request-id': `4eba4445-1a4b-47b8-bdd5-${random.below(100_000).toString(16).padStart(12, '0')}`,
    'tpp-session-id': `session-${random.below(4)}`,
    'tpp-redirect-uri': 'https://tpp.example/callback',
    'psu-ip-address': '192.0.2.10',
    'x-psu-identity': '13039319955',
    'psu-context': random.pick(['PRIVATE', 'CORPORATE']),
  };
  const others = ['psu-id', 'psu-corporate-id', 'accept', 'x-psu-authmethod-preferred', 'upgrade'] as const;
  if (random.below(3) === 0) headers[random.pick([...others, ...Object.keys(headers)])] = anyHeaderValue(random);
  return headers;
}

/** Sends one and checks the answer. Returns its text if later requests may use what it names. */
async function sendAndCheck(address: string, sent: Sent, search: Search, change: ChangeAnswer): Promise<string> {
  const answer = change(await send(address, sent));
  const { status, headers, text } = answer;
  search.tally(`${sectionOf(sent.target)}: ${status}`);
  const problem = problemWith(sent, answer);
  const told = `${status} ${headers.get('content-type')} ${text.slice(0, 500)}`;
  demand(problem === null, () => `${problem}: ${told} to ${formatted(sent)}`);
  search.step();
  return status < 300 || text.includes('scaRedirect') ? text : '';
}

function sectionOf(target: string): string {
  return /(?:^|\/)(v1|sandbox|sca|bytes)\b/.exec(target)?.[1] ?? 'elsewhere';
}

/** The fault of an answer; null if there is none. */
function problemWith({ method, target }: Sent, { status, headers, text }: Answered): string | null {
  // An armed SYSTEM_ERROR looks like a real one, but its text says that it is armed.
  const isTold = status === 503 || (status === 500 && /provoked|armed/i.test(text));
  if (status >= 500 && !isTold) return 'a failure';
  if (status < 400 || method === null || method === 'HEAD') return null;
  // A gateway in front of the bank answers in no form of the bank (rules.md E6c, E6f).
  if ([busyPage, gatewayPage, leftPage].includes(text)) return null;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) return sectionOf(target) === 'sca' ? null : 'a page';
  try {
    const body = JSON.parse(text) as {
      readonly tppMessages?: readonly { readonly category?: string; readonly code?: string; readonly text?: string }[];
      readonly status?: number;
      readonly detail?: string;
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

function formatted(sent: Sent): string {
  const headers = { ...sent.headers, Signature: undefined, 'TPP-Signature-Certificate': undefined };
  return JSON.stringify({ ...sent, headers, body: sent.body.toString('latin1').slice(0, 1_000) });
}

/** The answer; one of status 0 if an armed fault broke it (rules.md E6c), as the bank's journal shows. */
async function send(address: string, { method, target, headers, body }: Sent): Promise<Answered> {
  if (method === null) return sendBytes(address, body);
  try {
    return await exchange(address + target, { method, headers, body });
  } catch (error) {
    const [bank = ''] = /^\/banks\/[^/?]+/.exec(target) ?? [];
    const { text } = await exchange(`${address}${bank}/sandbox/requests`, { method: 'GET', headers: {} });
    if (!/"(cut|close)":true/.test(text)) throw error;
    return { status: 0, headers: new Headers(), text: '' };
  }
}

/** Sends bytes; the answer is all that comes back until the connection closes or its time is over. */
async function sendBytes(address: string, bytes: Buffer): Promise<Answered> {
  const { socket, answer } = await openRaw(address);
  socket.setTimeout(rawConnectionMs, () => socket.destroy());
  socket.write(bytes);
  const text = await answer;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), headers: new Headers(), text };
}

/** Processor time of this process until /health answers, in ms. */
async function healthWait(bank: TestBank): Promise<number> {
  const before = process.cpuUsage();
  await bank.raw('GET', '/health');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
