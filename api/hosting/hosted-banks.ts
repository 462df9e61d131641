import type { RequestHandler } from 'express';
import { type Bank, type CopiedLedger, LedgerRefused, LedgerUnavailable } from '../../engine/open-bank.ts';
import { hashOfKnownState, type KnownState } from '../../engine/bank/known-state.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import type { DayTimes } from '../../engine/time/rules/cut-offs.ts';
import { timesOfAllRuns } from '../../engine/time/rules/settlement-run.ts';
import type { Alarm } from '../../engine/time/scheduler.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { oneLine, quote } from '../../engine/values/text.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import { Problem, refusedAt } from '../pipeline/problem.ts';
import { type Config, withSigning } from '../start/config.ts';
import { ledgerProblem } from '../start/ledger-problem.ts';
import { type BankFiles, type BankRecord, taken } from './bank-files.ts';
import { defaultName, isBankName, nameForm } from './bank-name.ts';
import type { Bundle } from './bundle/bundle.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { HostedBank, type SharedHosting } from './hosted-bank.ts';
import { openConfiguredBank } from './open-configured-bank.ts';
import { messageOf } from '../../engine/values/message-of.ts';

export interface NewBank {
  readonly name: string;
  /** Hash of the call that makes it, if one does. */
  readonly asked: string | null;
  /** What it has in place of the server's settings. */
  readonly settings: Partial<Config>;
  /** The content of the known state that the settings name. Null is that of the bank at the root. */
  readonly knownState: KnownState | null;
  /** What it begins with. Null: with its known state. */
  readonly from: Pick<Bundle, 'copied' | 'prices' | 'faults'> | null;
}

/** A bank beside the one at the root. */
export interface NamedBank {
  readonly name: string;
  /** What was kept of it when it was opened. */
  readonly record: BankRecord;
  /** The open bank, or why it cannot be opened. */
  readonly state: HostedBank | { readonly damage: string };
}

interface BanksOptions {
  /** The bank at the root, whose known state and prices the others share. */
  readonly root: Bank;
  /** Settings of the server. */
  readonly config: Config;
  readonly wall: WallClock;
  readonly calendar: BankingCalendar;
  readonly shared: SharedHosting;
  /** It is null if the banks are in memory. */
  readonly files: BankFiles | null;
}

/** Maximum number of named banks. */
const maxBanks = 100;

/** How a bank is removed. */
function away(name: string): string {
  return `DELETE /sandbox/banks/${name}, or sandbank bank remove ${name}, takes it away.`;
}

/** The banks beside the one at the root, at `/banks/{name}`, in memory or in files (docs/spec/control-plane.md K18). */
export class HostedBanks {
  readonly #options: BanksOptions;
  /** In the order of their making or finding. */
  readonly #banks = new Map<string, NamedBank>();
  /** The last work on each bank that is being made or removed. Never rejects. */
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Number of banks that are being made. */
  #makings = 0;
  /** See {@link followedBy}. */
  #follow: (times: DayTimes) => void = () => undefined;

  constructor(options: BanksOptions) {
    this.#options = options;
  }

  /**
   * Opens the stored banks. One that cannot be opened, whatever is wrong with its files, is damaged, and the others go
   * on.
   */
  async openStored(): Promise<void> {
    const { files, root, shared } = this.#options;
    if (files === null) return;
    for (const name of await files.names()) {
      let record = files.withoutRecord(name);
      try {
        record = await files.record(name);
        await this.#open(name, record, await files.knownState(name, record, root.firstOrigin.knownState));
      } catch (error) {
        const damage = oneLine(messageOf(error), 500);
        shared.log.error({ bank: name, reason: damage, err: error }, `the bank ${name} is damaged`);
        this.#banks.set(name, { name, record, state: { damage } });
      }
    }
  }

  /**
   * Makes a bank. Throws BAD_REQUEST for a malformed name, CONFLICT for a name in use, a Problem (429) when the limit
   * is reached, and the errors of openConfiguredBank for fixtures that cannot be seeded.
   */
  async create(wanted: NewBank): Promise<HostedBank> {
    const { hosted, isNew } = await this.#ensure(wanted);
    if (!isNew) throw taken(`There is a bank ${wanted.name} already. ${away(wanted.name)}`);
    return hosted;
  }

  /**
   * Makes a bank unless it is there. Throws as {@link create} does, and CONFLICT if other settings made the one that is
   * there.
   */
  async ensure(wanted: NewBank): Promise<{ readonly hosted: HostedBank; readonly isNew: boolean }> {
    const { hosted, isNew, asked } = await this.#ensure(wanted);
    if (asked !== null && asked !== wanted.asked)
      throw taken(`The bank ${wanted.name} was made with other settings. ${away(wanted.name)}`);
    return { hosted, isNew };
  }

