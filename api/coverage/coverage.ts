import { ownChannel } from '../../engine/life/bank-orders.ts';
import type { Bank } from '../../engine/bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { type Arrival, bankTimeOf, type Entry } from '../journal/entry.ts';
import { tppOf } from '../journal/entry-json.ts';
import { signingReader } from '../signing/leniencies.ts';
import { productOf } from '../pipeline/endpoint.ts';
import { endsConnection } from '../pipeline/fault-effect.ts';
import type { AnsweredSituation, Behaviour } from './behaviours.ts';

/** Shared by all banks, to save memory. */
const kinds = new Set(['met', 'reset'] as const);

/** Maximum number of TPPs with counts of their own. Later ones count in the sum alone. */
const maxTpps = 1_000;
/** Maximum number of pending transactions remembered for a TPP. */
const maxPending = 10_000;
/** Maximum numbers of accounts whose reservations are remembered for a TPP, and of these for each. */
const [maxAccounts, maxReserved] = [1_000, 100];

/** Reads who signed a refused request. Shared by all banks, so that suspension keeps its cache of certificates. */
const readSigning = signingReader();

/** A behaviour, and whether it was met. */
export interface MetBehaviour extends Behaviour {
  /** Bank time of the first time; null: not met, or the ledger could not be read. */
  readonly first: Instant | null;
  readonly count: number;
}

interface Count {
  times: number;
  readonly first: Instant | Arrival;
}

/** Counts of what one TPP has met, or all TPPs. Operations that are no behaviour (behaviours.ts) count too. */
class Tally {
  readonly counts = new Map<string, Count>();
  /** Transactions that it has read as pending. */
  readonly pending = new Set<number>();
  /** The reservations that its last lists had, by account. */
  readonly reserved = new Map<string, readonly number[]>();

  add(name: string, at: Instant | Arrival, times: number): void {
    const known = this.counts.get(name);
    if (known === undefined) this.counts.set(name, { times, first: at });
    else known.times += times;
  }
}

/**
 * Which behaviours of one bank its TPPs have met, in memory: it outlives resets and suspension, and ends with the bank
 * (docs/spec/control-plane.md). Counting is a map lookup. The list of behaviours is made of every endpoint: it is loaded when
 * somebody asks.
 */
export class Coverage {
  #all = new Tally();
  #byTpp = new Map<string, Tally>();

  /** `failed`: called with errors of counting. */
  constructor(bank: Bank, failed: (error: unknown) => void) {
    bank.listen({
      kinds,
      hear: (event) => {
        if (event.kind === 'met') this.#meet(event.tpp, event.what, event.at, event.times);
        // Other transactions get these numbers.
        if (event.kind !== 'reset') return;
        for (const { pending, reserved } of this.#byTpp.values()) {
          pending.clear();
          reserved.clear();
        }
      },
      failed,
    });
  }

