import { createServer, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import express from 'express';
import type { Logger } from 'pino';
import { type Bank, copiedWith } from '../../engine/open-bank.ts';
import type { BankEvent } from '../../engine/bank/outlet.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { type Config, isTestRun } from '../start/config.ts';
import { addProbes, Readiness } from '../hosting/readiness.ts';
import { ConsoleSessions } from '../console/sessions.ts';
import { HostedBank, type Hosting } from '../hosting/hosted-bank.ts';
import { controlTokenOf } from '../pipeline/control-token.ts';
import { requestLog } from '../pipeline/request-log.ts';
import { type ConfiguredBank, openConfiguredBank } from '../hosting/open-configured-bank.ts';
import { freePortNear } from '../start/free-port.ts';
import { loadTrustedCas, sandboxCaFor } from '../start/trusted-cas.ts';
import { ThrowAwayTpps } from '../signing/test-tpp.ts';
import { loadPriceList } from '../start/fixtures.ts';
import { processLog } from '../hosting/log.ts';
import { addressOf } from '../pipeline/addresses.ts';
import { takesBack, type TestBank, testBanks } from './failed-tests/test-banks.ts';
import { trialOfNextBank } from '../gauntlet/own-trial.ts';
import { payerOf } from '../control/payments/pay-and-sign.ts';
import { configOf, fixturesOf, optionNames, withLives } from './config-of.ts';
import { membersGiven } from './given.ts';
import { bundleGiven } from './copy.ts';
import { assert } from '../../engine/values/assert.ts';
import { type AnswerTo, withValue } from '../openapi/calls.ts';
import { type Control, connectTo } from './connect.ts';
import { harnessBank, type ReachedBank } from './harness-bank.ts';
import { withRealImmediate } from './real-immediate.ts';
import type { CreateBankOptions, Bank as TestedBank } from './types/index.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Host of a bank without a port. The name is reserved (RFC 6761), so no request can reach another server. */
const nowhere = 'sandbank.test';

/** Shared by all banks: it holds only computed days. */
export const calendar = norwegianCalendar();

/** Shared by all banks, so that a key is generated for it once. */
const sandboxCa = sandboxCaFor(':memory:');

/** Shared by all banks, so that keys are generated once. */
const tpps = new ThrowAwayTpps(sandboxCa);

/** Read once: the package's price list does not change while the process runs, and answers to When? are kept by it. */
export const prices = once(loadPriceList);

/** By level and control token: making one takes longer than a request. */
const logs = new Map<string, Logger>();

/** The bank that createBank returns. */
export async function openForTests(options: CreateBankOptions): Promise<TestedBank> {
  return harnessBank(await bankServer(options));
}

/**
 * Opens a bank behind an HTTP server, which listens only if a port was given. It has no scheduler: each request first
 * carries out the runs that are due.
 */
export async function bankServer(
  options: CreateBankOptions,
): Promise<ReachedBank & { readonly bank: Bank; readonly hosted: HostedBank; readonly read: Control }> {
  membersGiven('createBank', optionNames, options);
  const trial = await trialOfNextBank();
  const from = options.from === undefined ? null : await bundleGiven(options.from);
  const { config, choose } = await configOf(options, trial, from);
  const knownState = from?.knownState ?? (await withLives(await fixturesOf(options.fixtures), options.life));
  const copied = from !== null && { copied: copiedWith(from.copied, choose, options.mode) };
  const stopping = new AbortController();
  const app = express().disable('x-powered-by').disable('etag');
  const server = createServer(withRealImmediate(app));
  const base = new URL(options.port === undefined ? `http://${nowhere}` : await listen(server, config));
  const address = base.origin;
  const logged = JSON.stringify([config.logLevel, config.controlToken]);
  const log = logs.get(logged) ?? processLog(config.logLevel, config.controlToken);
  logs.set(logged, log);
  const readiness = new Readiness();
  try {
    const opening = { wall: systemClock, calendar, knownState, prices: from?.prices ?? (await prices()), address };
    const keepsTimes = from !== null;
    const opened = await openConfiguredBank(config, { ...opening, ...copied, keepsTimes, stopping: stopping.signal });
    const { bank, close } = opened;
    const trustedCas = [...(await loadTrustedCas(config, sandboxCa)), ...(from?.trustedCas ?? [])];
    const surroundings = { address, listens: server.listening, stopping: stopping.signal, trial, log, trustedCas };
    const hosted = hostedForTest(opened, config, surroundings);
    hosted.faults.takeOver(from?.faults ?? []);
    addProbes(app, readiness);
    app.use(requestLog(log, config.controlToken));
    const ofTest = testBankOf(hosted, close);
    app.use(async ({ method, path }, _response, next) => {
      if (takesBack(method, path)) await testBanks()?.goesBack(ofTest);
      await hosted.tick();
      next();
    });
    app.use(hosted.handle);
    readiness.ready(bank.ledger);
    testBanks()?.opened(ofTest);
    const closeAll = async (): Promise<void> => {
      stopping.abort();
      await stopListening(server);
      await (testBanks()?.closed(ofTest) ?? ofTest.end());
    };
    const overHttp = connectTo(base, server);
    const read = reads(hosted, address);
    return {
      bank,
      hosted,
      base,
      overHttp,
      isAlone: !server.listening,
      // A listener to payments has each run in a transaction of its own.
      follow: (hear, failed) => {
        const heard = ({ kind, at }: BankEvent): void => void (kind === 'moved' && hear(at));
        return Promise.resolve(bank.listen({ kinds: new Set(['moved', 'payment']), hear: heard, failed }));
      },
      read,
      payer: (account) => hosted.tick().then(() => payerOf(bank, account)),
      bundle: ofTest.bundle,
      copied: () => hosted.copied(),
      openForTests,
      breakOffUntil: (settled) => hosted.faults.breakOffUntil(settled),
      close: closeAll,
    };
  } catch (error) {
    await stopListening(server);
    throw error;
  }
}

/** Hosts the only bank of a test: it shares nothing with others. */
function hostedForTest(
  opened: ConfiguredBank,
  config: Config,
  surroundings: Pick<Hosting, 'address' | 'listens' | 'stopping' | 'trial' | 'log' | 'trustedCas'>,
): HostedBank {
  const token = controlTokenOf(config.controlToken);
  return new HostedBank({
    ...surroundings,
    opened,
    bank: opened.bank,
    config: { ...config, allowedHosts: [nowhere] },
    base: '',
    sessions: new ConsoleSessions(token),
    token,
    ownEndpoints: null,
    routes: async (...of) => (await import('../hosting/app.ts')).bankRouter(...of),
    sandboxCa,
    tpps,
  });
}

function testBankOf(hosted: HostedBank, close: () => Promise<void>): TestBank {
  return {
    bundle: () => hosted.bundle(),
    end: async () => {
      hosted.forget();
      await close();
    },
  };
}

/** A bank's control plane without HTTP: reads, and moves of its clock. */
function reads(hosted: HostedBank, address: string): Control {
  return async (name, { params = {}, query = {}, body = {} } = {}) => {
    await hosted.tick();
    const { ofEveryBank } = await import('../control/control-plane.ts');
    const { answerTo, callOf } = await import('../control/control-endpoint.ts');
    const endpoint = ofEveryBank.find(({ method, path }) => `${method} ${path}` === name);
    assert(endpoint !== undefined, `every bank has ${name}`);
    const asked = { address, params, query: new Map(withValue(query)), text: null, body };
    return (await answerTo(endpoint, await callOf(endpoint, hosted.toRead, asked))) as AnswerTo<typeof name>;
  };
}

/**
 * Listens on the port. In a process of tests it keeps none alive: a test that throws before it closes its bank ends
 * (control-plane.md GA10).
 */
function listen(server: Server, { port, host }: Config): Promise<string> {
  if (isTestRun()) {
    server.on('listening', () => server.unref());
    // A connection of this process itself is no socket.
    server.on('connection', (socket) => socket instanceof Socket && socket.unref());
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text = `createBank: cannot listen on port ${port} (${error.code ?? error.message}).`;
      const refuse = (more: string): void =>
        reject(new Mistake(`${text} ${more}Port 0 takes a free one.`, { cause: error }));
      if (error.code !== 'EADDRINUSE') return refuse('');
      void freePortNear(port, host).then((free) => refuse(`Port ${free} is free. `));
    });
    server.listen(port, host, () => resolve(addressOf(host, (server.address() as AddressInfo).port)));
  });
}

async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
