import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable, type Bank } from '../../engine/bank.ts';
import { followClock } from '../../engine/runs/follow-clock.ts';
import { readCertificateStatus } from '../../engine/tpps/certificate-status.ts';
import { RunFailed } from '../../engine/runs/run-failed.ts';
import { bankApp } from './app.ts';
import { ArmedFaults } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import { controlPlane } from '../control/control-plane.ts';
import { oneAtATime, type Turn } from '../pipeline/one-at-a-time.ts';
import { banksEndpoints } from './banks.ts';
import type { HostedBanks } from './hosted-banks.ts';
import { logHappenings } from './log-happenings.ts';
import { ScaSteps } from '../sca/sca-steps.ts';
import { createSignatureCheck } from '../signing/signature-check.ts';

export interface Hosting {
  readonly bank: Bank;
  /** What this bank runs with. */
  readonly config: Config;
  /** Where it is mounted: empty, or `/banks/{name}`. */
  readonly base: string;
  /** The server's own address, for requests that name no host. */
  readonly address: string;
  /** PEM. */
  readonly trustedCas: readonly string[];
  /** The banks that its control plane makes and removes; null for one of them. */
  readonly banks: HostedBanks | null;
  readonly log: Logger;
}

/** How long somebody waits for runs that are late, in ms: those that are left then go on meanwhile. */
const patience = 500;

/** One bank behind HTTP, with what the API keeps for it beside its ledger: armed faults, steps of SCA pages, and whose turn it is. */
export class HostedBank {
  readonly bank: Bank;
  readonly config: Config;
  readonly #hosting: Hosting;
  readonly #faults = new ArmedFaults();
  readonly #steps: ScaSteps;
  readonly #turn: Turn;
  readonly #catchUp: ReturnType<typeof followClock>;
  /** Requests that have no answer yet. */
  #users = 0;
  /** Null while it rests: a thousand routers take more memory than a thousand ledgers. */
  #awake: Promise<Router> | null = null;

  constructor(hosting: Hosting) {
    this.bank = hosting.bank;
    this.config = hosting.config;
    this.#hosting = hosting;
    const { ledger } = hosting.bank;
    this.#catchUp = followClock(hosting.bank);
    this.#steps = new ScaSteps(hosting.bank.wall);
    this.#turn = oneAtATime((error) => ledger.stop('moving the clock failed; the log has the reason', error));
    const about = hosting.base === '' ? {} : { bank: hosting.base };
    hosting.bank.listen(logHappenings(hosting.log, about));
    ledger.watch((trouble) => {
      if (trouble === null) hosting.log.info(about, 'the ledger can be written again');
      else hosting.log.error({ ...about, err: trouble.cause }, `the bank takes no changes: ${trouble.reason}`);
    });
  }

  /** Takes a request whose path is the bank's own. A bank that rested first carries out the runs of that time, as far as it comes. */
  readonly handle: RequestHandler = async (request, response, next) => {
    this.#users += 1;
    response.once('close', () => {
      this.#users -= 1;
    });
    const router = await this.#wake();
    router(request, response, next);
  };

  /**
   * Catches the bank up with its clock, where a run or a midnight has passed (rules.md T5); not while its ledger is in
   * trouble. A run that fails ends this, and all other changes, until a reset.
   */
  tick(): Promise<void> {
    const { ledger } = this.bank;
    return this.#turn.tick(async (isTaken) => {
      if (ledger.trouble() !== null) return;
      try {
        await this.#catchUp(isTaken);
      } catch (error) {
        // Told already, and the next tick tries again.
        if (error instanceof LedgerUnavailable) return;
        const what = error instanceof RunFailed ? `${error.message}: ${error.reason()}` : 'moving the clock failed';
        ledger.stop(`${what}; the log has the reason`, error);
      }
    });
  }

  /** The same, but its caller does not wait long. It goes on by itself. */
  tickForAWhile(): Promise<void> {
    return Promise.race([this.tick(), delay(patience, undefined, { ref: false })]);
  }

  /** Looks whether its ledger's file is in its place, and whether it can be written again. Cheap; to be called every second. */
  checkLedger(): Promise<void> {
    return this.bank.ledger.check();
  }

  /** Whether somebody waits for it: such a bank does not rest. */
  get isInUse(): boolean {
    return this.#users > 0 || this.#turn.isTaken();
  }

  /** Gives back what a bank costs that is not used; the next request wakes it. */
  async suspend(): Promise<void> {
    this.#awake = null;
    await this.bank.ledger.suspend();
  }

  /** For good. CONFLICT while its clock is being moved. */
  close(): Promise<void> {
    return this.#turn.runExclusive(() => this.bank.close());
  }

  /** Those who come while it wakes up wait for the same. */
  #wake(): Promise<Router> {
    this.#awake ??= this.tickForAWhile().then(
      () => this.#makeRouter(),
      (error: unknown) => {
        this.#awake = null;
        throw error;
      },
    );
    return this.#awake;
  }

  #makeRouter(): Router {
    const { bank, config, base, address, trustedCas, banks, log } = this.#hosting;
    const more = banks === null ? [] : banksEndpoints(banks);
    const statusOf = (serial: string) => readCertificateStatus(bank, serial);
    const [faults, turn] = [this.#faults, this.#turn];
    return bankApp({
      bank,
      checkSignature: createSignatureCheck({ trust: config.tppTrust, trustedCas, statusOf }),
      faults,
      base,
      config,
      address,
      log,
      turn,
      steps: this.#steps,
      controlPlane: controlPlane({ bank, config, base, address, faults, turn, more, log }),
    });
  }
}
