import { bankTime, type BankContext } from './bank-context.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import { bankState, saveQuirks } from './rows/bank-state.ts';
import type { BankStateRow } from './rows/tables.ts';
import { choiceOf, isProblem, noQuirks, type Quirks, quirkTexts, switched } from './rules/quirk.ts';

/** The quirks of one bank: those of its start, and those that are on now. */
export class QuirkSwitch {
  readonly #ofStart: Quirks;
  #on: Quirks;

  constructor(ofStart: Quirks) {
    this.#ofStart = ofStart;
    this.#on = ofStart;
  }

  get on(): Quirks {
    return this.#on;
  }

  /** The quirks of this state: those that were switched, else those of the start. Throws an Error for a text that no bank wrote. */
  quirksOf({ quirks }: Pick<BankStateRow, 'quirks'>): Quirks {
    return quirks === null ? this.#ofStart : storedQuirks(quirks);
  }

  /** Makes the quirks of this state those that are on. */
  follow(state: Pick<BankStateRow, 'quirks'>): void {
    this.#on = this.quirksOf(state);
  }
}

/** Reads the column `quirks`. Throws an Error for a text that no bank wrote. */
export function storedQuirks(text: string): Quirks {
  const found = switched(noQuirks, choiceOf(text));
  if (isProblem(found)) throw new Error(`the quirks of the ledger: ${found.problem}`);
  return found;
}

/**
 * Switches quirks (control plane: PUT /sandbox/quirks). `choose` makes the new quirks of those that are on, at bank time `now`; what it
 * throws changes nothing.
 * They hold for the next request, also after a restart, until a reset (rules.md Q1).
 */
export async function switchQuirks(bank: BankContext, choose: (on: Quirks, now: Instant) => Quirks): Promise<Quirks> {
  const quirks = await bank.ledger.write(async (tx) => {
    const { state, now } = await bankTime(bank, tx);
    const chosen = quirkTexts(choose(bank.quirkSwitch.quirksOf(state), now)).join(',');
    await saveQuirks(tx, chosen);
    return chosen;
  });
  bank.quirkSwitch.follow({ quirks });
  return bank.quirks;
}

/** Goes back to the quirks of the start, for a reset; {@link followQuirks} then switches to them. */
export async function forgetSwitched(tx: Writer): Promise<void> {
  await saveQuirks(tx, null);
}

/** Switches to the quirks of the ledger, after another ledger has taken its place. */
export async function followQuirks({
  ledger,
  quirkSwitch,
}: Pick<BankContext, 'ledger' | 'quirkSwitch'>): Promise<void> {
  quirkSwitch.follow(await ledger.read(bankState));
}