  /** Counts the behaviours that a request of the journal met. */
  add(entry: Entry): void {
    const { facts, arrival } = entry;
    if (facts.codes === undefined && facts.code === undefined && facts.operation === undefined) return;
    // The TPP that the certificate of a refused request names, as in the journal.
    const tpp = facts.tpp ?? tppOf(entry, readSigning(entry));
    for (const name of metIn(entry)) this.#meet(tpp, name, arrival);
    if (tpp !== null && facts.listed !== undefined)
      for (const name of this.#metInList(tpp, facts.listed)) this.#meet(tpp, name, arrival);
  }

  /** Every behaviour, with the counts of all TPPs or of this TPP. */
  async report(tpp?: string): Promise<MetBehaviour[]> {
    const { listBehaviours } = await import('./behaviours.ts');
    const counts = tpp === undefined ? this.#all.counts : this.#byTpp.get(tpp)?.counts;
    return Promise.all(
      (await listBehaviours()).map(async (behaviour) => {
        const { times = 0, first = null } = counts?.get(behaviour.name) ?? {};
        const at = typeof first === 'object' && first !== null ? await bankTimeOf(first) : first;
        return { ...behaviour, count: times, first: at };
      }),
    );
  }

  /** Forgets everything. Returns how many behaviours had been met. */
  async clear(): Promise<number> {
    const met = [...this.#all.counts.keys()];
    this.#all = new Tally();
    this.#byTpp = new Map();
    const { listBehaviours } = await import('./behaviours.ts');
    const names = new Set((await listBehaviours()).map(({ name }) => name));
    return met.filter((name) => names.has(name)).length;
  }

  #meet(tpp: string | null, name: string, at: Instant | Arrival, times = 1): void {
    // Payments of lives go through the bank's own channel: no TPP meets them.
    if (tpp === ownChannel.id) return;
    this.#all.add(name, at, times);
    if (tpp !== null) this.#tallyOf(tpp)?.add(name, at, times);
  }

  #tallyOf(tpp: string): Tally | undefined {
    const known = this.#byTpp.get(tpp);
    if (known !== undefined || this.#byTpp.size >= maxTpps) return known;
    const fresh = new Tally();
    this.#byTpp.set(tpp, fresh);
    return fresh;
  }

  /** Remembers the pending transactions of a list. Returns what became of the pending transactions of earlier lists. */
  #metInList(
    tpp: string,
    { account, booked, pending, reserved }: NonNullable<Entry['facts']['listed']>,
  ): readonly AnsweredSituation[] {
    const tally = this.#tallyOf(tpp);
    if (tally === undefined) return [];
    const met: AnsweredSituation[] = [];
    const { pending: seen } = tally;
    let hasBooked = false;
    if (seen.size > 0) for (const number of booked) if (seen.delete(number)) hasBooked = true;
    if (hasBooked) met.push('pending became booked');
    if (seen.size + pending.length > maxPending) seen.clear();
    if (pending.length <= maxPending) for (const number of pending) seen.add(number);
    if (reserved === undefined) return met;
    const before = tally.reserved.get(account) ?? [];
    if (before.some((number) => !reserved.includes(number))) met.push('reservation ended');
    if (tally.reserved.size >= maxAccounts) tally.reserved.clear();
    tally.reserved.set(account, reserved.slice(0, maxReserved));
    return met;
  }
}

/** The names of the behaviours that a request met by its answer alone. */
function metIn(entry: Entry): readonly string[] {
  const { fault } = entry.facts;
  if (fault === undefined) return metInAnswer(entry);
  const isBroken = fault.status !== undefined || endsConnection(fault);
  // A client that got no answer of the bank has met nothing else.
  const met = isBroken ? ['broken answer' satisfies AnsweredSituation] : metInAnswer(entry);
  return fault.delay === undefined ? met : [...met, 'late answer' satisfies AnsweredSituation];
}

function metInAnswer({ status, facts, target }: Entry): readonly string[] {
  const { operation, product, codes = facts.code === undefined ? [] : [facts.code] } = facts;
  const habits = status === null ? [] : (facts.habits ?? []);
  if (codes.length > 0)
    return [...codes, ...(facts.fault?.code === undefined ? refusedIn(operation, facts.code, status) : []), ...habits];
  if (operation === undefined || status === null || status >= 300) return habits;
  const initiated = product === undefined ? null : productOf(operation, product);
  const met = [operation, ...(initiated === null ? [] : [initiated]), ...habits];
  if (facts.isRepeat === true) met.push('repeat answered' satisfies AnsweredSituation);
  const isLaterPage = /[?&](cursor=.|offset=0*[1-9])/.test(target);
  if (facts.listed !== undefined && isLaterPage) met.push('paging' satisfies AnsweredSituation);
  return met;
}

/** The situation of a refusal that was not armed. */
function refusedIn(operation = '', code: string | undefined, status: number | null): readonly AnsweredSituation[] {
  if (code === 'CONSENT_EXPIRED') return ['consent lapsed'];
  if (code === 'ACCESS_EXCEEDED') return ['unattended limit'];
  // A logical duplicate is a CONFLICT of the payload (rules.md P7).
  return code === 'CONFLICT' && status === 400 && operation.startsWith('POST ') ? ['duplicate refused'] : [];
}
