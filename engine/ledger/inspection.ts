/** Looks at the whole ledger, and returns what is wrong or null. The signal ends it. */
export type Look = (ending: AbortSignal) => Promise<string | null>;

/** A look at a ledger beside its use, one at most. */
export class Inspection {
  readonly #found: (damage: string) => void;
  #look: Look | null = null;
  #ending = new AbortController();
  #over: Promise<void> = Promise.resolve();

  /** `found` is told what a look finds wrong. */
  constructor(found: (damage: string) => void) {
    this.#found = found;
  }

  /** Begins a look; fulfilled when it is over or was ended. Rejects as the look does. */
  begin(look: Look): Promise<void> {
    const { signal } = (this.#ending = new AbortController());
    this.#look = look;
    const over = async (): Promise<void> => {
      try {
        const damage = await look(signal);
        if (damage !== null && !signal.aborted) this.#found(damage);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (!signal.aborted) this.#look = null;
      }
    };
    return (this.#over = over());
  }

  /** Ends the look, and does work that replaces what it looked at; when that fails, a new look begins. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#ending.abort();
    await this.#over.catch(() => undefined);
    try {
      const result = await work();
      this.#look = null;
      return result;
    } catch (error) {
      if (this.#look !== null) this.begin(this.#look).catch(() => undefined);
      throw error;
    }
  }
}
