import { endpoints } from '../../api/interface/index.ts';
import { gatewayPage } from '../../api/pipeline/struck-call.ts';
import { type Answered, exchange } from '../lab/exchange.ts';
import { openRaw } from '../lab/raw-connection.ts';
import type { Seeded } from '../lab/seeded.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { type Campaign, demand, demandBooks, patientLimits, type Search } from './campaign.ts';
import { anyBody, anyHeaderValue, anyQuery, anyUuid, fill, Known, rawBytes, schemaOf } from './fuzz-requests.ts';

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Concurrent requests, and requests between two proofs of the books. */
const [requestsAtOnce, requestsBetween] = [8, 500];
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
export const fuzz: Campaign<ChangeAnswer> = async (search, answer = (same) => same) => {
  const bytesBefore = process.memoryUsage.rss();
  while (search.left() > 0) {
    await using bank = await startTestBank('2027-03-24T12:00:00+01:00', [], { limits: patientLimits });
    await askBank(bank, search, Math.min(requestsOfBank, search.left()), bytesBefore, answer);
  }
};

async function askBank(
  bank: TestBank,
  search: Search,
  count: number,
  bytesBefore: number,
  change: ChangeAnswer,
): Promise<void> {
  const known = new Known();
  // `METHOD /path` of each call of the control plane, as its own refusal lists them.
  const { allowed } = (await bank.control('GET', '/sandbox/nothing')).body as { readonly allowed: readonly string[] };
  for (let at = 0; at < count; at += requestsAtOnce) {
    // All are drawn before the first is sent: the order of the answers changes no move of this round.
    const length = Math.min(requestsAtOnce, count - at);
    const round = Array.from({ length }, () => draw(bank, search.random, known, allowed));
    const waited = healthWait(bank);
    const answers = await Promise.all(round.map((sent) => sendAndCheck(bank.address, sent, search, change)));
    for (const text of answers) known.learn(text);
    const ms = Math.round(await waited);
    demand(ms <= maxHealthWait, () => `/health waited for ${ms} ms of work: ${JSON.stringify(round.map(formatted))}`);
    if (Math.floor(at / requestsBetween) !== Math.floor((at + length) / requestsBetween))
      await prove(bank, search, bytesBefore);
  }
  await prove(bank, search, bytesBefore);
}

function draw(client: TestBank, random: Seeded, known: Known, control: readonly string[]): Sent | Buffer {
  const kind = random.below(20);
  if (kind === 0) return rawBytes(random);
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
    const call = random.pick(control);
    const [method = '', path = ''] = call.split(' ');
    const target = bank + fill(path, random, known) + anyQuery(random, ['from', 'to', 'count']);
    return { method: methodOr(method, random), target, headers: json, body: anyBody(random, schemaOf(random, call)) };
  }
  const endpoint = random.pick(endpoints);
  const path = fill(endpoint.path, random, known, endpoint.products);
  const base = bank + random.pick(['/v1', '/v1', '/api-sandbox/v1']);
  const method = methodOr(endpoint.method, random);
  const target = base + path + anyQuery(random, Object.keys(endpoint.query ?? {}));
  const headers = { ...json, ...interfaceHeaders(random) };
  const body = anyBody(random, schemaOf(random, endpoint));
  if (random.below(5) === 0) return { method, target, headers, body };
  const own = { ...headers, 'x-request-id': anyUuid(random) };
  return { method, target, ...client.signedParts(method, target, { headers: own, body }) };
}

function methodOr(method: string, random: Seeded): string {
  const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'] as const;
  return random.below(15) === 0 ? random.pick(others) : method;
}

function interfaceHeaders(random: Seeded): Record<string, string> {
  const headers: Record<string, string> = {
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
async function sendAndCheck(
  address: string,
  sent: Sent | Buffer,
  search: Search,
  change: ChangeAnswer,
): Promise<string> {
  const answer = Buffer.isBuffer(sent) ? await sendBytes(address, sent) : change(await send(address, sent));
  const { status, headers, text } = answer;
  search.tally(Buffer.isBuffer(sent) ? 'bytes' : `${sectionOf(sent.target)}: ${status}`);
  const problem = Buffer.isBuffer(sent) ? failureIn(answer) : problemWith(sent, answer);
  const told = (): string =>
    `${status} ${headers.get('content-type')} ${text.slice(0, 500)} to ${JSON.stringify(formatted(sent))}`;
  demand(problem === null, () => `${problem}: ${told()}`);
  search.step();
  return status < 300 || text.includes('scaRedirect') ? text : '';
}

function sectionOf(target: string): string {
  return /\/(v1|sandbox|sca)\b/.exec(target)?.[1] ?? 'elsewhere';
}

function failureIn({ status, text }: Answered): string | null {
  // An armed SYSTEM_ERROR looks like a real one, but its text says that it is armed.
  const isTold = status === 503 || (status === 500 && /provoked|armed/i.test(text));
  return status >= 500 && !isTold ? 'a failure' : null;
}

/** The fault of an answer; null if there is none. */
function problemWith({ method, target }: Sent, answer: Answered): string | null {
  const { status, headers, text } = answer;
  const type = headers.get('content-type') ?? '';
  const failure = failureIn(answer);
  if (failure !== null || status < 400 || method === 'HEAD') return failure;
  if (text === gatewayPage) return null;
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

function formatted(sent: Sent | Buffer): unknown {
  if (Buffer.isBuffer(sent)) return sent.toString('latin1').slice(0, 500);
  const headers = { ...sent.headers, Signature: undefined, 'TPP-Signature-Certificate': undefined };
  return { ...sent, headers, body: sent.body.toString('latin1').slice(0, 1_000) };
}

function send(address: string, { method, target, headers, body }: Sent): Promise<Answered> {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const sent = { method, headers, body: hasBody ? body : undefined };
  return exchange(address + target, sent).catch((error: unknown) => brokenAnswer(address, target, error));
}

/** Stands in for an answer that an armed fault broke (rules.md E6c), if the bank's journal shows the fault. Otherwise rethrows the error. */
async function brokenAnswer(address: string, target: string, error: unknown): Promise<Answered> {
  const [bank = ''] = /^\/banks\/[^/?]+/.exec(target) ?? [];
  const { text } = await exchange(`${address}${bank}/sandbox/requests`, { method: 'GET', headers: {} });
  if (!/"(cut|close)":true/.test(text)) throw error;
  return { status: 0, headers: new Headers(), text: '' };
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

async function prove({ bank }: TestBank, search: Search, bytesBefore: number): Promise<void> {
  await demandBooks(bank);
  const grown = process.memoryUsage.rss() - bytesBefore;
  demand(grown <= maxGrowth, `the process grew by ${Math.round(grown / 1024 / 1024)} MB`);
  search.tally('books proved');
}
