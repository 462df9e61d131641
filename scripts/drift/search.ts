import { approvalsOf } from './acts.ts';
import type { Exchange } from './exchange.ts';
import { type Found, type Guess, guessesAt, type Known } from './guesses.ts';
import { Implied } from './implied.ts';
import { type Plan, Replay, type Replayed, type ReplaySettings } from './replay.ts';

/** How a recording went in our bank, with the acts that explain most of it. */
export interface Outcome {
  readonly replayed: readonly Replayed[];
  readonly plan: Plan;
}

/** Requests that may be sent to find out what people did, beside those of the recording. */
const spareRequests = 5_000;

/**
 * Replays exchanges. Where an answer differs, looks for something that a PSU or the bank may have done before, and keeps it if it makes
 * differences go away: an approval, a revocation, lacking funds, a change in another channel, transactions of others. What it has found
 * holds for each later run, under other quirks too.
 */
export class Search {
  readonly #known: Known;
  #found: Found;
  /** Exchanges whose differences stay: no guess explained them. */
  readonly #settled = new Set<number>();
  /** Guesses that were kept once; none is kept twice. */
  readonly #adopted = new Set<string>();
  #spare = spareRequests;

  constructor(exchanges: readonly Exchange[]) {
    const implied = new Implied(exchanges);
    const { certain, unclear } = approvalsOf(exchanges, implied);
    this.#known = { exchanges, implied, unclear };
    this.#found = { plan: certain, balances: new Map(), inside: new Map() };
  }

  async run(settings: ReplaySettings): Promise<Outcome> {
    for (;;) {
      const { replayed, stopped } = await this.#once(settings, this.#found, this.#known.exchanges.length, true);
      if (stopped === null) return { replayed, plan: this.#found.plan };
      const better = await this.#explain(settings, replayed, stopped);
      if (!better) this.#settled.add(stopped);
    }
  }

  /** Replays with what has been found, and looks for nothing more. */
  async glance(settings: ReplaySettings): Promise<readonly Replayed[]> {
    return (await this.#once(settings, this.#found, this.#known.exchanges.length, false)).replayed;
  }

  /** Replays up to an exchange; with `stops` only to the first one that differs and is not settled. */
  async #once(
    settings: ReplaySettings,
    found: Found,
    to: number,
    stops: boolean,
  ): Promise<{ readonly replayed: readonly Replayed[]; readonly stopped: number | null }> {
    await using replay = await Replay.open(this.#known, settings, found);
    const replayed: Replayed[] = [];
    for (let index = 0; index < to; index += 1) {
      const acts = found.plan.filter(({ before }) => before === index).map(({ act }) => act);
      const one = await replay.step(index, acts);
      replayed.push(one);
      if (stops && one.differences.length > 0 && !this.#settled.has(index) && this.#spare > 0) {
        if (this.#guesses(one, index, settings).length > 0) return { replayed, stopped: index };
        this.#settled.add(index);
      }
    }
    return { replayed, stopped: null };
  }

  /** Adopts the guess that leaves the fewest differences up to an exchange, if it leaves fewer than there are. */
  async #explain(settings: ReplaySettings, replayed: readonly Replayed[], index: number): Promise<boolean> {
    const last = replayed[index];
    if (last === undefined) return false;
    let best = { left: distanceOf(replayed), guess: null as Guess | null };
    for (const guess of this.#guesses(last, index, settings)) {
      this.#spare -= index + 1;
      const { replayed: again } = await this.#once(settings, withGuess(this.#found, guess), index + 1, false);
      const left = distanceOf(again);
      if (left < best.left) best = { left, guess };
      if (left === 0) break;
    }
    if (best.guess === null) return false;
    this.#adopted.add(JSON.stringify(best.guess));
    // What was given up may be explained now.
    this.#settled.clear();
    this.#found = withGuess(this.#found, best.guess);
    return true;
  }

  /** The guesses that may explain why an exchange differs, without those that were adopted before. */
  #guesses(replayed: Replayed, index: number, { keeps }: ReplaySettings): Guess[] {
    const guesses = guessesAt(this.#known, this.#found, replayed, index, keeps.has('amounts'));
    const different = new Map(guesses.map((guess) => [JSON.stringify(guess), guess]));
    return [...different].filter(([text]) => !this.#adopted.has(text)).map(([, guess]) => guess);
  }
}

function withGuess(found: Found, guess: Guess): Found {
  const { plan, balances, inside } = found;
  if ('act' in guess) return { ...found, plan: [...plan, guess] };
  if ('without' in guess) return { ...found, plan: plan.filter((one) => one !== guess.without) };
  if ('inside' in guess) return { ...found, inside: new Map([...inside, [guess.inside, guess.holder]]) };
  return { ...found, balances: new Map([...balances, [guess.bban, guess.balance]]) };
}

/** How far answers are from the recorded ones. A request that cannot be made for lack of an id is as far as can be. */
export function distanceOf(replayed: readonly Replayed[]): number {
  return replayed.reduce((sum, { differences, isLost }) => sum + (isLost ? 20 : weightOf(differences)), 0);
}

/** Another status, and an item that is missing, say more than many members; two refusals are nearer to each other. */
function weightOf(differences: Replayed['differences']): number {
  return differences.reduce((sum, { kind, path, recorded, replayed }) => {
    if (kind === 'status') return sum + (Number(recorded) >= 400 && Number(replayed) >= 400 ? 10 : 20);
    return sum + (path.endsWith('[]') && (kind === 'extra' || kind === 'absent') ? 20 : 1);
  }, 0);
}
