import { nextTurn } from '../../engine/time/clock.ts';
import { Mistake } from '../../engine/values/mistake.ts';

interface OpenCall {
  readonly answer: Promise<unknown>;
  fail(by: string): void;
}

/**
 * The calls of a test to its bank. A call under way when the bank is closed or reset lacks an `await`. It fails at once
 * and says so: a later failure would end the process of the test runner.
 */
export class TestCalls {
  readonly #open = new Set<OpenCall>();
  readonly #ending: (over: Promise<unknown>) => void;
  #isClosed = false;

  /**
   * `ending` runs when open calls are failed, with a promise of their ends: until then no armed fault may let a call
   * wait.
   */
  constructor(ending: (over: Promise<unknown>) => void) {
    this.#ending = ending;
  }

  /** Makes a call. `what`: `GET /sandbox/clock`. Throws a Mistake once the bank is closed. */
  async make<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new Mistake(`The bank was closed, and then asked for ${what}. ${advice}`);
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // Made here, where the stack still leads to the line of the test.
    const error = new Error();
    const answer = call();
    const open: OpenCall = {
      answer,
      fail: (by) => {
        error.message = `${by} came while ${what} was under way. ${advice}`;
        reject(error);
      },
    };
    this.#open.add(open);
    try {
      return await Promise.race([answer, failed]);
    } finally {
      this.#open.delete(open);
    }
  }

  /** Fulfilled when no call is under way, also none that another one led to. */
  async idle(): Promise<void> {
    do {
      await Promise.allSettled([...this.#open].map(({ answer }) => answer));
      await nextTurn();
    } while (this.#open.size > 0);
  }

  /** Fails the calls that are under way and waits for their ends. `by`: what ends them, `bank.reset()`. */
  async end(by: string): Promise<void> {
    const open = [...this.#open];
    for (const call of open) call.fail(by);
    const over = Promise.allSettled(open.map(({ answer }) => answer));
    this.#ending(over);
    await over;
    // Their failures are reported before this call returns.
    if (open.length > 0) await nextTurn();
  }

  /** As `end`, and refuses later calls. */
  async close(by: string): Promise<void> {
    this.#isClosed = true;
    await this.end(by);
  }
}

const advice = 'An await is missing before it, or before the expect that it belongs to.';
