import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { newBankToken } from '../../api/pipeline/control-token.ts';
import { EventClient } from '../lab/event-client.ts';
import { exchange } from '../lab/exchange.ts';
import { taken } from '../lab/forged-bundle.ts';
import { openRaw } from '../lab/raw-connection.ts';
import { spellingsOf, tells } from '../lab/secret-spellings.ts';
import { startTestBank } from '../lab/server.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';

/** Requests between two searches. The journal keeps 500. */
const requestsBetween = 200;

type Headers = Readonly<Record<string, string>>;

/** A request: method, path, headers and body. */
type Request = readonly [method: string, path: string, headers: Headers, body?: string];

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

/** A request with the secret in each place. `own`: headers of the tester, which the control plane asks for. */
const places: Readonly<Record<string, (spelling: string, inPath: string, own: Headers, filler: string) => Request>> = {
  header: (text) => ['GET', '/v1/users', { 'tpp-session-id': text }],
  'header name': (text) => ['GET', '/v1/users', { [text.replace(/[^\w!#$%&'*+.^`|~-]/g, '') || 'x']: '1' }],
  certificate: (text) => ['GET', '/v1/users', { 'tpp-signature-certificate': text, signature: text }],
  path: (_, inPath) => ['GET', `/v1/payments/${inPath}/x`, {}],
  query: (_, inPath) => ['GET', `/v1/users?x=${inPath}&y=1`, {}],
  bank: (text) => ['GET', `/banks/${encodeURIComponent(text)}/v1/users`, {}],
  'request id': (text) => ['GET', '/v1/users', { 'x-request-id': text }],
  form: (text) => ['POST', '/v1/signing-baskets', form, `a=1&x=${text}&b=2`],
  json: (text) => ['POST', '/v1/signing-baskets', json, `{"x":"${text}","y":[1]}`],
  member: (text, _, own) => ['POST', '/sandbox/as/shop/v1/signing-baskets', { ...own, ...json }, `{"${text}":1}`],
  door: (text, _, own) => ['GET', '/sandbox/as/shop/v1/accounts', { ...own, 'psu-id': text }],
  'fault path': (_, inPath, own) => {
    const fault = JSON.stringify({ code: 'SERVICE_BLOCKED', path: `/v1/${inPath}` });
    return ['POST', '/sandbox/faults', { ...own, ...json }, fault];
  },
  'cut body': (text, _, _own, filler) => ['POST', '/v1/signing-baskets', form, filler + text],
};

/** Keys as a client may write them down. Their base64, without the lines of a PEM, is the secret. */
const keys: readonly (() => Buffer)[] = [
  () => rsa().export({ format: 'der', type: 'pkcs8' }),
  () => rsa().export({ format: 'der', type: 'pkcs1' }),
  () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'pkcs8' }),
  () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'sec1' }),
];

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

/**
 * Spells the control token, API keys and private keys in each way in each part of a request, and looks for them in journal, log, events and
 * bundle (docs/spec/control-plane.md C3). A test changes the token that the server knows: it is another one than is sent.
 */
export const secrets: Campaign<string> = { unit: 'requests', usualCount: 10_000, run };

async function run(soak: Soak, known?: string): Promise<void> {
  const { random, count } = soak;
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=%&"\\<>{}'];
  const text = (length: number): string => Array.from({ length }, () => random.pick(letters)).join('');
  const secret = {
    token: `t${text(15 + random.below(30))}`,
    'token of a bank': newBankToken(),
    'api key': `k${text(7 + random.below(30))}`,
    'private key': random.pick(keys)().toString('base64'),
  };
  const token = known ?? secret.token;
  const own = { authorization: `Bearer ${token}` };
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const { address, stop } = await startTestBank('2027-03-24', [], { log, env: { SANDBANK_CONTROL_TOKEN: token } });
  soak.after(stop);
  const events = await EventClient.open(address, undefined, own);
  soak.after(() => events.close());
  await soak.each(async (index) => {
    await sendOne(soak, address, secret, own);
    if ((index + 1) % requestsBetween !== 0 && index + 1 !== count) return;
    const texts = {
      ...(await textsOf(address, own)),
      log: lines,
      events: events.events.map((each) => JSON.stringify(each)),
    };
    // The middle of a key: its beginning is that of any key.
    search(texts, { ...secret, 'private key': secret['private key'].slice(60, 90) });
    lines.splice(0);
    events.events.splice(0);
  });
}

async function sendOne(
  { random, tally }: Soak,
  address: string,
  secrets: Readonly<Record<string, string>>,
  own: Headers,
) {
  const place = random.pick([...Object.keys(places), 'packet']);
  // The bank knows an API key from the header of the request: elsewhere it is any text.
  const isKept = place === 'packet' || place === 'fault path';
  const what = random.pick(['token', 'token of a bank', 'private key', ...(isKept ? [] : ['api key'])]);
  const secret = secrets[what] ?? '';
  const [way, spelling] = random.pick([...spellingsOf(secret, random)]);
  const inPath = spelling.replace(/[^!-~]|["\\<>{}#?]/g, encodeURIComponent);
  tally(`${what} in ${place}`);
  tally(`spelled ${way}`);
  const requestOf = places[place];
  if (requestOf === undefined) {
    const { socket, answer } = await openRaw(address);
    socket.end(`GET /v1/users?x=${inPath} HTTP/1.1\r\nX: ${spelling}\r\nBad\r\n\r\n`, 'latin1');
    return void (await answer);
  }
  const [method, path, headers, body = ''] = requestOf(spelling, inPath, own, 'x'.repeat(65_536 - random.below(80)));
  const known: Headers = what === 'api key' ? { 'x-api-key': secret } : {};
  // Node's client refuses to send some of them.
  await exchange(address + path, { method, headers: { ...known, ...headers }, body: Buffer.from(body) }).catch(
    () => null,
  );
}

/** Journal and bundle as texts. */
async function textsOf(address: string, headers: Headers): Promise<Record<'journal' | 'bundle', string[]>> {
  const ask = async (path: string) => (await exchange(`${address}/sandbox${path}`, { method: 'GET', headers })).text;
  const list = await ask('/requests');
  const { requests } = JSON.parse(list) as { readonly requests: readonly { readonly requestId: string }[] };
  const journal = [list];
  for (const { requestId } of requests.slice(0, requestsBetween)) {
    journal.push(await ask(`/requests/${encodeURIComponent(requestId)}`));
  }
  const answer = await fetch(`${address}/sandbox/bundle`, { headers });
  const { json: bundle } = taken(Buffer.from(await answer.arrayBuffer()));
  return { journal, bundle: JSON.stringify(bundle).split('},{') };
}

function search(texts: Readonly<Record<string, readonly string[]>>, secrets: Readonly<Record<string, string>>): void {
  for (const [where, all] of Object.entries(texts)) {
    for (const [what, secret] of Object.entries(secrets)) {
      const leak = all.find((text) => tells(text, secret));
      demand(leak === undefined, () => `the ${what} ${secret} is in the ${where}: ${leak?.slice(0, 2_000)}`);
    }
  }
}
