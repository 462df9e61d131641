import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/open-bank.ts';
import { SteadyClock, systemClock, turnsToRead, type WallClock, setTimeout } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { oneLine } from '../../engine/values/text.ts';
import { ConsoleSessions } from '../console/sessions.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { RunFailed } from '../../engine/runs/run-settlement.ts';
import { timesOfAllRuns } from '../../engine/time/rules/settlement-run.ts';
import { type Check, startScheduler } from '../../engine/time/scheduler.ts';
import { type Config } from '../start/config.ts';
import { addProbes, Readiness, whileStarting } from './readiness.ts';
import type { Bundle } from './bundle/bundle.ts';
import { openedSnapshot } from './bundle/bundle-file.ts';
import { BankFiles } from './bank-files.ts';
import { HostedBank, type SharedHosting } from './hosted-bank.ts';
import { HostedBanks } from './hosted-banks.ts';
import { FaketimeFile } from './faketime-file.ts';
import { clientLimits, type ClientLimits, httpServer } from './http-server.ts';
import { listen } from '../start/free-port.ts';
import { ledgerProblem } from '../start/ledger-problem.ts';
import { controlTokenOf } from '../pipeline/control-token.ts';
import { requestLog } from '../pipeline/request-log.ts';
import { openConfiguredBank } from './open-configured-bank.ts';
import { processLog } from './log.ts';
import { serverAddress, hostAddress } from '../pipeline/addresses.ts';
import { hostFault, ownCalls, ownSite } from '../pipeline/own-site.ts';
import { siteProblem } from '../control/guard.ts';
import { answerUnreadable, bankNamed } from './unreadable-request.ts';
import { sandboxCaFor, type SandboxCaSource, loadTrustedCas, usableCa } from '../start/trusted-cas.ts';
import { ThrowAwayTpps } from '../signing/test-tpp.ts';
import { problemHandler } from '../pipeline/problem.ts';
import { errorHandler } from '../pipeline/error-handler.ts';
import type { TrialSettings } from '../gauntlet/own-trial.ts';
import { Mistake } from '../../engine/values/mistake.ts';

export interface RunningServer {
  readonly bank: Bank;
  /** No slash at the end. */
  readonly address: string;
  /** The IP address that it listens on: that of its host. */
  readonly listensOn: string;
  /** Stops within two seconds: open requests get one to finish. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The default is a new one, at the level of the settings. */
  readonly log?: Logger;
  readonly limits?: ClientLimits;
  /** When aborted, an advance ends between two runs. */
  readonly stop?: AbortSignal;
  /** Time between two heartbeats (rules.md T5), in ms. The default is a second. */
  readonly heartbeat?: number;
  /**
   * Opens the bank of this bundle: its ledger, known state, prices, journal and armed faults, with a snapshot of it as
   * it was saved.
   */
  readonly bundle?: Bundle;
  /** The trial of a gauntlet, over which the settings were read. The default is none. */
  readonly trial?: TrialSettings | null;
  /** Makes a named bank for each of these listed profiles (rules.md Q12). The default is none. */
  readonly platform?: readonly string[];
}

/** How long open requests may take to finish after a stop. */
const stopMs = 1_000;

/**
 * Starts the server. It listens at once, so that `/health` and `/ready` answer, and takes other requests when
 * migrations, seeding and the runs of the downtime are done (rules.md T5). Throws a Mistake for wrong settings, files
 * or folders.
 */
