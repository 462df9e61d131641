import { clearInterval, clearTimeout, setInterval, setTimeout, systemClock } from '../../engine/time/clock.ts';
import { addDuration, parseDuration } from '../../engine/values/duration.ts';
import { formatInstant, type Instant, parseInstant } from '../../engine/values/instant.ts';
import { assert } from '../../engine/values/assert.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import type { AnswerTo, CallName } from '../openapi/calls.ts';
import type { Control } from './connect.ts';
import { wrongGiven } from './given.ts';
import type { AdvanceStory, FakeTimers } from './types/index.ts';

/** The member of a bank by which `followClock` reaches it. */
export const follows = Symbol.for('sandbank.follow-clock');

/**
 * Calls `hear` after each move of the clock, whoever made it: with the time of the bank, or with null if only the bank
 * has it. Returns what ends that.
 */
export type Follow = (hear: (at: Instant | null) => void, failed: (error: unknown) => void) => Promise<() => void>;

/** How far to advance, as the control plane takes it; one of them, or another one. */
interface Target {
  readonly to?: string;
  readonly by?: string;
  readonly runs?: unknown;
}

type TimerOfTest = { readonly callAt: number };
type TimersOfTest = Map<unknown, TimerOfTest> | Readonly<Record<string, TimerOfTest>>;

const real = { setTimeout, clearTimeout, setInterval, clearInterval };

/**
 * When the fake timers of node:test that are set from now on are due, by timer: node:test tells nobody. Empty if the
 * test has not faked them. mock.timers.reset() ends it, as it brings the real timers back.
 */
function watchTimers(): ReadonlyMap<unknown, number> {
  const due = new Map<unknown, number>();
  const watch = (make: 'setTimeout' | 'setInterval', end: 'clearTimeout' | 'clearInterval'): void => {
    const [faked, cleared] = [globalThis[make] as (...given: readonly unknown[]) => unknown, globalThis[end]];
    if (faked === real[make] || cleared === real[end]) return;
    const made = (work: (...given: readonly unknown[]) => unknown, delay = 0, ...rest: readonly unknown[]): unknown => {
      const wait = Math.max(1, Number(delay) || 1);
      const fired = (...given: readonly unknown[]): unknown => {
        if (make === 'setTimeout') due.delete(timer);
        else due.set(timer, systemClock.now() + wait);
        return work(...given);
      };
      const timer = faked(fired, delay, ...rest);
      due.set(timer, systemClock.now() + wait);
      return timer;
    };
    const clear = (timer: NodeJS.Timeout): void => {
      due.delete(timer);
      cleared(timer);
    };
    Object.assign(globalThis, { [make]: made, [end]: clear });
  };
  watch('setTimeout', 'clearTimeout');
  watch('setInterval', 'clearInterval');
  return due;
}

/** The fake clock of a test. */
class FakeClock {
  readonly #timers: FakeTimers;
  readonly #due: ReadonlyMap<unknown, number> | null;

  constructor(timers: FakeTimers) {
    this.#timers = timers;
    this.#due = 'tick' in timers ? watchTimers() : null;
  }

  /**
   * When the next timer is due, or null if no timer waits. The fake timers of jest and vitest are those of sinon, which
   * keep their timers in a list: a map or an object, by version.
   */
  next(): Instant | null {
    const { clock: { timers = {} } = {} } = Date as { readonly clock?: { readonly timers?: TimersOfTest } };
    const all = typeof timers.values === 'function' ? [...timers.values()] : Object.values(timers);
    // What is due now has fired, or never will: refresh() has moved it.
    const later = this.#due === null ? null : [...this.#due.values()].filter((at) => at > systemClock.now());
    const due = later ?? all.map(({ callAt }) => callAt);
    return due.length === 0 ? null : (Math.min(...due) as Instant);
  }

  /** Sets the time. No timer fires. Throws a Mistake if the test has installed no fake clock. */
  set(at: Instant): void {
    const timers = this.#timers;
    try {
      if ('setTime' in timers) timers.setTime(at);
      else if (timers.isFakeTimers?.() !== false) timers.setSystemTime(at);
    } catch {
      // Told below.
    }
    if (systemClock.now() === at) return;
    const first = 'jest.useFakeTimers(), vi.useFakeTimers() or mock.timers.enable()';
    throw new Mistake(`followClock moves the fake clock of the test, and Date is not faked: call ${first} first.`);
  }

  /** Moves to the time of the bank, and fires what is due on the way. */
  to(at: Instant): void {
    const ms = at - systemClock.now();
    if (ms < 0) this.set(at);
    else if ('tick' in this.#timers) this.#timers.tick(ms);
    else this.#timers.advanceTimersByTime(ms);
  }
}

/** The calls of the control plane that move the clock. */
const moves = ['POST /clock/advance', 'PUT /clock', 'POST /reset', 'POST /snapshots/:name/restore'];

/** The control plane of a bank, whose clock a test may have followed. */
export class FollowedBank {
  readonly #control: Control;
  readonly #direct: Control;
  readonly #follow: Follow;
  readonly #idle: () => Promise<void>;
  #fake: FakeClock | null = null;
  #end: (() => void) | null = null;
  /** Whether its moves tell their time, so that nobody need ask. */
  #isTold = false;
  /** What a timer of the test threw. */
  #thrown: { readonly error: unknown } | null = null;
  /** One after the other: of two answers the later one counts. */
  #syncing = Promise.resolve();