  /** `asked`: hash of the call that made the bank. Throws LedgerUnavailable for one that is there and damaged. */
  async #ensure(wanted: NewBank) {
    const { name } = wanted;
    requireName(name);
    return this.#alone(name, async () => {
      const found = this.#banks.get(name);
      if (found !== undefined) return { hosted: openedIn(found), isNew: false, asked: found.record.asked };
      if (this.#banks.size + this.#makings >= maxBanks) throw tooMany();
      this.#makings += 1;
      try {
        return { hosted: await this.#make(wanted), isNew: true, asked: wanted.asked };
      } finally {
        this.#makings -= 1;
      }
    });
  }

  async #make({ name, asked, settings, knownState, from }: NewBank): Promise<HostedBank> {
    const { config: server, root, files, wall } = this.#options;
    const since = wall.now();
    const clockNow = settings.clockNow ?? from?.copied.now ?? server.clockNow ?? since;
    const { trial } = this.#options.shared;
    const signing = withSigning({ ...server, ...trial?.beside, ...settings });
    const { quirks } = signing;
    const under = trial === null ? {} : { quirks: trial.over(quirks), idSeed: `${server.idSeed} ${name}` };
    const config = { ...signing, ...under, ledger: files?.ledgerOf(name) ?? ':memory:', clockNow };
    const state = knownState ?? root.firstOrigin.knownState;
    const prices = from === null || from.prices === root.prices ? null : from.prices;
    const hash = await hashOfKnownState(state);
    const record = { config, asked, knownState: hash, since, faults: from?.faults ?? [], prices };
    await files?.make(name, record, state);
    try {
      return await this.#open(name, record, state, from?.copied);
    } catch (error) {
      await files?.remove(name, since);
      if (from !== null && (error instanceof Mistake || error instanceof LedgerRefused))
        throw refusedAt('from', `The bank cannot begin so: ${oneLine(error.message, 500)}.`);
      if (ledgerProblem(error, config.ledger) === null) throw error;
      throw new LedgerUnavailable({ kind: 'unwritable', reason: `the files of ${name} cannot be made`, cause: error });
    }
  }

  /** Opens the ledger of a bank. Throws any error if it cannot be used. */
  async #open(name: string, record: BankRecord, knownState: KnownState, copied?: CopiedLedger): Promise<HostedBank> {
    const { root, wall, calendar, shared, files } = this.#options;
    const { address, stopping } = shared;
    const { config, since } = record;
    const prices = record.prices ?? root.prices;
    const copy = copied !== undefined && { copied };
    const opening = { wall, calendar, address, stopping, prices, knownState, since, ...copy, inLockedFolder: true };
    const opened = await openConfiguredBank(config, { ...opening, keepsTimes: true });
    const { bank } = opened;
    let kept = record.faults.length;
    const keep = (faults: readonly ArmedFault[]): void => {
      try {
        files?.keep(name, { ...record, faults });
      } catch (error) {
        // A fault that strikes once too often after a restart is no reason to fail the call that it struck.
        if (faults.length > kept) throw error;
      }
      kept = faults.length;
    };
    const trial = shared.trial?.named(name) ?? null;
    const of = { ...shared, trial, opened, bank, config, base: `/banks/${name}`, ownEndpoints: null };
    this.#follow(timesOfAllRuns(bank.schedule));
    const hosted = new HostedBank(of, { faults: record.faults, keep });
    await hosted.tickForAWhile();
    this.#banks.set(name, { name, record, state: hosted });
    return hosted;
  }

  /** Does work on a name with no other work on it. */
  async #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    for (let other = this.#busy.get(name); other !== undefined; other = this.#busy.get(name)) await other;
    const working = work();
    const settled = working.then(
      () => undefined,
      () => undefined,
    );
    this.#busy.set(name, settled);
    try {
      return await working;
    } finally {
      if (this.#busy.get(name) === settled) this.#busy.delete(name);
    }
  }

  /**
   * Hands a request below `/banks/:name` to its bank. Throws NOT_FOUND for an unknown name, LedgerUnavailable for a
   * damaged bank.
   */
  readonly handle: RequestHandler<{ name: string }> = async (request, response, next) => {
    const hosted = openedIn(this.known(request.params.name));
    // A file that was taken away may be back.
    if (hosted.bank.ledger.trouble() !== null) await hosted.checkLedger();
    await hosted.handle(request as never, response, next);
  };

  /** The bank of a name, damaged or not. Throws NOT_FOUND. */
  known(name: string): NamedBank {
    const found = this.#banks.get(name);
    if (found !== undefined) return found;
    const text =
      name === defaultName
        ? `The bank ${defaultName} is at the root: /v1 and /sandbox, without /banks/${defaultName}.`
        : `There is no bank ${quote(name)}. POST /sandbox/banks makes one.`;
    throw new Refusal({ code: 'NOT_FOUND', text, allowed: [...this.#banks.keys()] });
  }

  /** An open bank; null for an unknown name, and for a damaged bank. */
  find(name: string): HostedBank | null {
    return this.open().find((hosted) => hosted.name === name) ?? null;
  }

  /** The banks that are not damaged. */
  open(): readonly HostedBank[] {
    return this.list().flatMap(({ state }) => (state instanceof HostedBank ? [state] : []));
  }

  /** Every bank, in the order of their making or finding. */
  list(): readonly NamedBank[] {
    return [...this.#banks.values()];
  }

  /** Finds a known state by the name that `/sandbox/info` reports of it, or undefined if none has this name. */
  knownStateNamed(fixtures: string): KnownState | undefined {
    const { config, root } = this.#options;
    if (fixtures === config.fixtures) return root.firstOrigin.knownState;
    const named = this.list().find((each) => each.record.config.fixtures === fixtures);
    return named === undefined ? undefined : openedIn(named).bank.firstOrigin.knownState;
  }

  /**
   * Removes a bank and its snapshots; its files go to `removed/`. CONFLICT for the bank at the root, and while the
   * clock is being moved.
   */
  async remove(name: string): Promise<void> {
    if (name === defaultName) {
      const text =
        'The bank at the root stays as long as the server runs. POST /sandbox/reset takes it back to the start.';
      throw new Refusal({ code: 'CONFLICT', text, allowed: [...this.#banks.keys()] });
    }
    await this.#alone(name, async () => {
      const named = this.known(name);
      if (named.state instanceof HostedBank) await named.state.close();
      this.#banks.delete(name);
      await this.#options.files?.remove(name, this.#options.wall.now());
    });
  }

  /**
   * Carries out due runs, and looks whether the ledgers are in their places. In parallel: no bank waits for the runs of
   * another.
   */
  async tick(alarm: Alarm): Promise<void> {
    await Promise.all(this.open().map((hosted) => this.#tickOne(hosted, alarm)));
  }

  async #tickOne(hosted: HostedBank, alarm: Alarm): Promise<void> {
    try {
      await hosted.checkLedger();
      await hosted.tickForAWhile(alarm);
    } catch (error) {
      // It may have been removed meanwhile.
      if (this.open().includes(hosted))
        this.#options.shared.log.error({ bank: hosted.name, err: error }, 'the alarm of a named bank failed');
    }
  }

  /** From now on `follow` gets the times of the runs of each open bank (rules.md T5b). */
  followedBy(follow: (times: DayTimes) => void): void {
    this.#follow = follow;
    for (const { bank } of this.open()) follow(timesOfAllRuns(bank.schedule));
  }

  /** Closes all banks, even if requests are open: the server stops. */
  async close(): Promise<void> {
    await Promise.all(this.open().map((hosted) => hosted.stop()));
  }
}

/** The bank over HTTP. Throws LedgerUnavailable if it is damaged. */
export function openedIn({ name, state }: NamedBank): HostedBank {
  if (state instanceof HostedBank) return state;
  const text = `The bank ${name} is damaged. GET /sandbox/banks and the log of the server say why; the other banks go on.`;
  throw new LedgerUnavailable({ kind: 'broken', reason: state.damage }, text);
}

/** Throws BAD_REQUEST for a name that no bank can have, CONFLICT for that of the bank at the root. */
function requireName(name: string): void {
  if (name === defaultName) throw taken('The bank default is the one at the root.');
  if (isBankName(name)) return;
  const text = `${quote(name)} is no name for a bank: up to 63 small letters, digits and hyphens.`;
  throw new Refusal({ code: 'BAD_REQUEST', path: 'name', text, allowed: { name: nameForm } });
}

function tooMany(): Problem {
  const detail = `There are ${maxBanks} banks beside ${defaultName}, which is the most. DELETE /sandbox/banks/{name} takes one away.`;
  return new Problem({ status: 429, detail, allowed: { banks: String(maxBanks) } });
}