export async function startServer(
  config: Config,
  wall: WallClock = systemClock,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const front = frontOf(config, options);
  const { routes, log, readiness, server, stopping, unreadable } = front;
  const sandboxCa = sandboxCaFor(config.ledger);
  let opened: Awaited<ReturnType<typeof openBanks>> | null = null;
  const clocks = (): [Instant, ...Instant[]] => {
    const hosted = opened === null ? [] : [opened.root, ...opened.banks.open()];
    return [wall.now(), ...hosted.map(({ bank }) => bank.security.now())];
  };
  const port = { ...front, stopping: stopping.signal, clocks, sandboxCa };
  const tls = speaksTls(config) ? (await import('./tls.ts')).secure(server, config, port) : null;
  const ends: End[] = [];
  const stop = async (): Promise<void> => {
    stopping.abort();
    await close(server);
    await endAll(ends.splice(0));
  };
  try {
    await listen(server, config);
    const address = addressAt(server, config);
    opened = await openBanks(config, { ...front, address, sandboxCa, wall, ends }, options);
    const { root, banks } = opened;
    const { bank } = root;
    const { faketimeFile: path, sources } = config;
    const file = path === null ? null : new FaketimeFile({ path, source: sources.faketimeFile }, bank, log);
    await tls?.ready;
    unreadable.keepIn({
      journalOf: (target) => {
        const name = bankNamed(target);
        return (name === null ? root : banks.find(name))?.journal ?? null;
      },
      address: (host) => config.publicUrl ?? hostAddress(host, address),
    });
    routes.use('/banks/:name', banks.handle);
    routes.use(root.handle);
    ends.push(startAlarm({ root, banks, file }, { wall, log, heartbeat: options.heartbeat }));
    readiness.ready(bank.ledger, file);
    root.checkBeside();
    const { address: listensOn } = server.address() as AddressInfo;
    return { bank, address, listensOn, stop };
  } catch (error) {
    await stop();
    throw ledgerProblem(error, config.ledger) ?? (options.bundle === undefined ? error : bundleProblem(error));
  }
}

type End = () => Promise<void>;

/** Calls them in the opposite order, each also after one that fails. Node 22 has no AsyncDisposableStack. */
async function endAll(ends: End[]): Promise<void> {
  try {
    await ends.pop()?.();
  } finally {
    if (ends.length > 0) await endAll(ends);
  }
}

/** Starts what looks at the banks at each heartbeat and at the instants of their runs. Returns what stops it. */
function startAlarm(
  { root, banks, file }: { readonly root: HostedBank; readonly banks: HostedBanks; readonly file: FaketimeFile | null },
  { wall, log, heartbeat }: { readonly wall: WallClock; readonly log: Logger; readonly heartbeat: number | undefined },
): () => Promise<void> {
  const checkOf = (run: Check['run'], what: string): Check => {
    return { run, failed: (error) => log.error({ err: error }, `${what} failed`) };
  };
  const scheduler = startScheduler(
    [
      tellJumps(wall, root.bank.steady.now(), log),
      checkOf(() => file?.keep(), 'the file of --faketime-file'),
      checkOf(root.checkLedger, 'the watch over the ledger'),
      checkOf(root.tick, 'the alarm'),
      checkOf((alarm) => banks.tick(alarm), 'the alarm of the named banks'),
    ],
    heartbeat,
  );
  scheduler.follow(timesOfAllRuns(root.bank.schedule));
  banks.followedBy(scheduler.follow);
  return scheduler.stop;
}

/** The server before its banks are open: it answers probes, and all else with 503. It does not listen yet. */
function frontOf(
  config: Config,
  { log = processLog(config.logLevel, config.controlToken), limits = clientLimits, stop }: ServerOptions,
) {
  const readiness = new Readiness();
  const stopping = new AbortController();
  stop?.addEventListener('abort', () => stopping.abort(), { once: true });
  const app = express().disable('x-powered-by').disable('etag');
  if (config.tls) app.use(tlsOnly);
  addProbes(app, readiness);
  app.use(requestLog(log, config.controlToken));
  // Empty until the banks are open; then it answers every request.
  const routes = Router({ caseSensitive: true });
  app.use(routes, whileStarting(readiness));
  app.use(unopenedBank(config, log));
  const { server, open } = httpServer(app, log, limits, stopping.signal);
  return { routes, log, limits, readiness, stopping, server, unreadable: answerUnreadable(server, open, log) };
}

/** Refuses plain requests to a port that speaks TLS (rules.md G13). */
const tlsOnly: RequestHandler = ({ socket }, _response, next) => {
  const text = 'This port speaks https, not http: write https:// in the address.';
  next('encrypted' in socket ? undefined : new Refusal({ code: 'BAD_REQUEST', text }));
};

/** Also true for settings of TLS that are refused without `--tls`. */
function speaksTls({ tls, tlsCert, tlsKey }: Config): boolean {
  return tls || tlsCert !== null || tlsKey !== null;
}

interface Surroundings extends Pick<ReturnType<typeof frontOf>, 'log' | 'readiness' | 'stopping'> {
  /** Address of the server. */
  readonly address: string;
  readonly sandboxCa: SandboxCaSource;
  readonly wall: WallClock;
  /** Gets what is opened, to close it in the opposite order. */
  readonly ends: End[];
}

