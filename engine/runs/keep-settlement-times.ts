import type { BankContext } from '../bank/bank-context.ts';
import { requireSettlementTimes } from './require-settlement-times.ts';

/** Judges the times of a kept ledger at start, see {@link requireSettlementTimes}. */
export function keepSettlementTimes(bank: BankContext): Promise<void> {
  return bank.ledger.write((tx) => requireSettlementTimes(bank, tx));
}
