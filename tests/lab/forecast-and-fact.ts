import type { Bank } from '../../engine/open-bank.ts';
import { bankTime } from '../../engine/bank/bank-context.ts';
import type { LivedEvent } from '../../engine/bank/outlet.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import {
  type Forecast,
  type ForecastExecution,
  inspectRun,
  listRuns,
  type RunAttempt,
} from '../../engine/runs/list-runs.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { type Instant, osloDate } from '../../engine/values/instant.ts';
import type { Amount } from '../../engine/values/money.ts';
import { sentences } from '../../api/causes/cause-sentences.ts';
import { rowsIn } from './rows.ts';

/** What happens, as lines in its order: attempts of runs, with their funds and their reasons, and known events of lives. */
export interface Story {
  readonly attempts: readonly string[];
  readonly lived: readonly string[];
}

/** Stands for the id of a payment that is not ordered yet. */
const toCome = 'to-come';

/** What a forecast says. */
export function foreseen({ executions, planned }: Forecast): Story {
  return {
    attempts: executions.map((each) => attemptLine(each, runId(each.run))),
    lived: planned.map(eventLine),
  };
}

function attemptLine(each: RunAttempt | ForecastExecution, run: string): string {
  const { paymentId, item, account, payee, nominalDate, executionDate, attempt, outcome, available, needed } = each;
  const what = `${paymentId ?? toCome}[${item ?? ''}] ${nominalDate} ${executionDate} ${run} ${outcome}`;
  const who = `${attempt}, ${money(available)} of ${money(needed)}, ${account} to ${payee}`;
  return `${what} ${who}: ${sentences(each.causes)}`;
}

function eventLine({ at, account, amount, event }: LivedEvent): string {
  return `${osloDate(at)} ${at} ${account} ${money(amount)} ${event}`;
}

function money({ minor, currency }: Amount): string {
  return `${minor} ${currency}`;
}

/** {@link compare} of this many minutes, which pass in steps of at most `step` minutes. `meanwhile` happens before them. */
export async function lookThenGo(bank: Bank, ahead: number, step = ahead, meanwhile?: (bank: Bank) => Promise<void>) {
  const { now } = await bank.ledger.read((reader) => bankTime(bank, reader));
  const to = (now + ahead * 60_000) as Instant;
  return compare(bank, to, async () => {
    await meanwhile?.(bank);
    for (let next = now; next < to;) {
      next = Math.min(to, next + step * 60_000) as Instant;
      await advanceClock(bank, next);
    }
    if (ahead === 0) await advanceClock(bank, to);
  });
}

/** Looks ahead until an instant, to which `go` then brings the bank: what was foreseen, and what happened since. */
export async function compare(bank: Bank, to: Instant, go: () => Promise<void>) {
  const { lastRunAt } = await bank.ledger.read((reader) => bankTime(bank, reader));
  const known = await countPayments(bank);
  const told = await forecast(bank, { to });
  const lived: string[] = [];
  const hear = (happening: { readonly kind: string }): void => {
    if (happening.kind === 'lived') lived.push(eventLine(happening as unknown as LivedEvent));
  };
  const failed = (error: unknown): never => {
    throw error;
  };
  const leave = bank.listen({ kinds: new Set(['lived'] as const), hear, failed });
  await go();
  leave();
  return { told, foreseen: foreseen(told), made: { attempts: await madeAfter(bank, lastRunAt, known), lived } };
}

/** How many payments a bank has had. */
async function countPayments(bank: Bank): Promise<number> {
  const latest = 'select max(id % 1073741824) as count from payment';
  return Number((await rowsIn(bank, latest))[0]?.['count'] ?? 0);
}

/** Every attempt that runs after an instant made, in its order. `known`: how many payments there were when it was forecast. */
export async function madeAfter(bank: Bank, at: Instant, known?: number): Promise<string[]> {
  const later = 'select resource_id as id from payment where id % 1073741824 > ?';
  const since = known === undefined ? [] : await rowsIn(bank, later, [known]);
  const isToCome = new Set(since.map(({ id }) => id));
  const runs = (await listRuns(bank, { from: osloDate(at), to: null })).filter((run) => run.at > at);
  const made: string[] = [];
  for (const { id } of runs.toReversed()) {
    for (const each of (await inspectRun(bank, id)).attempts) {
      made.push(attemptLine(isToCome.has(each.paymentId) ? { ...each, paymentId: toCome } : each, id));
    }
  }
  return made;
}

/** Where a forecast and what happened differ first, as a sentence; null: they do not. */
export function firstDifference(told: Story, made: Story): string | null {
  for (const part of ['attempts', 'lived'] as const) {
    const [one, other] = [told[part], made[part]];
    const at = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index).find(
      (index) => one[index] !== other[index],
    );
    if (at !== undefined) return `the forecast tells "${one[at]}", and "${other[at]}" happened`;
  }
  return null;
}
