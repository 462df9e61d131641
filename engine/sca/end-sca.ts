import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';
import { tellMet } from '../bank/outlet.ts';
import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import { expiredStart, type ScaOutcome, wrongNumbersAllowed } from './rules/sca.ts';
import { type Sca, saveSca, saveScaOutcome } from './rows/scas.ts';

/** Ends an SCA, and announces it. An ended SCA keeps its outcome (rules.md A2). */
export async function endSca(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  outcome: ScaOutcome,
  now: Instant,
): Promise<void> {
  await saveScaOutcome(tx, sca.id, outcome);
  tellEnd(bank, sca, outcome, now);
  if (outcome === 'cancelled') meet(bank, sca, 'SCA cancelled by the PSU', now);
}

/** Makes the link as old as one that has run out (rules.md A4b): whoever opens it afterwards gets SCA_EXPIRED. */
export async function expireSca(bank: BankContext, tx: Writer, sca: Sca, now: Instant): Promise<void> {
  await saveSca(tx, sca.id, { created_at_wall: expiredStart(bank.wall.now()) });
  tellEnd(bank, sca, 'expired', now);
  meet(bank, sca, 'expired SCA', now);
}

/** Counts a wrong national identity number, and returns how many further ones are allowed (rules.md A2c). */
export async function countWrongNumber(tx: Writer, sca: Sca): Promise<number> {
  const count = sca.wrong_numbers + 1;
  await saveSca(tx, sca.id, { wrong_numbers: count });
  return wrongNumbersAllowed - count;
}

function tellEnd(bank: BankContext, sca: Sca, outcome: ScaOutcome | 'expired', at: Instant): void {
  bank.tell({ kind: 'sca', at, purpose: sca.purpose, outcome, paymentId: sca.payment_resource_id });
}

function meet(bank: BankContext, { tpp_id: tpp }: Sca, what: Situation, at: Instant): void {
  tellMet(bank, at, [{ tpp, what, times: 1 }]);
}
