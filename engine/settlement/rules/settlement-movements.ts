import type { AccountFunds, DueExecution } from './settlement.ts';

/** Money of one currency from one account to another: a posting before it has dates (rules.md S5). */
export interface Movement {
  readonly debtor: AccountFunds;
  readonly creditor: AccountFunds;
  /** Minor units, greater than zero. */
  readonly amount: bigint;
  readonly isFee: boolean;
}

/** What settling an execution moves. A foreign payment's fee is a movement of its own, and so is an exchange (rules.md P11). */
export function movementsOf({ debtor, creditor, amount, foreign }: DueExecution): readonly Movement[] {
  if (foreign === null) return [{ debtor, creditor, amount, isFee: false }];
  const { clearing, fee, exchange } = foreign;
  const movements: Movement[] = [{ debtor, creditor: exchange === null ? creditor : clearing, amount, isFee: false }];
  if (exchange !== null) {
    movements.push({ debtor: exchange.clearing, creditor, amount: exchange.amount, isFee: false });
  }
  if (fee > 0n) movements.push({ debtor, creditor: clearing, amount: fee, isFee: true });
  return movements;
}
