import { once as event } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { nextTurn, SteadyClock, systemClock, type WallClock, setTimeout } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { oneLine } from '../../engine/values/text.ts';
import { ConsoleSessions } from '../console/sessions.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { RunFailed } from '../../engine/runs/run-settlement.ts';
import type { DayTimes } from '../../engine/time/rules/cut-offs.ts';
import { timesOfAllRuns } from '../../engine/time/rules/settlement-run.ts';
import { type Check, type Scheduler, startScheduler } from '../../engine/time/scheduler.ts';
import { type Config, ConfigError } from '../start/config.ts';
import { healthRouter, Readiness, whileStarting } from './readiness.ts';
import type { Bundle } from './bundle/bundle.ts';
import { openedSnapshot } from './bundle/bundle-file.ts';
import { BankFiles, bytesBeside, inMemory } from './bank-files.ts';
import { HostedBank, type SharedHosting } from './hosted-bank.ts';
import type { HostLoad } from '../control/bank-calls.ts';
import { Disk, loadOf, type ReadDisk } from './host-load.ts';
import { HostedBanks } from './hosted-banks.ts';
import { issuedBy, Strangers, Visits } from './callers.ts';
import { clientLimits, type ClientLimits, httpServer } from './http-server.ts';
import { ledgerProblem } from '../start/ledger-problem.ts';
import { controlTokenOf } from '../pipeline/control-token.ts';
import { onceAsked } from '../pipeline/once-asked.ts';
import { requestLog } from '../pipeline/request-log.ts';
import { type ConfiguredBank, openConfiguredBank } from './open-configured-bank.ts';
import { Metrics } from './metrics.ts';
import { processLog } from './log.ts';
import { serverAddress, hostAddress } from '../pipeline/addresses.ts';
import { hostFault, ownCalls, ownSite } from '../pipeline/own-site.ts';
import { siteProblem } from '../control/guard.ts';
import { answerUnreadable, bankNamed, noKeeper } from './unreadable-request.ts';
import { settings } from '../start/settings.ts';
import { sandboxCaFor, loadTrustedCas } from '../start/trusted-cas.ts';
import { ThrowAwayTpps } from '../signing/test-tpp.ts';
import { problemHandler } from '../pipeline/problem.ts';
import { errorHandler } from '../pipeline/error-handler.ts';

export interface RunningServer {
  readonly bank: Bank;
  /** No slash at the end. */
  readonly address: string;
  /** The IP address that it listens on: that of its host. */
  readonly listensOn: string;
  /** Where its metrics are; null: they have no port of their own. */
  readonly metrics: string | null;
  /** Stops within two seconds: open requests get one to finish. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Left out: a new one, at the level of the settings. */
  readonly log?: Logger;
  readonly limits?: ClientLimits;
  /** When aborted, an advance ends between two runs. */
  readonly stop?: AbortSignal;
  /** Time between two heartbeats (rules.md T5), in ms. Left out: a second. */
  readonly heartbeat?: number;
  /** Pause before each step of a scenario that the console plays slowly, in ms. Left out: a second. */
  readonly slowPause?: number;
  /** Opens the bank of this bundle: its ledger, known state, prices, journal and armed faults, with a snapshot of it as it was saved. */
  readonly bundle?: Bundle;
  /** Makes a named bank for each of these listed profiles (rules.md Q12). Left out: none. */
  readonly platform?: readonly string[];
  /** Left out: the disk of the ledgers, as the system tells of it. */
  readonly disk?: ReadDisk;
}

/** How long open requests may take to finish after a stop. */
const stopMs = 1_000;

/** Turns of the event loop after a stop: a connection is accepted in one and read in another. */
const turnsToRead = 5;

/**
 * Starts the server. It listens at once, so that `/health` and `/ready` answer, and takes other requests when migrations,
 * seeding and the runs of the downtime are done (rules.md T5). Throws a ConfigError for wrong settings, files or folders.
 */
