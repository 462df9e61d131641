import { mkdir, realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import express from 'express';
import { pino, type Logger } from 'pino';
import { lockLedger, openBank, type Bank, type LedgerLock } from '../engine/bank.ts';
import { systemClock, type WallClock } from '../engine/clock.ts';
import { assert } from '../engine/core/assert.ts';
import { parseDuration } from '../engine/core/duration.ts';
import { randomIds } from '../engine/ids.ts';
import { norwegianCalendar } from '../engine/norwegian-calendar.ts';
import { advanceClock } from '../engine/operations/advance-clock.ts';
import { readCertificateHold } from '../engine/operations/hold-against-certificate.ts';
import { keepSettlementTimes } from '../engine/operations/keep-settlement-times.ts';
import { startScheduler } from '../engine/scheduler.ts';
import { bankApp } from './app.ts';
import { ArmedFaults } from './armed-faults.ts';
import type { Config } from './config.ts';
import { controlPlane } from './control/control-plane.ts';
import { healthRouter } from './control/health.ts';
import { loadKnownState } from './known-state-file.ts';
import { loadPriceList } from './price-list-file.ts';
import { Readiness } from './readiness.ts';
import { createSignatureCheck, type SignatureCheck } from './signing/signature-check.ts';
import { loadTrustedCas } from './tpp-cas-file.ts';

export interface RunningServer {
  readonly bank: Bank;
  /** Without a slash at the end. */
  readonly address: string;
  /** Ends within two seconds: open requests get one to finish. */
  stop(): Promise<void>;
}

/** How long open connections may finish after a stop, in ms. */
const grace = 1_000;

/**
 * Starts the bank behind HTTP. It listens at once, so that `/health` and `/ready` answer, and takes requests when
 * migrations, seeding and the runs of the downtime are done (rules.md T5).
 */
export async function startServer(config: Config, wall: WallClock = systemClock): Promise<RunningServer> {
  const log = pino({ level: config.logLevel });
  const readiness = new Readiness();
  const app = express().disable('x-powered-by').disable('etag');
  app.use(healthRouter(readiness));
  const server = createServer(app);
  await listen(server, config);
  let lock: LedgerLock | null = null;
  try {
    const trustedCas = await loadTrustedCas(config, wall.now());
    lock = await holdLedger(config, addressOf(server, config));
    const bank = await openConfiguredBank(config, wall);
    await keepSettlementTimes(bank);
    await advanceClock(bank, 'now');
    const statusOf = (serial: string) => readCertificateHold(bank, serial);
    const checkSignature = createSignatureCheck({ trust: config.tppTrust, trustedCas, statusOf });
    mount(app, { bank, checkSignature, config, readiness, log });
    const scheduler = startScheduler(
      async () => void (await advanceClock(bank, 'now')),
      (error) => {
        log.error({ err: error }, 'a settlement run failed');
        readiness.broke('a settlement run failed; see the log');
      },
    );
    readiness.ready();
    const stop = async (): Promise<void> => {
      await Promise.all([scheduler.stop(), close(server)]);
      await bank.close();
      lock?.release();
    };
    return { bank, address: addressOf(server, config), stop };
  } catch (error) {
    await close(server);
    lock?.release();
    throw error;
  }
}

/** One server to a ledger file, under whatever name it goes. */
async function holdLedger({ ledger }: Config, address: string): Promise<LedgerLock | null> {
  if (ledger === ':memory:') return null;
  await mkdir(dirname(ledger), { recursive: true });
  return lockLedger(await realpath(ledger).catch(() => ledger), { address, pid: process.pid });
}

async function openConfiguredBank(config: Config, wall: WallClock): Promise<Bank> {
  const basketLifetime = parseDuration(config.basketLifetime);
  assert(basketLifetime !== null, 'the settings let durations through only');
  return openBank({
    ledger: config.ledger,
    wall,
    ids: randomIds,
    calendar: norwegianCalendar(),
    knownState: await loadKnownState(config.fixtures),
    prices: await loadPriceList(),
    start: { mode: config.clockMode, now: config.clockNow ?? wall.now() },
    settlementTimes: config.settlementTimes,
    quirks: config.quirks,
    basketLifetime,
  });
}

interface Mounted {
  readonly bank: Bank;
  readonly checkSignature: SignatureCheck;
  readonly config: Config;
  readonly readiness: Readiness;
  readonly log: Logger;
}

function mount(app: express.Express, { bank, checkSignature, config, readiness, log }: Mounted): void {
  const faults = new ArmedFaults();
  app.use(
    bankApp({
      bank,
      checkSignature,
      faults,
      publicUrl: config.publicUrl,
      log,
      controlPlane: controlPlane({ bank, config, faults, readiness, log }),
    }),
  );
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), grace).unref();
  });
}

function addressOf(server: Server, { host }: Config): string {
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
