import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { issueCertificate, type IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { closeInOnePiece, instant } from './bench-bank.ts';
import { type Figure, given, median, withTarget } from './figure.ts';
import { repeats } from './run-interleaved.ts';
import { type ServerProcess, startHandWritten, startProcess } from './server-process.ts';
import { Agent, request } from 'node:http';
import BetterSqlite3 from 'better-sqlite3';

const target = '/v1/payments/norwegian-domestic-credit-transfers';

/** Initiations a second, of the hand-written server; on a file, of those in memory. */
const targets = { byHand: 0.75, onFile: 0.8 };

/** A banking day, so that no answer has a warning. */
export const benchNow = '2027-03-16T12:00:00Z';
export const benchClock = ['--clock-mode', 'frozen', '--clock-now', benchNow];

/** Initiations over HTTP, with the signature check, beside a server that does the same by hand. The requests are signed beforehand. */
export async function initiationFigures(folder: string, scale: number): Promise<Figure[]> {
  const count = 5_000 / scale;
  const rates = await measure(folder, count);
  const ofHand = rates.inMemory / rates.byHand;
  const ofMemory = rates.onFile / rates.inMemory;
  const ratio = (by: number, of: string): string => `${by.toFixed(2)} of ${of}`;
  return [
    given('initiations over HTTP, signed, by a hand-written server in memory', perSecond(rates.byHand)),
    withTarget(
      '  by the bank, in memory',
      { figure: perSecond(rates.inMemory), ratio: ratio(ofHand, 'the hand-written') },
      { by: ofHand, atLeast: targets.byHand },
    ),
    withTarget(
      '  on a file, each waiting for the disk',
      { figure: perSecond(rates.onFile), ratio: ratio(ofMemory, 'in memory') },
      { by: ofMemory, atLeast: targets.onFile },
    ),
    given('  the bank in memory, unsigned and empty', perSecond(rates.empty)),
  ];
}

type Rates = Readonly<Record<'byHand' | 'inMemory' | 'onFile' | 'empty', number>>;

/** All servers run side by side and are measured in turn, so that other load on the machine affects all of them. */
async function measure(folder: string, count: number): Promise<Rates> {
  const seeded = join(folder, 'seeded.sqlite');
  await seedLedger(seeded);
  const servers = {
    byHand: startHandWritten(seeded, instant(benchNow)),
    inMemory: startProcess(['--port', '0', '--ledger', ':memory:', ...benchClock]),
    onFile: startProcess(['--port', '0', '--ledger', join(folder, 'http.sqlite'), ...benchClock]),
  };
  try {
    const certificate = issueCertificate(testTppRequest('bench', systemClock.now()));
    const addresses = {
      byHand: await addressOf(servers.byHand),
      inMemory: await addressOf(servers.inMemory),
      onFile: await addressOf(servers.onFile),
    };
    const signed = (turn: number): PreparedRequest[] =>
      Array.from({ length: count }, (_, index) => initiation(certificate, turn * count + index));
    const none = Array.from({ length: count }, (): PreparedRequest => ({ target, headers: {}, body: Buffer.alloc(0) }));
    const turns: Rates[] = [];
    // The first turn warms the servers up and does not count.
    for (let turn = 0; turn <= repeats; turn += 1) {
      turns.push({
        byHand: await requestsPerSecond(addresses.byHand, signed(turn), 201),
        inMemory: await requestsPerSecond(addresses.inMemory, signed(turn), 201),
        onFile: await requestsPerSecond(addresses.onFile, signed(turn), 201),
        empty: await requestsPerSecond(addresses.inMemory, none, 400),
      });
    }
    const middle = (which: keyof Rates): number => median(turns.slice(1).map((each) => each[which]));
    return {
      byHand: middle('byHand'),
      inMemory: middle('inMemory'),
      onFile: middle('onFile'),
      empty: middle('empty'),
    };
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** A closed ledger file of a new bank, in one piece. */
export async function seedLedger(path: string): Promise<void> {
  const server = startProcess(['--port', '0', '--ledger', path, ...benchClock]);
  try {
    await addressOf(server);
  } finally {
    await server.stop();
  }
  closeInOnePiece(new BetterSqlite3(path));
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')} requests/s`;
}

/** A signed initiation. Amounts differ by `index`, so that none is a logical duplicate (rules.md P7). */
export function initiation(tpp: IssuedCertificate, index: number): PreparedRequest {
  const body = Buffer.from(
    JSON.stringify({
      instructedAmount: { amount: (1 + index / 100).toFixed(2), currency: 'NOK' },
      creditorName: 'Company 123',
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
    }),
  );
  const headers = {
    'content-type': 'application/json',
    'psu-ip-address': '192.0.2.10',
    'tpp-redirect-uri': 'https://tpp.example/return',
    'tpp-session-id': 'bench',
    'x-accept-fix': 'longer-names',
    'x-psu-identity': '13039319955',
    'psu-context': 'PRIVATE',
  };
  const { certificatePem: certificate, keyPem: key } = tpp;
  const signing = { method: 'POST', target, headers, body, certificate, key };
  const signature = signHeaders({ ...signing, date: systemClock.now(), requestId: randomUUID() });
  return { target, headers: { ...headers, ...signature }, body };
}

/** Address of a server that has started, as it prints it. */
export async function addressOf(server: ServerProcess): Promise<string> {
  for (;;) {
    const found = /http:\/\/\S+/.exec(server.printed())?.[0];
    if (found !== undefined) return found;
    server.assertAlive();
    await setTimeout(10);
  }
}

/** A request that is ready to be sent, a POST if left out. */
export interface PreparedRequest {
  readonly method?: 'GET';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const connections = 16;

/** Sends all requests over a few connections and returns the rate. Throws on an unexpected status. */
export async function requestsPerSecond(
  address: string,
  requests: readonly PreparedRequest[],
  status: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const left = requests.values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const next of left) await send(agent, address, next, status);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return requests.length / seconds;
}

/** Sends one; throws on another status. */
export function send(agent: Agent, address: string, prepared: PreparedRequest, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      method: prepared.method ?? 'POST',
      agent,
      headers: { ...prepared.headers, 'content-length': prepared.body.length },
    };
    const sent = request(address + prepared.target, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`${response.statusCode} instead of ${status}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(prepared.body);
  });
}
