import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { setTimeout } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { LedgerUnavailable, type Bank } from '../../engine/open-bank.ts';
import { followClock, type ClockFollower } from '../../engine/runs/advance-clock.ts';
import type { Alarm } from '../../engine/time/scheduler.ts';
import { statusesAtHand } from '../../engine/tpps/tpps.ts';
import { RunFailed } from '../../engine/runs/run-settlement.ts';
import type { Bundle } from './bundle/bundle.ts';
import { type ArmedFault, ArmedFaults, atReset } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import type { SandboxCaSource } from '../start/trusted-cas.ts';
import type { ConsoleSessions } from '../console/sessions.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import type { BankMoves } from '../console/clock/moves.ts';
import type { ControlEndpoint, ControlledBank } from '../control/control-endpoint.ts';
import { EventLog } from '../control/events/event-log.ts';
import { requestTold } from '../journal/entry-json.ts';
import { Journal } from '../journal/journal.ts';
import { oneAtATime, type Turn } from '../pipeline/one-at-a-time.ts';
import { defaultName } from './bank-name.ts';
import { logHappenings } from './log.ts';
import type { ConfiguredBank } from './open-configured-bank.ts';
import { ScaSteps } from '../sca/sca-steps.ts';
import { AnswerSeal } from '../signing/answer-seal.ts';
import type { ThrowAwayTpps } from '../signing/test-tpp.ts';
import type { TrialSettings } from '../gauntlet/own-trial.ts';

/** The parts that all banks of a server share. */
export interface SharedHosting {
  /** The server's own address, for requests without a Host. */
  readonly address: string;
  /** Whether the server listens. Inside a test it may not, and its address opens nothing. */
  readonly listens: boolean;
  /** The CAs that are trusted, PEM. */
  readonly trustedCas: readonly string[];
  readonly sandboxCa: SandboxCaSource;
  /** The TPPs of the unsigned door. */
  readonly tpps: ThrowAwayTpps;
  /** Names no bank; that of a bank does. */
  readonly log: Logger;
  /** The sessions of the consoles. */
  readonly sessions: ConsoleSessions;
  /** The control token of the server. */
  readonly token: ControlToken | null;
  /** The trial of a gauntlet, as it is for this bank. Null if no gauntlet runs this process. */
  readonly trial: TrialSettings | null;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Makes the routes of a bank. Their code is loaded here only: /ready needs no endpoint. */
  readonly routes: (hosting: Hosting, hosted: HostedBank) => Promise<Router>;
}

export interface Hosting extends SharedHosting {
  readonly bank: Bank;
  /** The same with its lock. */
  readonly opened: ConfiguredBank;
  /** Settings of this bank. */
  readonly config: Config;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  /** Endpoints that its control plane alone has: that of the root bank creates and removes banks. */
  readonly ownEndpoints: ((hosted: HostedBank) => Promise<readonly ControlEndpoint[]>) | null;
}

/** How long a caller waits for late runs; the remaining ones continue in the background. */
const lateRunsMs = 500;

/**
 * One bank over HTTP, with its state outside the ledger: armed faults, steps of SCA pages, the lock of its clock, moves
 * that can be undone, journal and events.
 */
export class HostedBank {
  readonly bank: Bank;
  /** `default` at the root. */
  readonly name: string;
  readonly config: Config;
  readonly #hosting: Hosting;
  /** The last requests under /v1. */
  readonly journal: Journal;
  readonly events: EventLog;
  readonly faults: ArmedFaults;
  readonly steps: ScaSteps;
  readonly seal: AnswerSeal;
  readonly turn: Turn;
  /** The status of a certificate, by its serial number. */
  readonly statusOf: ReturnType<typeof statusesAtHand>;
  readonly #clock: ClockFollower;
  /** Null until its console is first opened. */
  #moves: BankMoves | null = null;
  readonly #routes: () => Promise<Router>;
  /** Null until the first request. */
  #router: Router | null = null;

