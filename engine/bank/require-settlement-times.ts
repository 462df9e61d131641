import { Refusal } from '../values/fault.ts';
import { anySettlementRun, bankState, saveState } from './rows/bank-state.ts';
import { timesOfSchedule } from '../time/rules/settlement-run.ts';
import type { Writer } from '../ledger/database.ts';
import type { BankContext } from './bank-context.ts';

/**
 * Checks the configured settlement times against those stored in the ledger. A run is identified by its date and number
 * (rules.md T4), so other times are stored only while no run had anything to do. Else CONFLICT; a reset stores new times.
 */
export async function requireSettlementTimes(bank: BankContext, tx: Writer): Promise<void> {
  const wanted = timesOfSchedule(bank.runs);
  const { settlement_times: stored } = await bankState(tx);
  if (stored === wanted) return;
  if (await anySettlementRun(tx)) {
    const text =
      `The ledger has runs at ${stored}, and the settings ask for ${wanted}. ` +
      'Start with the times of the ledger, choose another ledger, or reset this one first.';
    throw new Refusal({ code: 'CONFLICT', text });
  }
  await saveState(tx, { settlement_times: wanted });
}

/** Checks the settlement times of an existing ledger at start, see {@link requireSettlementTimes}. */
export function checkSettlementTimes(bank: BankContext): Promise<void> {
  return bank.ledger.write((tx) => requireSettlementTimes(bank, tx));
}
