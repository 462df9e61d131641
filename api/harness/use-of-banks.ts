/** 0: no bank was opened in this process; 1: one was; 2: a TPP has paid. */
let use: 0 | 1 | 2 = 0;

/** How much this process has used a bank: what ran for it is kept for the next process (scripts/kept-code.cjs). */
export function useOfBanks(): number {
  return use;
}

/** A bank was opened in this process. */
export function noteOpened(): void {
  use ||= 1;
}

/** A TPP has paid in this process. */
export function notePaid(): void {
  use = 2;
}