  /**
   * `lasting` has the faults that were armed before a restart, and keeps those of this server for the next one. By
   * default no fault is armed, and none is kept.
   */
  constructor(
    hosting: Hosting,
    lasting: { readonly faults: readonly ArmedFault[]; readonly keep?: (faults: readonly ArmedFault[]) => void } = {
      faults: [],
    },
  ) {
    this.bank = hosting.bank;
    this.config = hosting.config;
    this.name = hosting.base.slice('/banks/'.length) || defaultName;
    this.#hosting = { ...hosting, log: hosting.log.child({ bank: this.name }) };
    const { ledger } = hosting.bank;
    this.faults = new ArmedFaults(hosting.stopping, lasting.keep);
    this.faults.takeOver(lasting.faults);
    this.#clock = followClock(hosting.bank);
    this.statusOf = statusesAtHand(hosting.bank);
    const name = hosting.config.profile?.name ?? 'Sandbank';
    this.seal = new AnswerSeal(name, hosting.sandboxCa, () => hosting.bank.security.now());
    this.steps = new ScaSteps(hosting.bank.security);
    this.turn = oneAtATime((error) => ledger.stop('moving the clock failed; the log has the reason', error));
    const { log } = this.#hosting;
    const failed = (what: string) => (error: unknown) => log.error({ err: error }, what);
    this.events = new EventLog(hosting.bank, failed('an event was not told'));
    this.journal = new Journal(hosting.bank, {
      kept: (entry) => this.events.add(requestTold(entry, hosting.config.controlToken)),
      failed: failed('a request was not told'),
      controlToken: hosting.config.controlToken,
    });
    hosting.bank.listen(logHappenings(log));
    const follow = (): void => {
      this.faults.end();
      this.journal.mark();
    };
    hosting.bank.listen(atReset(follow, log));
    this.#routes = once(() => hosting.routes(this.#hosting, this));
    ledger.watch((trouble) => {
      if (trouble === null) log.info('the ledger can be written again');
      else log.error({ err: trouble.cause }, `the bank takes no changes: ${trouble.reason}`);
    });
  }

  /** Handles a request with a path relative to the bank. */
  readonly handle: RequestHandler = async (request, response, next) => {
    this.journal.follow(request, response);
    this.#router ??= await this.#routes();
    await this.#router(request, response, next);
  };

  /**
   * Carries out the due runs and midnights (rules.md T5), unless the ledger is in trouble; called by cron, those that
   * are due in a moment; called by the heartbeat, not those that cron is about to carry out (T5b). Without `alarm` a
   * caller waits for them. After a failed run the bank takes no changes until a reset.
   */
  readonly tick = async (alarm?: Alarm): Promise<void> => {
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
  };

  /** Starts a tick and waits for it at most 500 ms; it continues in the background. */
  tickForAWhile(alarm?: Alarm): Promise<void> {
    return Promise.race([this.tick(alarm), new Promise<void>((resolve) => setTimeout(resolve, lateRunsMs).unref())]);
  }

  /** Carries out runs that are late, for 500 ms at most. */
  readonly catchUp = async (): Promise<void> => {
    if (this.#clock.isLate()) await this.tickForAWhile();
  };

  /**
   * Checks that the ledger's file is in its place and can be written, and keeps its lock. Cheap: called every second.
   */
  readonly checkLedger = async (): Promise<void> => {
    const { ledger } = this.bank;
    await ledger.check();
    if (ledger.trouble() === null) this.#hosting.opened.keepLock();
  };

  /** Checks what the start has left out, for a server that is ready. */
  checkBeside(): void {
    const { opened, log } = this.#hosting;
    opened.checkBeside().catch((error: unknown) => log.error({ err: error }, 'the ledger could not be checked'));
  }

  /** Closes its ledger, even if requests are open: the server stops. */
  stop(): Promise<void> {
    return this.#hosting.opened.close();
  }

  /** Closes the bank for good. Throws CONFLICT while its clock is being moved. */
  close(): Promise<void> {
    return this.turn.runExclusive(async () => {
      await this.#hosting.opened.close();
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
    return saveBundle({ ...this.#bundled, entries: this.journal.list() });
  }

  /**
   * What a copy of this bank begins with, or of a snapshot of it (control-plane.md B10). NOT_FOUND for an unknown
   * snapshot.
   */
  async copied(snapshot?: string): Promise<Bundle> {
    const { bundleToCopy } = await import('./bundle/bundle.ts');
    return bundleToCopy({ ...this.#bundled, entries: [] }, snapshot);
  }

  get #bundled() {
    const { bank, config, trustedCas } = this.#hosting;
    return { bank, config, trustedCas, faults: this.faults.list() };
  }

  /** Takes over the journal and the faults of a bundle, whose ledger this bank was opened with. */
  takeOver({ entries, faults }: Bundle): void {
    this.journal.takeOver(entries);
    this.faults.takeOver(faults);
  }

  /** The bank as its control plane gets it without HTTP: for reads and moves of the clock, which judge no request. */
  get toRead(): ControlledBank {
    const judge = (): Promise<never> => Promise.reject(new Error('no GET judges a request'));
    return { ...this.#hosting, faults: this.faults, turn: this.turn, judge };
  }

  /**
   * Ends the streams of events and the calls that wait, and frees the memory of requests and events, for a bank whose
   * ledger its opener closes.
   */
  forget(): void {
    this.faults.end();
    this.journal.close();
    this.events.close();
    this.#moves?.forget();
  }
}
