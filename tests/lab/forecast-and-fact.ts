import type { Bank } from '../../engine/bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { bankState } from '../../engine/bank/rows/bank-state.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast, type Forecast } from '../../engine/runs/forecast.ts';
import { rowsOf } from './rows.ts';

/** One attempt, foreseen or made, as a line: payment, item, nominal and execution date, run, outcome, funds. */
type AttemptLine = string;

/** What a forecast says, in the order of {@link madeAfter}. */
export function foreseen({ executions }: Forecast): AttemptLine[] {
  return executions
    .map((each) => {
      const { paymentId, item, nominalDate, executionDate, run, outcome, available, needed } = each;
      const place = /\d+/.exec(item ?? '0')?.[0] ?? '0';
      const what = `${paymentId}[${place}] ${nominalDate} ${executionDate}`;
      return `${what} ${runId(run)} ${outcome} ${available.minor} of ${needed.minor} ${needed.currency}`;
    })
    .sort();
}

/** Looks this many minutes ahead, then goes there: what was foreseen, and what happened since. */
export async function lookThenGo(bank: Bank, ahead: number): Promise<{ told: Forecast; made: AttemptLine[] }> {
  const { now, lastRunAt } = await bank.ledger.read(async (reader) => {
    return { now: await bankNow(bank, reader), lastRunAt: (await bankState(reader)).last_run_at };
  });
  const to = (now + ahead * 60_000) as Instant;
  const told = await forecast(bank, { to });
  await advanceClock(bank, to);
  return { told, made: await madeAfter(bank, lastRunAt) };
}

/** Every attempt that runs after an instant made. */
export async function madeAfter(bank: Bank, at: Instant): Promise<AttemptLine[]> {
  const rows = await bank.ledger.read((reader) =>
    rowsOf(
      reader,
      `select payment.resource_id || '[' || iif(payment.service = 'bulk-payments', sequence, 0) || '] ' || nominal_date
          || ' ' || execution.execution_date || ' ' || run_date || '/' || run_number || ' ' || outcome || ' '
          || available_minor || ' of ' || needed_minor || ' ' || currency as line
        from attempt join execution on execution.id = execution_id join payment on payment.id = payment_id
          join account on account.id = execution.debtor_account_id
          join settlement_run as run on run.date = run_date and run.number = run_number
        where run.at > ${at}`,
    ),
  );
  return rows.map(({ line }) => String(line)).sort();
}
