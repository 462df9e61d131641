import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { setTimeout } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { checkLedger, LedgerDamaged, LedgerUnavailable, type Bank } from '../../engine/bank.ts';
import { clockAtHand, followQuirks } from '../../engine/bank/bank-context.ts';
import { followLedger } from '../../engine/bank/change-state.ts';
import type { BankClock } from '../../engine/time/rules/bank-clock.ts';
import { type Glance, glanceAt } from '../../engine/bank/read-clock.ts';
import { followClock, type ClockFollower } from '../../engine/runs/advance-clock.ts';
import type { Alarm } from '../../engine/time/scheduler.ts';
import { statusesAtHand } from '../../engine/tpps/tpps.ts';
import { RunFailed } from '../../engine/runs/run-settlement.ts';
import type { Bundle } from './bundle/bundle.ts';
import { type ArmedFault, ArmedFaults, disarmedByReset } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import type { SandboxCaSource } from '../start/trusted-cas.ts';
import type { ConsoleSessions } from '../console/sessions.ts';
import type { Gate } from '../pipeline/control-token.ts';
import type { BankMoves } from '../console/clock/moves.ts';
import type { ScenarioPlays } from '../console/scenarios/plays.ts';
import type { ControlEndpoint, ControlledBank } from '../control/control-endpoint.ts';
import { EventLog } from '../control/events/event-log.ts';
import { requestTold } from '../journal/entry-json.ts';
import { Journal } from '../journal/journal.ts';
import { StorageLimit } from '../pipeline/storage-limit.ts';
import { oneAtATime, type Turn } from '../pipeline/one-at-a-time.ts';
import type { Tenant } from './tenant.ts';
import { defaultName } from './bank-store.ts';
import type { Visits } from './callers.ts';
import { logHappenings } from './log.ts';
import type { Metrics } from './metrics.ts';
import { isLargeLedger } from './open-configured-bank.ts';
import { ScaSteps } from '../sca/sca-steps.ts';
import type { ThrowAwayTpps } from '../signing/test-tpp.ts';

/** The parts that all banks of a server share. */
export interface SharedHosting {
  /** The server's own address, for requests without a Host. */
  readonly address: string;
  /** Whether the server listens. Inside a test it may not, and its address opens nothing. */
  readonly listens: boolean;
  /** The CAs that are trusted now, PEM. */
  readonly trustedCas: () => readonly string[];
  readonly sandboxCa: SandboxCaSource;
  /** The TPPs of the unsigned door. */
  readonly tpps: ThrowAwayTpps;
  /** Names no bank; that of a bank does. */
  readonly log: Logger;
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null;
  /** The sessions of the consoles. */
  readonly sessions: ConsoleSessions;
  /** The control token of the server; null: none is set. */
  readonly token: Gate | null;
  /** The scenarios that the consoles play; null: none, because there are no named banks to play in. */
  readonly plays: (() => Promise<ScenarioPlays>) | null;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Makes the routes of a bank. Their code is loaded here only: /ready needs no endpoint. */
  readonly routes: (hosting: Hosting, hosted: HostedBank) => Promise<Router>;
}

export interface Hosting extends SharedHosting {
  readonly bank: Bank;
  /** Settings of this bank. */
  readonly config: Config;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  /** Endpoints that its control plane alone has; null: none. That of the root bank creates and removes banks. */
  readonly ownEndpoints: (() => Promise<readonly ControlEndpoint[]>) | null;
  /** Size of the bank's files now, ledger, log and snapshots, in bytes; null: it has none that are limited. */
  readonly fileBytes: (() => number) | null;
  /** Null: it shares what opens the server. */
  readonly tenant: Tenant | null;
  /** Null: its requests are not counted. */
  readonly visits: Visits | null;
}

/** The bank with its trust, CA and throw-away TPPs: those of the server, unless it has credentials of its own. */
function asItTrusts(hosting: Hosting): Hosting {
  const { tenant, config } = hosting;
  if (tenant?.hasCredentials !== true) return hosting;
  return {
    ...hosting,
    trustedCas: () => (config.tppTrust === 'any' ? [] : tenant.cas()),
    sandboxCa: () => tenant.ca(),
    tpps: tenant.tpps,
  };
}

/** How long a caller waits for late runs; the remaining ones continue in the background. */
const lateRunsMs = 500;

/**
 * One bank over HTTP, with its state outside the ledger: armed faults, steps of SCA pages, the lock of its clock, moves that can be
 * undone, journal and events.
 */
