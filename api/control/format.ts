import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { type Amount, formatAmount } from '../../engine/values/money.ts';
import { runId, type SettlementRun } from '../../engine/time/rules/settlement-run.ts';
import type { AdvanceReport } from '../../engine/runs/advance-clock.ts';
import { Problem } from '../pipeline/problem.ts';

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

/** The same report. Throws a Problem 503 if the server stopped during the advance. */
export function finished(report: AdvanceReport): AdvanceReport {
  if (report.isStopped) throw serverStopped(report.to);
  return report;
}

function serverStopped(at: Instant): Problem {
  const detail =
    `The server stopped on the way: the bank clock stands at ${formatInstant(at)}, and what the runs up to it did is kept. ` +
    'An advance after the next start goes on there.';
  return new Problem({ status: 503, detail, isStop: true });
}
