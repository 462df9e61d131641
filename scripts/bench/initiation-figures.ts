import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { issueCertificate, type IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { type Figure, given, median } from './figure.ts';
import { repeats } from './run-interleaved.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { Agent, request } from 'node:http';

const target = '/v1/payments/norwegian-domestic-credit-transfers';
/** Initiations over HTTP, with the signature check. The requests are signed beforehand. */
export async function initiationFigures(folder: string, scale: number): Promise<Figure[]> {
  const count = 5_000 / scale;
  const inMemory = await measure(':memory:', count);
  const durable = await measure(join(folder, 'http.sqlite'), count / 5);
  const ratio = `${(inMemory.initiations / inMemory.empty).toFixed(2)} of empty`;
  return [
    given('initiations over HTTP, signed, in memory', perSecond(inMemory.initiations), ratio),
    given('  the same server, unsigned and empty', perSecond(inMemory.empty)),
    given('  on a file, each waiting for the disk', perSecond(durable.initiations)),
  ];
}

interface Rates {
  readonly initiations: number;
  readonly empty: number;
}

async function measure(ledger: string, count: number): Promise<Rates> {
  const server = startProcess(['--port', '0', '--ledger', ledger]);
  try {
    const address = await addressOf(server);
    const certificate = issueCertificate(testTppRequest('bench', systemClock.now()));
    const none = Array.from({ length: count }, (): PreparedRequest => ({ target, headers: {}, body: Buffer.alloc(0) }));
    const turns: Rates[] = [];
    // The first turn warms the server up and does not count.
    for (let turn = 0; turn <= repeats; turn += 1) {
      const empty = await requestsPerSecond(address, none, 400);
      const signed = Array.from({ length: count }, (_, index) => initiation(certificate, turn * count + index));
      turns.push({ empty, initiations: await requestsPerSecond(address, signed, 201) });
    }
    const counted = turns.slice(1);
    return {
      initiations: median(counted.map(({ initiations }) => initiations)),
      empty: median(counted.map(({ empty }) => empty)),
    };
  } finally {
    await server.stop();
  }
}

function perSecond(rate: number): string {
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

/** A signed POST request. */
export interface PreparedRequest {
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
    const options = { method: 'POST', agent, headers: { ...prepared.headers, 'content-length': prepared.body.length } };
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
