import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { type Amount, formatAmount } from '../../engine/values/money.ts';
import { runId, type SettlementRun } from '../../engine/time/rules/settlement-run.ts';
import type { AdvanceReport } from '../../engine/runs/advance-clock.ts';

/** `{amount, currency}` with a decimal string. */
export function amountJson(amount: Amount): { readonly amount: string; readonly currency: Amount['currency'] } {
  return { amount: formatAmount(amount), currency: amount.currency };
}

/** `{id, at}`, the instant in ISO 8601 with the Oslo offset. */
export function runJson(run: SettlementRun): { readonly id: string; readonly at: string } {
  return { id: runId(run), at: formatInstant(run.at) };
}

/** The same object with `at` in ISO 8601. */
export function withFormattedInstant<T extends { readonly at: Instant }>(
  value: T,
): Omit<T, 'at'> & { readonly at: string } {
  return { ...value, at: formatInstant(value.at) };
}

/** The report of an advance as JSON. */
export function formatAdvance({ from, to, runs, skippedEmptyRuns }: AdvanceReport): object {
  return { from: formatInstant(from), to: formatInstant(to), runs: runs.map(withFormattedInstant), skippedEmptyRuns };
}
