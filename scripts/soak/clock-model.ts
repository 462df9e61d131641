/**
 * Model of the clocks by the rules (rules.md T1, T7), in milliseconds; shares no code with the bank. The wall clock has jumped
 * if it differs by more than a second from the time that has passed; it moves the steady clock to a time that is new, and not otherwise.
 */
export class ClockModel {
  wall: number;
  /** The wall clock without its steps back. */
  steady: number;
  /** Bank clock and steady clock when the bank clock was last set. */
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

  /** The wall clock jumps, and the bank reads it. */
  jump(ms: number): void {
    this.wall += ms;
    this.#jumped += ms;
    if (Math.abs(this.#jumped) <= 1_000) return;
    if (this.wall > this.steady) this.steady = this.wall;
    this.#jumped = 0;
  }

  set(bank: number, rate = this.rate, isFrozen = this.isFrozen): void {
    this.#set = { bank, steady: this.steady };
    this.rate = rate;
    this.isFrozen = isFrozen;
  }

  /** Another process continues from the steady clock stored in the ledger. */
  restart(kept: number): void {
    this.steady = Math.max(this.wall, kept);
    this.#jumped = 0;
  }
}
