/**
 * The clocks as the rules tell them (rules.md T1, T7), in plain numbers of milliseconds; shares no code with the bank. A wall
 * clock that differs by more than a second from what has passed has jumped: ahead counts, back does not.
 */
export class ClockModel {
  wall: number;
  /** The wall clock without its steps back. */
  steady: number;
  /** What the bank's clock showed when it was last set, and the steady clock then. */
  #set: { readonly bank: number; readonly steady: number };
  #jumped = 0;
  rate = 1;
  isFrozen = false;

  constructor(wall: number) {
    this.wall = wall;
    this.steady = wall;
    this.#set = { bank: wall, steady: wall };
  }

  get bank(): number {
    return this.isFrozen ? this.#set.bank : this.#set.bank + this.rate * (this.steady - this.#set.steady);
  }

  pass(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }

  /** The bank looks at the wall clock after it. */
  jump(ms: number): void {
    this.wall += ms;
    this.#jumped += ms;
    if (Math.abs(this.#jumped) <= 1_000) return;
    this.steady += Math.max(0, this.#jumped);
    this.#jumped = 0;
  }

  set(bank: number, rate = this.rate, isFrozen = this.isFrozen): void {
    this.#set = { bank, steady: this.steady };
    this.rate = rate;
    this.isFrozen = isFrozen;
  }

  /** Another process goes on, from what the ledger kept of the steady clock. */
  restart(kept: number): void {
    this.steady = Math.max(this.wall, kept);
    this.#jumped = 0;
  }
}