/** Opens the bank at the root, carries out the runs of its downtime, and opens the banks beside it. */
async function openBanks(
  config: Config,
  { address, sandboxCa, wall, ends, log, readiness, stopping: { signal: stopping } }: Surroundings,
  { bundle, platform, trial = null }: ServerOptions,
): Promise<{ readonly root: HostedBank; readonly banks: HostedBanks }> {
  const calendar = norwegianCalendar();
  const checking = (): void => readiness.checking();
  const opened = await openConfiguredBank(config, {
    wall,
    calendar,
    address,
    stopping,
    keepsTimes: true,
    checking,
    ...bundle,
    ...(bundle !== undefined && { copied: { ...bundle.copied, snapshot: openedSnapshot } }),
  });
  ends.push(opened.close);
  const { bank } = opened;
  // Later it is a 503 of each call (rules.md G14).
  if (bank.quirks.has('signed-answers')) await usableCa(sandboxCa);
  const trusted = [...(await loadTrustedCas(config, sandboxCa)), ...(bundle?.trustedCas ?? [])];
  await catchUp(bank);
  const token = controlTokenOf(config.controlToken);
  const shared: SharedHosting = {
    address,
    listens: true,
    trustedCas: trusted,
    sandboxCa,
    tpps: new ThrowAwayTpps(sandboxCa),
    log,
    sessions: new ConsoleSessions(token, config.tls || config.publicUrl?.startsWith('https:') === true),
    token,
    trial,
    stopping,
    routes: async (...of) => (await import('./app.ts')).bankRouter(...of),
  };
  const files = config.banks === null ? null : await BankFiles.open({ folder: config.banks, config, address, log });
  if (files !== null) ends.push(async () => files.close());
  const banks = new HostedBanks({ root: bank, config, wall, calendar, shared, files });
  ends.push(() => banks.close());
  await banks.openStored();
  if (platform !== undefined) await (await import('./banks.ts')).makePlatform(banks, platform);
  const ownEndpoints = async (root: HostedBank) => (await import('./banks.ts')).banksEndpoints(banks, root);
  const root = new HostedBank({ ...shared, opened, bank, config, base: '', ownEndpoints });
  if (bundle !== undefined) root.takeOver(bundle);
  return { root, banks };
}

/** Turns any error of a bundle, which somebody else may have made, into one line (control-plane.md B2). */
function bundleProblem(error: unknown): unknown {
  if (error instanceof Mistake || !(error instanceof Error)) return error;
  return new Mistake(`the bank of the bundle cannot be opened: ${oneLine(error.message, 300)}`);
}

/** Carries out the runs of the downtime. A failed run is a Mistake: it was rolled back and would fail again. */
async function catchUp(bank: Bank): Promise<void> {
  try {
    await advanceClock(bank, 'now', { trigger: 'start' });
  } catch (error) {
    throw error instanceof RunFailed ? new Mistake(`${error.message}: ${error.reason()}`) : error;
  }
}

/**
 * Logs one line for each jump of the wall clock, because later log lines have unexpected times. `seen`: the bank's
 * steady clock.
 */
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

/** The address of a server of these settings. */
function addressAt(server: Server, of: Pick<Config, 'host'> & Partial<Pick<Config, 'tls'>>): string {
  return serverAddress({ ...of, port: (server.address() as AddressInfo).port });
}

/** Finishes the requests that have begun, for {@link stopMs} at most. */
async function close(server: Server | null): Promise<void> {
  if (server === null) return;
  // In these turns requests that have arrived are read. Otherwise their connections count as idle.
  await turnsToRead();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), stopMs).unref();
  });
}

const interfacePath = /^(\/banks\/[^/?]+)?(\/api-sandbox)?\/v1(?=[/?]|$)/;
const controlPath = /^\/banks\/[^/?]+\/sandbox(?=[/?]|$)/;

/**
 * Answers errors that arise before a bank gets the request, such as an unknown name: tppMessages or a problem, by the
 * path. What every bank refuses before it looks at the path, is refused first (docs/spec/control-plane.md C1, C2).
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
      await tppMessages(first ?? error, request, response, next);
      return;
    }
    const answer = (fault: unknown) => void problem(fault, request, response, next);
    // Pages are loaded when a browser asks for the first one.
    const { missingPages } = await import('../pages/refusals.ts');
    void missingPages('')(first ?? error, request, response, answer);
  };
}
