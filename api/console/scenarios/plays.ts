import { clearTimeout, setTimeout } from '../../../engine/time/clock.ts';
import { randomIds } from '../../../engine/bank/ids.ts';
import { makeBank, type Scenario } from '../../catalogue/scenario.ts';
import { type PlayedStep, playScenario } from '../../catalogue/play-scenario.ts';
import { ScenarioFailed } from '../../catalogue/step-values.ts';
import { Problem } from '../../pipeline/problem.ts';
import { reasonOf } from '../../start/error-text.ts';
import { callOwnServer, type OwnServer } from '../own-server.ts';

/** A scenario that is or was played, in a bank of its own. */
export interface Play {
  readonly id: string;
  readonly scenario: Scenario;
  /** Name of its bank. */
  readonly bank: string;
  readonly steps: readonly PlayedStep[];
  /** The values that its steps have kept. */
  readonly kept: ReadonlyMap<string, string>;
  readonly state: 'under way' | 'done' | 'failed';
  /** Why it failed, if it did. */
  readonly failure: string | null;
}

type Playing = { -readonly [Member in keyof Play]: Play[Member] };

/** A server that plays scenarios. */
interface PlayingServer extends OwnServer {
  readonly stopping: AbortSignal;
  /** Pause before each step at the slow pace, in ms. The default is a second. */
  readonly slowPause?: number | undefined;
}

/** Maximum number of scenarios played at once. */
const maxAtOnce = 3;
/** Maximum number of plays kept. Forgetting one removes its bank. */
const maxKept = 20;

/**
 * The scenarios that the consoles of a server play: over HTTP, as `sandbank play` does, each in a named bank of its own that stays
 * until twenty others were played.
 */
export class ScenarioPlays {
  readonly #server: PlayingServer;
  /** The oldest first. */
  readonly #plays: Playing[] = [];
  /** Number of plays whose bank is being made. */
  #starting = 0;

  constructor(server: PlayingServer) {
    this.#server = server;
  }

  get slowPause(): number {
    return this.#server.slowPause ?? 1_000;
  }

  /** The newest first. */
  list(): readonly Play[] {
    return this.#plays.toReversed();
  }

  find(id: string): Play | null {
    return this.#plays.find((play) => play.id === id) ?? null;
  }

  /**
   * Makes the bank, and plays in the background with a pause in ms before each step. Throws a Problem if three scenarios are under
   * way, or if the bank cannot be made.
   */
  async start(scenario: Scenario, pause: number): Promise<Play> {
    const underWay = this.#plays.filter(({ state }) => state === 'under way').length;
    if (underWay + this.#starting >= maxAtOnce) {
      const detail = `${maxAtOnce} scenarios are under way, the maximum. Wait until one ends.`;
      throw new Problem({ status: 409, detail });
    }
    this.#starting += 1;
    try {
      const bank = await makeBank(scenario, scenario.name, {
        names: async () => {
          const { banks } = await this.ask<{ banks: { name: string }[] }>('GET', '/sandbox/banks');
          return banks.map(({ name }) => name);
        },
        make: async (body) => void (await this.ask('POST', '/sandbox/banks', body)),
      });
      const kept = new Map<string, string>();
      const id = randomIds.secret();
      const play: Playing = { id, scenario, bank, steps: [], kept, state: 'under way', failure: null };
      this.#plays.push(play);
      void this.#play(play, kept, pause);
      this.#forgetOld();
      return play;
    } finally {
      this.#starting -= 1;
    }
  }

  async #play(play: Playing, kept: Map<string, string>, pause: number): Promise<void> {
    const { address, stopping, ...server } = this.#server;
    const stage = { ...server, address: `${address}/banks/${play.bank}`, signal: stopping };
    try {
      for await (const step of playScenario(play.scenario, stage, kept)) {
        play.steps = [...play.steps, step];
        if (play.steps.length < play.scenario.steps.length) await paused(pause, stopping);
      }
      play.state = 'done';
    } catch (error) {
      play.state = 'failed';
      play.failure =
        error instanceof ScenarioFailed ? error.message : `the scenario cannot be played${reasonOf(error)}`;
    }
  }

  #forgetOld(): void {
    while (this.#plays.length > maxKept) {
      const old = this.#plays.findIndex(({ state }) => state !== 'under way');
      if (old < 0) return;
      const [play] = this.#plays.splice(old, 1);
      // Somebody may have removed it already.
      if (play !== undefined) void this.ask('DELETE', `/sandbox/banks/${play.bank}`).catch(() => undefined);
    }
  }

  /** A call of the control plane of any bank of the server, by its path below the server. Throws a Problem with what it refuses. */
  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { status, content } = await callOwnServer(this.#server, { method, path, body });
    if (status < 300) return content as Answer;
    const { detail = 'The bank does not do this.' } = content as { readonly detail?: string };
    throw new Problem({ status, detail });
  }
}

function paused(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      resolve();
    }
    stopping.addEventListener('abort', end);
  });
}
