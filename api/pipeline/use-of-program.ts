/** The bits of {@link useOfProgram}. */
const uses = { 'a bank was opened': 1, 'a TPP paid': 2, 'the console answered': 4, 'the guide was searched': 8 };

let use = 0;

/** The bits of what this process has done: what ran for it is kept for the next process (scripts/kept-code.cjs). */
export function useOfProgram(): number {
  return use;
}

/** Notes what this process has done. Making a payment or a consent for a TPP counts as paying. */
export function noteUse(what: keyof typeof uses): void {
  use |= uses[what];
}
