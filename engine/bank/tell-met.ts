import type { Instant } from '../values/instant.ts';
import type { BankContext } from './bank-context.ts';
import type { Met } from './outlet.ts';

/** Tells what TPPs met at an instant: the same of the same TPP together, so that a large run tells little. */
export function tellMet(bank: Pick<BankContext, 'tell' | 'isHeard'>, at: Instant, all: Iterable<Met>): void {
  if (!bank.isHeard('met')) return;
  const sums = new Map<string, Met>();
  for (const { tpp, what, times } of all) {
    const key = `${what} ${tpp}`;
    sums.set(key, { tpp, what, times: times + (sums.get(key)?.times ?? 0) });
  }
  for (const met of sums.values()) bank.tell({ kind: 'met', at, ...met });
}