export async function startServer(
  config: Config,
  wall: WallClock = systemClock,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const {
    log = processLog(config.logLevel, config.controlToken),
    limits = clientLimits,
    stop: stopSignal,
    bundle,
  } = options;
  const readiness = new Readiness();
  const stopping = new AbortController();
  stopSignal?.addEventListener('abort', () => stopping.abort(), { once: true });
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  let hosted: HostedBanks | null = null;
  let load: (() => Promise<HostLoad>) | null = null;
  const metrics = new Metrics({ openBanks: () => 1 + (hosted?.openCount ?? 0), load: () => load?.() ?? null });
  app.use(healthRouter(readiness));
  app.use(metrics.watch);
  app.use(requestLog(log, config.controlToken));
  app.use(whileStarting(readiness));
  const server = httpServer(app, log, limits, stopping.signal);
  let keeper = noKeeper;
  answerUnreadable(server, log, () => keeper);
  await listen(server, config);
  const address = addressAt(server, config.host);
  const { address: listensOn } = server.address() as AddressInfo;
  let held: ConfiguredBank | null = null;
  let metricsServer: Server | null = null;
  let store = inMemory;
  let cron: Scheduler | null = null;
  try {
    metricsServer = await serveMetrics(metrics, config, log);
    const calendar = norwegianCalendar();
    const checking = (): void => readiness.checking();
    const opening = { wall, calendar, address, stopping: stopping.signal, keepsTimes: true, checking, ...bundle };
    const opened = await openConfiguredBank(config, opening);
    held = opened;
    const { bank, close: closeBank } = opened;
    const sandboxCa = sandboxCaFor(config.ledger, () => wall.now());
    const cas = await loadTrustedCas(config, sandboxCa);
    const trustedCas = [...cas.ofRoot, ...(bundle?.trustedCas ?? [])];
    const tpps = new ThrowAwayTpps(sandboxCa);
    await catchUp(bank);
    const token = controlTokenOf(config.controlToken, wall);
    const sessions = new ConsoleSessions(token);
    // Loaded when a console of the server is first opened.
    const itself = { address, token: config.controlToken, stopping: stopping.signal, slowPause: options.slowPause };
    const plays = once(async () => new (await import('../console/scenarios/plays.ts')).ScenarioPlays(itself));
    const shared: SharedHosting = {
      address,
      listens: true,
      trustedCas: () => trustedCas,
      sandboxCa,
      tpps,
      log,
      metrics,
      sessions,
      token,
      plays,
      stopping: stopping.signal,
      routes: async (...of) => (await import('./app.ts')).bankRouter(...of),
    };
    const { knownState } = bank.firstOrigin;
    store =
      config.banks === null
        ? inMemory
        : await BankFiles.open({ folder: config.banks, config, knownState, address, log });
    const callAt = (times: DayTimes): void => cron?.follow(times);
    const strangers = token === null ? null : new Strangers(config.bankRate, wall);
    const named = { store, token, strangers, givenCas: cas.given, callAt };
    const banks = new HostedBanks({ root: bank, config, wall, calendar, shared, ...named });
    hosted = banks;
    const loadNow = (): Promise<HostLoad> => loadOf({ root, visits, banks, disk });
    const ownEndpoints = async () => (await import('./banks.ts')).banksEndpoints(banks, loadNow);
    const disk = new Disk(config, options.disk);
    const { ledger, rootRate: perSecond } = config;
    const visits = new Visits({ perSecond, clock: wall, strangers, issued: issuedBy(() => trustedCas) });
    const fileBytes = ledger === ':memory:' || bundle !== undefined ? null : () => bytesBeside(ledger);
    const root = new HostedBank({ ...shared, bank, config, base: '', ownEndpoints, tenant: null, fileBytes, visits });
    load = loadNow;
    if (bundle !== undefined) {
      root.takeOver(bundle);
      await saveSnapshot(bank, openedSnapshot);
    }
    keeper = {
      journalOf: async (target) => {
        const name = bankNamed(target);
        if (name === null) return root.journal;
        // Whoever sent it has shown no token: it costs no bank anything, and learns of none.
        return token !== null ? null : banks.journalOf(name);
      },
      address: (host) => config.publicUrl ?? hostAddress(host, address),
    };
    if (token !== null) app.use(metrics.guarded(token, log));
    const router = () => import('./banks-router.ts');
    app.use(
      '/banks',
      onceAsked(async () => (await router()).banksRouter(banks, { config, strangers, log })),
    );
    if (token !== null && strangers !== null) {
      const counting = { bank, strangers, visits, token, sessions };
      app.use(onceAsked(async () => (await router()).countAtRoot(counting)));
    }
    app.use(root.handle);
    app.use(unopenedBank(config, log));
    const { platform } = options;
    if (platform !== undefined) await (await import('./banks.ts')).makePlatform(banks, platform);
    const watchLedger = async (): Promise<void> => {
      await root.checkLedger();
      if (bank.ledger.trouble() === null) opened.keepLock();
    };
    const checkOf = (run: Check['run'], what: string): Check => {
      return { run, failed: (error) => log.error({ err: error }, `${what} failed`) };
    };
    const checks = [
      tellJumps(wall, bank.steady.now(), log),
      checkOf(watchLedger, 'the watch over the ledger'),
      checkOf(() => disk.watch(wall.monotonic(), log), 'the watch over the disk'),
      checkOf((alarm) => root.tick(alarm), 'the alarm'),
      checkOf((alarm) => banks.tick(alarm), 'the alarm of the named banks'),
    ];
    const scheduler = startScheduler(checks, options.heartbeat);
    cron = scheduler;
    scheduler.follow(timesOfAllRuns(bank.runs));
    readiness.ready(bank.ledger);
    opened.checkBeside().catch((error: unknown) => log.error({ err: error }, 'the ledger could not be checked'));
    const stop = async (): Promise<void> => {
      stopping.abort();
      await Promise.all([scheduler.stop(), close(server), close(metricsServer)]);
      await banks.close();
      await closeBank();
    };
    const metricsAddress = metricsServer === null ? null : `${addressAt(metricsServer, config.metricsHost)}/metrics`;
    return { bank, address, listensOn, metrics: metricsAddress, stop };
  } catch (error) {
    await Promise.all([close(server), close(metricsServer)]);
    await (hosted ?? store).close();
    await held?.close();
    throw ledgerProblem(error, config.ledger) ?? (bundle === undefined ? error : bundleProblem(error));
  }
}