  /**
   * `direct`: without HTTP if it can, for the many steps of an advance. `idle` waits for the calls of the test to the
   * bank.
   */
  constructor({ control, direct }: Record<'control' | 'direct', Control>, follow: Follow, idle: () => Promise<void>) {
    this.#control = control;
    this.#direct = direct;
    this.#follow = follow;
    this.#idle = idle;
  }

  /** Has the fake clock follow the bank until the returned function is called, or the bank closed. */
  async follow(timers: FakeTimers): Promise<() => void> {
    const isFake = typeof timers === 'object' && ('advanceTimersByTime' in timers || 'tick' in timers);
    if (!isFake) throw wrongGiven('followClock', 'jest, vi or mock.timers', timers);
    const { now, mode } = await this.#control('GET /clock');
    requireFrozen(mode);
    this.end();
    const fake = new FakeClock(timers);
    fake.set(instantIn(now));
    this.#fake = fake;
    const hear = (at: Instant | null): void => {
      this.#isTold = at !== null;
      if (at === null) void this.#sync();
      else if (this.#fake === fake) fake.to(at);
    };
    this.#end = await this.#follow(hear, this.#failed);
    return () => {
      if (this.#fake === fake) this.end();
    };
  }

  readonly end = (): void => {
    this.#end?.();
    [this.#fake, this.#end] = [null, null];
  };

  readonly #failed = (error: unknown): void => {
    this.#thrown ??= { error };
  };

  /** Moves the fake clock to the time of the bank. */
  #sync(): Promise<void> {
    const work = async (): Promise<void> => {
      const { now } = await this.#control('GET /clock');
      this.#fake?.to(instantIn(now));
    };
    this.#syncing = this.#syncing.then(work).catch(this.#failed);
    return this.#syncing;
  }

  /** The control plane. A call that moves the clock is over when the fake clock has come to the same time. */
  readonly control: Control = (name, sent) => this.#call(this.#control, name, sent);

  async #call<Name extends CallName>(by: Control, name: Name, sent: Parameters<Control>[1]): Promise<AnswerTo<Name>> {
    const { mode } = (sent?.body ?? {}) as { readonly mode?: unknown };
    if (this.#fake !== null && name === 'PUT /clock') requireFrozen(mode);
    const answer = await by(name, sent);
    if (this.#fake !== null && moves.includes(name)) {
      if (!this.#isTold) await this.#sync();
      // The calls that timers have begun end before the next move.
      await this.#idle();
    }
    const thrown = this.#thrown;
    this.#thrown = null;
    if (thrown !== null) throw thrown.error;
    return answer;
  }

  /** Advances the bank. If its clock is followed, it stops at each timer of the test that is due on the way. */
  async advance(body: Target): Promise<AdvanceStory> {
    const stories: AdvanceStory[] = [];
    const move = async (to: object, by = this.#control): Promise<unknown> =>
      stories.push(await this.#call(by, 'POST /clock/advance', { body: to }));
    const runs = this.#next() !== null && 'runs' in body && Object.keys(body).length === 1 ? Number(body.runs) : 0;
    const isByRuns = Number.isInteger(runs) && runs > 0;
    for (let left = isByRuns ? runs : 1; left > 0; left -= 1) {
      const one = isByRuns ? { runs: 1 } : body;
      const goal = this.#next() === null ? null : await this.#goalOf(one);
      for (let next = this.#next(); goal !== null && next !== null && next < goal; next = this.#next())
        await move({ to: formatInstant(next) }, this.#direct);
      await move(goal === null ? one : { to: formatInstant(goal) });
    }
    return together(stories);
  }

  #next(): Instant | null {
    return this.#fake?.next() ?? null;
  }

  /** Where an advance ends. Null for one until a payment has a status, and for one that the bank refuses. */
  async #goalOf(body: Target): Promise<Instant | null> {
    const { to = '', by = '', runs } = body;
    const { now, nextRun } = await this.#control('GET /clock');
    // A move that could not tell its time has left the fake clock behind, and timers that are due before now.
    if (instantIn(now) > systemClock.now()) this.#fake?.to(instantIn(now));
    const duration = parseDuration(by);
    if (Object.keys(body).length > 1) return null;
    if (duration !== null) return addDuration(instantIn(now), duration);
    return runs === 1 ? instantIn(nextRun.at) : parseInstant(to);
  }
}

/** The story of several steps as that of one advance. A life is told once for each step. */
function together(stories: readonly AdvanceStory[]): AdvanceStory {
  const [first, last] = [stories[0], stories.at(-1)];
  assert(first !== undefined && last !== undefined, 'an advance has a step');
  const runs = stories.flatMap((story) => story.runs);
  const lives = stories.flatMap((story) => story.lives ?? []);
  const skippedEmptyRuns = stories.reduce((all, story) => all + story.skippedEmptyRuns, 0);
  return { ...last, from: first.from, runs, skippedEmptyRuns, ...(lives.length > 0 && { lives }) };
}

function requireFrozen(mode: unknown): void {
  if (mode === 'running')
    throw new Mistake("followClock follows a clock that stands still: bank.clock.set({ mode: 'frozen' }) first.");
}

/** An instant that the bank has written. */
export function instantIn(text: string): Instant {
  const instant = parseInstant(text);
  assert(instant !== null, `${text} is an instant of the bank`);
  return instant;
}
