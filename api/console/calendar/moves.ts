import type { LocalDate } from '../../../engine/values/local-date.ts';
import { paymentAnswer } from '../../control/payments/payment-answer.ts';
import { runWithAttempts } from '../../control/runs/runs.ts';
import type { ViewCall } from '../console-view.ts';
import { textAt } from '../payments/sent-body.ts';
import type { Month } from './month.ts';

/** A payment that is paid on another day than the one that was asked for. */
export interface Move {
  readonly paymentId: string;
  readonly creditor: string | null;
  readonly from: string;
  readonly to: LocalDate;
  /** The rule, and the holidays by name. */
  readonly why: string;
}

export interface Moves {
  readonly moves: readonly Move[];
  /** How many payments of these days were not looked into. */
  readonly others: number;
}

/** Payments that are read, and attempts of a run. */
const [mostPayments, mostAttempts] = [40, 500];

/**
 * The payments whose day was moved into or within a month. Only a day beside a closed one can have got them, so that only the payments
 * of such days are read.
 */
export async function movesOf(call: ViewCall, { days }: Month): Promise<Moves> {
  const found = new Set<string>();
  for (const [index, { slots, closed }] of days.entries()) {
    const isBeside = [days[index - 1], days[index + 1]].some((day) => day === undefined || day.closed !== null);
    if (closed !== null || !isBeside) continue;
    for (const { report, waiting } of slots) {
      for (const { paymentId } of waiting) found.add(paymentId);
      if (report === null || report.settled + report.retried + report.rejected === 0) continue;
      const run = await call.ask('/runs/:runId', runWithAttempts, { params: { runId: report.id } });
      for (const { paymentId } of run.attempts.slice(0, mostAttempts)) found.add(paymentId);
    }
  }
  const moves: Move[] = [];
  const shown = new Set(days.map(({ date }) => date));
  for (const paymentId of [...found].slice(0, mostPayments)) {
    const { occurrences, initiation } = await call.ask('/payments/:paymentId', paymentAnswer, {
      params: { paymentId },
    });
    const asked = textAt(initiation, 'requestedExecutionDate');
    for (const { nominalDate, executionDate: to, moved: why, item } of occurrences) {
      if (why === undefined || !shown.has(to) || (item !== undefined && item !== 'payments[0]')) continue;
      moves.push({ paymentId, creditor: textAt(initiation, 'creditorName'), from: asked ?? nominalDate, to, why });
    }
  }
  return { moves, others: Math.max(0, found.size - mostPayments) };
}
