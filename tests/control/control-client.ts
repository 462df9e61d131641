import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { ArmedFaults } from '../../api/pipeline/armed-faults.ts';
import { readConfig } from '../../api/start/config.ts';
import { ThrowAwayTpps } from '../../api/signing/test-tpp.ts';
import { sandboxCaFor } from '../../api/start/trusted-cas.ts';
import { controlPlane, ofEveryBank } from '../../api/control/control-plane.ts';
import { controlTokenOf } from '../../api/pipeline/control-token.ts';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { addProbes, Readiness } from '../../api/hosting/readiness.ts';
import type { Bank, BankOptions } from '../../engine/open-bank.ts';
import { bytesOf, headersOf } from '../../api/harness/connect.ts';
import { memoryBank } from '../lab/bank.ts';
import { exchange } from '../lab/exchange.ts';
import { forEach } from '../support/test-bank.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
  readonly body: any;
}

export interface Sending {
  /** Null takes a usual header away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A value to send as JSON, or a text to send as it is. */
  readonly body?: unknown;
}

/** The control plane of a bank in memory, over HTTP. */
export interface ControlClient {
  readonly bank: Bank;
  readonly readiness: Readiness;
  /** Lines that were logged. */
  readonly logged: string[];
  send(method: string, target: string, sending?: Sending): Promise<Answer>;
  get(target: string): Promise<Answer>;
  post(target: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts one with its bank clock at `now`, frozen unless the options say otherwise. */
export async function openControl(
  now: string,
  { flags = [], ...options }: Partial<BankOptions> & { readonly flags?: readonly string[] } = {},
): Promise<ControlClient & AsyncDisposable> {
  const bank = await memoryBank(now, options);
  const readiness = new Readiness();
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const app = express();
  addProbes(app, readiness);
  // The control plane alone: there is no interface to judge a request by.
  const judge = () => Promise.reject(new Error('no interface'));
  const its = { base: '', address: 'http://127.0.0.1', at: '/sandbox' as const, endpoints: ofEveryBank, judge };
  const sandboxCa = sandboxCaFor(':memory:');
  const tpps = new ThrowAwayTpps(sandboxCa);
  const turn = oneAtATime((error) => bank.ledger.stop('moving the clock failed', error));
  const config = readConfig({}, flags);
  app.use(
    '/sandbox',
    controlPlane({
      ...its,
      isOfConsole: () => false,
      bank,
      config,
      token: controlTokenOf(config.controlToken),
      faults: new ArmedFaults(new AbortController().signal),
      sandboxCa,
      tpps,
      turn,
      log,
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = async (method: string, target: string, sending: Sending = {}): Promise<Answer> => {
    const headers = headersOf(method === 'GET' ? {} : { 'content-type': 'application/json' }, sending);
    const sent = { method, headers: { host: `localhost:${port}`, ...headers }, body: bytesOf(sending) };
    const { text, ...answer } = await exchange(`http://127.0.0.1:${port}${target}`, sent);
    return { ...answer, headers: Object.fromEntries(answer.headers), body: text === '' ? null : JSON.parse(text) };
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await bank.close();
  };
  return {
    ...{ bank, readiness, logged, send, close, [Symbol.asyncDispose]: close },
    get: (target) => send('GET', target),
    post: (target, body) => send('POST', target, { body }),
  };
}

/** One for each test, see {@link openControl}. */
export function controlForEach(...opened: Parameters<typeof openControl>): ControlClient {
  return forEach(
    () => openControl(...opened),
    (control) => control.close(),
  );
}
