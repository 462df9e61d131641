import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient } from '../lab/server.ts';
import { inTurns, mapped, quantile } from './measure.ts';
import type { Server } from './servers.ts';

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A PSU of the known state, with the account that pays. */
export const psu = '13039319955';
const certificate = issueCertificate(testTppRequest('bench', systemClock.now()));
const client = new BankClient('');

/** Signs a request as the TPP `bench`, now: the signature is good for a minute. */
export function signed(
  method: 'GET' | 'POST',
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): PreparedRequest {
  return { method, target, ...client.signedParts(method, target, { headers, body, certificate }) };
}

/** A signed initiation. Amounts differ by `index`, so that none is a logical duplicate (rules.md P7). */
export function initiation(index: number, named: Readonly<Record<string, string>> = { 'x-psu-identity': psu }) {
  const instructedAmount = { amount: (1 + index / 100).toFixed(2), currency: 'NOK' };
  return signed('POST', singlePath, { 'psu-context': 'PRIVATE', ...named }, singlePayment({ instructedAmount }));
}

/** A request to the interface of the bank at `base`, such as `/banks/one`; its signature fits there too. */
export function inBank(base: string, request: PreparedRequest): PreparedRequest {
  return { ...request, target: base + request.target };
}

/** `count` initiations a turn, each in the next of the named banks; without names, in the server's own. No two of them are alike. */
export function initiationsIn(server: Server, banks: readonly string[], count: number): Stream {
  const nth = (index: number): PreparedRequest => {
    const bank = banks[index % banks.length];
    return inBank(bank === undefined ? '' : `/banks/${bank}`, initiation(index));
  };
  const requests = (turn: number) => Array.from({ length: count }, (_, index) => nth(turn * count + index));
  return { server, requests, status: 201 };
}

/** Sends one, and returns the body of the answer; throws on another status. `agent`: false for a connection of its own. */
export function send(
  agent: Agent | false,
  address: string,
  prepared: PreparedRequest,
  status: number,
): Promise<string> {
  const { method, target, headers, body } = prepared;
  return new Promise((resolve, reject) => {
    const options = { method, agent, headers: { ...headers, 'content-length': body.length } };
    const ask = address.startsWith('https:') ? requestTls : request;
    const sent = ask(address + target, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode === status) resolve(text);
        else reject(new Error(`${response.statusCode} instead of ${status}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a server is sent in a turn, and the status that it answers all of it with. */
export interface Stream {
  readonly server: Server;
  /** Signed when they are asked for. */
  readonly requests: (turn: number) => readonly PreparedRequest[];
  readonly status: number;
}

/**
 * The median rate of each stream, in requests a second of its server's processor: neither the client nor other work of the machine changes
 * it. The servers run beside each other and are measured in turn.
 */
export async function ratesOf<Name extends string>(
  streams: Readonly<Record<Name, Stream>>,
): Promise<Record<Name, number>> {
  return mapped(await inTurns(streams, rateOf), (rates: number[]) => quantile(rates, 0.5));
}

const connections = 16;

async function rateOf({ server, requests, status }: Stream, turn: number): Promise<number> {
  const { address } = server;
  const all = requests(turn);
  const left = all.values();
  const kept = { keepAlive: true, maxSockets: connections };
  // The certificate is checked once for each connection: that is not what is measured.
  const agent = address.startsWith('https:') ? new TlsAgent({ ...kept, rejectUnauthorized: false }) : new Agent(kept);
  const client = async (): Promise<void> => {
    for (const next of left) await send(agent, address, next, status);
  };
  const before = server.cpuMs();
  await Promise.all(Array.from({ length: connections }, client));
  const ms = server.cpuMs() - before;
  agent.destroy();
  return (all.length / ms) * 1000;
}
