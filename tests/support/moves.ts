import type { Bank } from '../../engine/open-bank.ts';
import { canMove } from '../../engine/values/transaction-status.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';
import { rowsIn } from '../lab/rows.ts';

/** A change of status: `new` is the moment of initiation. */
export type Move = readonly [TransactionStatus | 'new', TransactionStatus];

/** Every change of status that payments of a bank went through, each once (rules.md S10). */
export async function movesOf(bank: Bank): Promise<readonly Move[]> {
  const changes = await rowsIn(bank, 'select payment_id, status from status_change order by id');
  const current = new Map<unknown, TransactionStatus>();
  const moves = new Map<string, Move>();
  for (const { payment_id: payment, status } of changes) {
    const move = [current.get(payment) ?? 'new', status as TransactionStatus] as const;
    // A line may tell something else: what is to be rejected, or that the last items are final.
    if (move[0] !== move[1]) moves.set(move.join(' -> '), move);
    current.set(payment, move[1]);
  }
  return [...moves.values()];
}

/** Those that the transition table has no row for (rules.md S9b). */
export function inventedMoves(moves: readonly Move[]): readonly Move[] {
  return moves.filter(([from, to]) => !canMove(from, to));
}
