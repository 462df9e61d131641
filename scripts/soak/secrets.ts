import { connect } from 'node:net';
import { zstdDecompressSync } from 'node:zlib';
import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { EventClient } from '../../lab/event-client.ts';
import { exchange } from '../../lab/exchange.ts';
import { spellingsOf, tells } from '../../lab/secret-spellings.ts';
import { type Campaign, type Soak, Violation } from './campaign.ts';

/** How many requests are sent between two looks. The journal keeps 500. */
const between = 200;

/** What a client sends, and where; `null` leaves a secret out of what is looked for. */
interface Secrets {
  readonly token: string;
  readonly apiKey: string;
  /** The base64 of a private key, without its lines. */
  readonly key: string;
}

/**
 * Spells the control token, API keys and private keys in each way in each part of a request, and looks for them in journal, log, events and
 * bundle (docs/spec/control-plane.md C3). `masked`: the token that the server knows; left out: the one that is sent.
 */
export function secretsCampaign(masked?: string): Campaign {
  return { unit: 'requests', usualCount: 10_000, run: (soak) => run(soak, masked) };
}

export const secrets = secretsCampaign();

async function run(soak: Soak, masked?: string): Promise<void> {
  const { random } = soak;
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=%&"\\<>{}'] as const;
  const drawn = (length: number): string =>
    Array.from({ length }, () => letters[random.below(letters.length)] ?? 'a').join('');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const sent: Secrets = {
    token: `t${drawn(15 + random.below(30))}`,
    apiKey: `k${drawn(7 + random.below(30))}`,
    key: privateKey.export({ format: 'der', type: random.pick(['pkcs8', 'pkcs1']) }).toString('base64'),
  };
  const token = masked ?? sent.token;
  const flags = [
    '--port=0',
    '--ledger=:memory:',
    '--log-level=silent',
    '--clock-mode=frozen',
    '--clock-now=2027-03-24',
  ];
  const server = await startServer(readConfig({ SANDBANK_CONTROL_TOKEN: token }, flags), systemClock, { log });
  const own = { authorization: `Bearer ${token}` };
  const events = await EventClient.open(server.address, undefined, own);
  try {
    for (let number = 1; number <= soak.count; number += 1) {
      await send(soak, server.address, sent, own);
      if (number % between === 0 || number === soak.count) {
        await look(server.address, sent, own, { log: lines, events: events.events });
        lines.splice(0);
        events.events.splice(0);
      }
      soak.step();
    }
  } finally {
    events.close();
    await server.stop();
  }
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

async function send(
  { random, tally }: Soak,
  address: string,
  { token, apiKey, key }: Secrets,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const [what, secret] = random.pick([
    ['token', token],
    ['token', token],
    ['api key', apiKey],
    ['private key', key],
  ] as const);
  const [way, spelling] = random.pick([...spellingsOf(secret, random)] as [[string, string], ...[string, string][]]);
  const base = what === 'api key' ? { 'x-api-key': apiKey } : {};
  const inPath = spelling.replace(/[^!-~]|["\\<>{}#?]/g, encodeURIComponent);
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<unknown> =>
    exchange(address + path, { method, headers: { ...base, ...headers }, body: Buffer.from(body) }).catch(() => null);
  const places: Readonly<Record<string, () => Promise<unknown>>> = {
    header: () => ask('GET', '/v1/users', { 'tpp-session-id': spelling }),
    'header name': () => ask('GET', '/v1/users', { [spelling.replace(/[^\w!#$%&'*+.^`|~-]/g, '') || 'x']: '1' }),
    certificate: () => ask('GET', '/v1/users', { 'tpp-signature-certificate': spelling, signature: spelling }),
    path: () => ask('GET', `/v1/payments/${inPath}/x`, {}),
    query: () => ask('GET', `/v1/users?x=${inPath}&y=1`, {}),
    bank: () => ask('GET', `/banks/${encodeURIComponent(spelling)}/v1/users`, {}),
    'request id': () => ask('GET', '/v1/users', { 'x-request-id': spelling }),
    form: () => ask('POST', '/v1/signing-baskets', form, `a=1&x=${spelling}&b=2`),
    json: () => ask('POST', '/v1/signing-baskets', json, `{"x":"${spelling}","y":[1]}`),
    member: () => ask('POST', '/sandbox/as/shop/v1/signing-baskets', { ...own, ...json }, `{"${spelling}":1}`),
    door: () => ask('GET', '/sandbox/as/shop/v1/accounts', { ...own, 'psu-id': spelling }),
    'cut body': () => ask('POST', '/v1/signing-baskets', form, `${'x'.repeat(65_536 - random.below(80))}${spelling}`),
    packet: () => unreadable(address, `GET /v1/users?x=${inPath} HTTP/1.1\r\nX: ${spelling}\r\nBad\r\n\r\n`),
  };
  const [place, work] = random.pick(Object.entries(places) as [[string, () => Promise<unknown>]]);
  tally(`${what} in ${place}`);
  tally(`spelled ${way}`);
  // An API key of which the server does not know is any text.
  if (what === 'api key' && place === 'packet') return;
  await work();
}

async function unreadable(address: string, packet: string): Promise<void> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  await new Promise<void>((resolve) => {
    socket
      .on('error', () => undefined)
      .once('close', () => resolve())
      .resume();
    socket.end(packet, 'latin1');
  });
}

async function look(
  address: string,
  sent: Secrets,
  own: Readonly<Record<string, string>>,
  told: { readonly log: readonly string[]; readonly events: readonly object[] },
): Promise<void> {
  const ask = async (path: string): Promise<string> =>
    (await exchange(`${address}/sandbox${path}`, { method: 'GET', headers: own })).text;
  const list = await ask('/requests');
  const { requests } = JSON.parse(list) as { readonly requests: readonly { readonly requestId: string }[] };
  const whole: string[] = [];
  for (const { requestId } of requests.slice(0, between)) {
    whole.push(await ask(`/requests/${encodeURIComponent(requestId)}`));
  }
  const answer = await fetch(`${address}/sandbox/bundle`, { headers: own });
  const bundle = Buffer.from(await answer.arrayBuffer());
  const content = zstdDecompressSync(bundle.subarray(bundle.indexOf('\n') + 1));
  const texts = {
    journal: [list, ...whole],
    log: told.log,
    events: told.events.map((event) => JSON.stringify(event)),
    bundle: content.subarray(0, content.indexOf('\n')).toString().split('},{'),
  };
  const wanted = { token: sent.token, 'api key': sent.apiKey, 'private key': sent.key.slice(60, 90) };
  for (const [where, all] of Object.entries(texts)) {
    for (const [what, secret] of Object.entries(wanted)) {
      const leak = all.find((text) => tells(text, secret));
      if (leak !== undefined) throw new Violation(`the ${what} ${secret} is in the ${where}: ${leak.slice(0, 2_000)}`);
    }
  }
}
