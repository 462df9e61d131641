import { Refusal } from '../values/fault.ts';
import { bankState, saveSettlementTimes } from '../bank/rows/bank-state.ts';
import type { Writer } from '../ledger/database.ts';
import { anySettlementRun } from '../settlement/rows/settlement-runs.ts';
import type { BankContext } from '../bank/bank-context.ts';

/**
 * A run is identified by its date and number (rules.md T4), so a ledger keeps the times that its runs were numbered by:
 * other ones are taken only while no run had anything to do. Else CONFLICT; a reset takes the new times.
 */
export async function requireSettlementTimes(bank: BankContext, tx: Writer): Promise<void> {
  const wanted = bank.runs.times.join(',');
  const { settlement_times: kept } = await bankState(tx);
  if (kept === wanted) return;
  if (await anySettlementRun(tx)) {
    const text =
      `The ledger has runs at ${kept}, and the settings ask for ${wanted}. ` +
      'Start with the times of the ledger, choose another ledger, or reset this one first.';
    throw new Refusal({ code: 'CONFLICT', text });
  }
  await saveSettlementTimes(tx, wanted);
}

/** Judges the times of a kept ledger at start, see {@link requireSettlementTimes}. */
export function keepSettlementTimes(bank: BankContext): Promise<void> {
  return bank.ledger.write((tx) => requireSettlementTimes(bank, tx));
}
