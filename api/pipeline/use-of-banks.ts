/** 0: no test has opened a bank in this process; 1: one has; 2: a TPP has paid, or has had one of its banks make something. */
let use: 0 | 1 | 2 = 0;

/** How much this process has used a bank: what ran for it is kept for the next process (scripts/kept-code.cjs). */
export function useOfBanks(): number {
  return use;
}

/** A bank was opened in this process. */
export function noteOpened(): void {
  use ||= 1;
}

/** A TPP has paid in this process, or a bank of this process has made a payment or a consent for one. */
export function notePaid(): void {
  use = 2;
}
