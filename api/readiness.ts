/** Whether the bank can be used: migrations, seeding and catch-up are done, and no invariant broke. */
export class Readiness {
  #state: 'starting' | 'ready' | { readonly broken: string } = 'starting';

  state(): 'starting' | 'ready' | { readonly broken: string } {
    return this.#state;
  }

  ready(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  /** For good: a bank whose books may be wrong must not go on. */
  broke(reason: string): void {
    this.#state = { broken: reason };
  }
}