export class HostedBank {
  readonly bank: Bank;
  readonly config: Config;
  readonly #hosting: Hosting;
  /** The last requests under /v1. */
  readonly journal: Journal;
  readonly events: EventLog;
  readonly faults: ArmedFaults;
  readonly storage: StorageLimit;
  readonly steps: ScaSteps;
  readonly turn: Turn;
  /** The status of a certificate, by its serial number. */
  readonly statusOf: ReturnType<typeof statusesAtHand>;
  /** Its clock and the size of its ledger. Throws LedgerUnavailable. */
  readonly glance: () => Promise<Glance>;
  /** Its clock, which it reads after a change only; null if its ledger cannot be read. */
  readonly clock: () => Promise<BankClock | null>;
  readonly #clock: ClockFollower;
  /** Null until its console is first opened. */
  #moves: BankMoves | null = null;
  /** Number of open requests. */
  #users = 0;
  /** Null while the bank is suspended: a thousand routers take more memory than a thousand ledgers. */
  #router: (() => Promise<Router>) | null = null;

  /** `lasting`: the faults that were armed before a restart, and what keeps them for the next one. Left out: none, and nothing. */
  constructor(
    hosting: Hosting,
    lasting: { readonly faults: readonly ArmedFault[]; readonly keep?: (faults: readonly ArmedFault[]) => void } = {
      faults: [],
    },
  ) {
    this.bank = hosting.bank;
    this.config = hosting.config;
    const name = hosting.base.slice('/banks/'.length) || defaultName;
    this.#hosting = { ...hosting, log: hosting.log.child({ bank: name }) };
    const { ledger } = hosting.bank;
    this.faults = new ArmedFaults(hosting.stopping, lasting.keep);
    this.faults.takeOver(lasting.faults);
    const { fileBytes, config } = hosting;
    const limit = fileBytes === null ? null : hosting.base === '' ? config.rootSize : config.bankSize;
    this.storage = new StorageLimit(limit, () => (fileBytes?.() ?? 0) + ledger.unwritten() + (this.#moves?.bytes ?? 0));
    hosting.bank.runFault.fault = this.faults.ofRuns;
    this.#clock = followClock(hosting.bank);
    this.glance = glanceAt(hosting.bank);
    this.clock = clockAtHand(hosting.bank);
    this.statusOf = statusesAtHand(hosting.bank);
    this.steps = new ScaSteps(hosting.bank.wall);
    this.turn = oneAtATime((error) => ledger.stop('moving the clock failed; the log has the reason', error));
    const { log } = this.#hosting;
    const failed = (what: string) => (error: unknown) => log.error({ err: error }, what);
    this.events = new EventLog(hosting.bank, failed('an event was not told'));
    const notTold = failed('a request was not told');
    this.journal = new Journal(hosting.bank, {
      kept: (entry) => {
        requestTold(entry, hosting.config.controlToken)
          .then((event) => this.events.add(event))
          .catch(notTold);
      },
      failed: notTold,
      controlToken: hosting.config.controlToken,
    });
    hosting.bank.listen(logHappenings(log));
    hosting.bank.listen(disarmedByReset(this.faults, log));
    hosting.metrics?.follow(hosting.bank);
    ledger.watch((trouble) => {
      if (trouble === null) log.info('the ledger can be written again');
      else log.error({ err: trouble.cause }, `the bank takes no changes: ${trouble.reason}`);
    });
  }

  /** Handles a request with a path relative to the bank. A suspended bank first carries out its late runs, for 500 ms at most. */
  readonly handle: RequestHandler = async (request, response, next) => {
    // A client that left while the bank opened is not counted: its response has told its end already.
    if (!response.destroyed) {
      this.#users += 1;
      response.once('close', () => {
        this.#users -= 1;
      });
    }
    this.journal.follow(request, response);
    const router = await this.#resume();
    router(request, response, next);
  };

  /**
   * Carries out the due runs and midnights (rules.md T5), unless the ledger is in trouble; called by cron, those that are due in a moment
   * (T5b). After a failed run the bank takes no changes until a reset.
   */
  async tick(alarm: Alarm = 'heartbeat'): Promise<void> {
    const { ledger } = this.bank;
    // Why a ledger cannot be read is found below.
    if (alarm === 'cron') await this.#clock.untilDue().catch(() => undefined);
    await this.turn.tick(async (isTaken) => {
      if (ledger.trouble() !== null) return;
      try {
        await this.#clock.catchUp({ alarm, shouldStop: isTaken });
      } catch (error) {
        // Already logged; the next tick tries again.
        if (error instanceof LedgerUnavailable) return;
        const what = error instanceof RunFailed ? `${error.message}: ${error.reason()}` : 'moving the clock failed';
        ledger.stop(`${what}; the log has the reason`, error);
      }
    });
  }

  /** Starts a tick and waits for it at most 500 ms; it continues in the background. */
  tickForAWhile(alarm?: Alarm): Promise<void> {
    return Promise.race([this.tick(alarm), new Promise<void>((resolve) => setTimeout(resolve, lateRunsMs).unref())]);
  }

  /** Carries out runs that are late, for 500 ms at most. */
  readonly catchUp = async (): Promise<void> => {
    if (this.#clock.isLate()) await this.tickForAWhile();
  };

  /** Checks that the ledger's file is in its place and can be written. Cheap: called every second. */
  checkLedger(): Promise<void> {
    return this.bank.ledger.check();
  }

  /**
   * Reads everything again: another program has changed the file of the ledger while it was closed. The file is checked as at a start;
   * with a wrong one the bank takes no changes.
   */
  async fileChanged(): Promise<void> {
    const { ledger } = this.bank;
    await ledger.check();
    if (ledger.trouble()?.kind === 'missing') return;
    ledger.forget();
    try {
      const { ledger: path } = this.config;
      await checkLedger(path, (await isLargeLedger(path)) ? 'in a process' : 'here');
      await followLedger(this.bank);
      await followQuirks(this.bank);
    } catch (error) {
      if (error instanceof LedgerDamaged) ledger.stop(`its file is damaged: ${error.message}`, error);
      else if (!(error instanceof LedgerUnavailable)) throw error;
    }
  }

  /** True while requests or exclusive work are open; then the bank is not suspended. */
  get isInUse(): boolean {
    return this.#users > 0 || this.turn.isTaken();
  }

  /** Frees the memory of an unused bank; the next request resumes it. */
  async suspend(): Promise<void> {
    this.#router = null;
    // From now on a list of banks does not open it. A ledger that cannot be read is asked again.
    await this.glance().catch(() => null);
    await this.bank.ledger.suspend();
  }

  /** The credentials have changed. Ends the streams that the old token opened, and checks later requests with the new credentials. */
  renew(): void {
    this.#router = null;
    this.events.endStreams();
  }

  /** Closes the bank for good. Throws CONFLICT while its clock is being moved. */
  close(): Promise<void> {
    return this.turn.runExclusive(async () => {
      await this.bank.close();
      this.forget();
    });
  }

  /** The moves of its clock that its console can undo. */
  async moves(): Promise<BankMoves> {
    const { BankMoves } = await import('../console/clock/moves.ts');
    const { bank, turn } = this;
    return (this.#moves ??= new BankMoves({ bank, turn, catchUp: () => this.#clock.catchUp() }));
  }

  /** The bank as the bytes of one file, see api/hosting/bundle. */
  async bundle(): Promise<Buffer> {
    const { saveBundle } = await import('./bundle/bundle.ts');
    const { bank, journal } = this;
    const { config, trustedCas } = asItTrusts(this.#hosting);
    return saveBundle({ bank, config, trustedCas: trustedCas(), faults: this.faults.list(), entries: journal.list() });
  }

  /** Takes over the journal and the faults of a bundle, whose ledger this bank was opened with. */
  takeOver({ entries, faults }: Bundle): void {
    this.journal.takeOver(entries);
    this.faults.takeOver(faults);
  }

  /** The bank as the reads of its control plane get it: none of them judges a request. */
  get toRead(): ControlledBank {
    const judge = (): Promise<never> => Promise.reject(new Error('no GET judges a request'));
    return { ...this.#hosting, faults: this.faults, storage: this.storage, turn: this.turn, judge };
  }

  /**
   * Ends the streams of events and the calls that wait, and frees the memory of requests and events, for a bank whose ledger its opener
   * closes.
   */
  forget(): void {
    this.faults.end();
    this.journal.close();
    this.events.close();
    this.#moves?.forget();
  }

  /** Creates the router once, for all requests that wait for it. */
  #resume(): Promise<Router> {
    this.#router ??= once(async () => {
      await this.tickForAWhile();
      return this.#hosting.routes(asItTrusts(this.#hosting), this);
    });
    return this.#router();
  }
}