/** Turns any error of a bundle, which somebody else may have made, into one line (control-plane.md B2). */
function bundleProblem(error: unknown): unknown {
  if (error instanceof ConfigError || !(error instanceof Error)) return error;
  return new ConfigError(`the bank of the bundle cannot be opened: ${oneLine(error.message, 300)}`);
}

/** Carries out the runs of the downtime. A failed run is a ConfigError: it was rolled back and would fail again. */
async function catchUp(bank: Bank): Promise<void> {
  try {
    await advanceClock(bank, 'now', { trigger: 'start' });
  } catch (error) {
    throw error instanceof RunFailed ? new ConfigError(`${error.message}: ${error.reason()}`) : error;
  }
}

/** Logs one line for each jump of the wall clock, because later log lines have unexpected times. `seen`: the bank's steady clock. */
function tellJumps(wall: WallClock, seen: Instant, log: Logger): Check {
  const watched = new SteadyClock(wall, seen);
  const run = (): void => {
    const jump = watched.jumped();
    if (jump === 0) return;
    const seconds = Math.round(Math.abs(jump) / 1000);
    const what = jump > 0 ? `went ${seconds} s ahead` : `was set back by ${seconds} s`;
    const isNew = jump > 0 && watched.now() <= wall.now();
    const text = `the wall clock ${what}: a running bank clock goes ${isNew ? 'with it' : 'on as before'}`;
    log.warn({ jump: Math.round(jump) }, text);
  };
  return { run, failed: (error) => log.error({ err: error }, 'watching the wall clock failed') };
}

/** Codes of listen errors that the settings cause. */
const listenProblems = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EINVAL'];

/** The port of `--metrics-port`, which has nothing else; null: none is asked for. */
async function serveMetrics(metrics: Metrics, config: Config, log: Logger): Promise<Server | null> {
  const { metricsPort: port, metricsHost: host } = config;
  if (port === null) return null;
  await metrics.start();
  const app = express().disable('x-powered-by').disable('etag').use(metrics.alone());
  const server = httpServer(app, log);
  await listen(server, { port, host }, 'metrics-');
  return server;
}

/** The address of a server that listens on this host. */
function addressAt(server: Server, host: string): string {
  return serverAddress({ host, port: (server.address() as AddressInfo).port });
}

/** `of`: what the names of its settings begin with. */
async function listen(server: Server, { port, host }: Pick<Config, 'port' | 'host'>, of = ''): Promise<void> {
  server.listen(port, host);
  await event(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    const [byPort, byHost] = [`${of}port`, `${of}host`].map(
      (flag) => settings.find((each) => each.flag === flag)?.name,
    );
    if (code === 'EADDRINUSE') throw new ConfigError(`${host}:${port} is taken: choose another with --${of}port`);
    if (!listenProblems.includes(code)) throw error;
    const names =
      code === 'EACCES'
        ? `--${of}port, or the variable ${byPort}, names the port`
        : `--${of}host, or the variable ${byHost}, names the address`;
    throw new ConfigError(`cannot listen on ${host}:${port} (${code}): ${names}`);
  });
}

/** Finishes the requests that have begun, for {@link stopMs} at most. */
async function close(server: Server | null): Promise<void> {
  if (server === null) return;
  // In these turns requests that have arrived are read. Otherwise their connections count as idle.
  for (let turn = 0; turn < turnsToRead; turn += 1) await nextTurn();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), stopMs).unref();
  });
}

const interfacePath = /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/;
const controlPath = /^\/banks\/[^/?]+\/sandbox(?=[/?]|$)/;

/**
 * Answers errors that arise before a bank gets the request, such as an unknown name: tppMessages or a problem, by the path. What every
 * bank refuses before it looks at the path, is refused first (docs/spec/control-plane.md C1, C2).
 */
function unopenedBank(config: Config, log: Logger): ErrorRequestHandler {
  const tppMessages = errorHandler({
    log,
    signature401: false,
    // Never called: without a bank no SCA is offered.
    scaAddress: () => '',
    entryAddress: () => null,
  });
  const problem = problemHandler(log);
  const site = ownCalls(ownSite(config));
  return async (error, request, response, next) => {
    const { originalUrl } = request;
    const first = hostFault(request) ?? (controlPath.test(originalUrl) ? siteProblem(site, request) : null);
    if (interfacePath.test(originalUrl)) {
      tppMessages(first ?? error, request, response, next);
      return;
    }
    const answer = (fault: unknown) => void problem(fault, request, response, next);
    // Pages are loaded when a browser asks for the first one.
    const { missingPages } = await import('../pages/refusals.ts');
    void missingPages('')(first ?? error, request, response, answer);
  };
}
