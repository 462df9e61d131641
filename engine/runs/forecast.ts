import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { addDuration, type Duration } from '../values/duration.ts';
import { formatInstant, type Instant } from '../values/instant.ts';
import { Refusal } from '../values/fault.ts';
import { type BankContext, readBank } from '../bank/bank-context.ts';
import { bounds, requireClockInstant } from '../bank/read-clock.ts';
import type { Quirks } from '../bank/rules/quirk.ts';
import type { Ledger } from '../ledger/database.ts';
import { lastStepUntil } from '../life/live.ts';
import { type Forecast, type Foreseen, mostInForecast } from './list-runs.ts';
import { prepareRehearsal, rehearse } from './rehearse.ts';

/** How far to look: to an instant, or by a duration. */
export type ForecastTarget = { readonly to: Instant } | { readonly by: Duration };

/** What was foreseen until an instant, and of what: it holds as long as nothing of that changes. */
interface KnownForecast {
  readonly version: number;
  readonly quirks: Quirks;
  readonly to: Instant;
  readonly foreseen: Foreseen;
}

/** The furthest forecast of each bank that was asked for one. It goes with the ledger of its bank. */
const forecasts = new WeakMap<Ledger, KnownForecast>();

/**
 * Forecasts every attempt up to the target and its reason, if nothing is initiated, signed or changed meanwhile
 * (control plane: GET /sandbox/forecast; rules.md D3e): a rehearsal on a copy of what can move. Writes nothing. It is
 * kept until the ledger, its clock or the settings change, and answers shorter forecasts too. BAD_REQUEST: a target in
 * the past or more than 10 years away, or more than {@link mostInForecast} attempts or planned events. SYSTEM_ERROR:
 * the bank stops meanwhile.
 */
export function forecast(bank: BankContext, target: ForecastTarget): Promise<Forecast> {
  return lookAhead(bank, target, mostInForecast);
}

/** `most`: see {@link prepareRehearsal}. */
async function lookAhead(bank: BankContext, target: ForecastTarget, most: number): Promise<Forecast> {
  const { ledger } = bank;
  const { found, ...asked } = await readBank(bank, async (reading) => {
    const to = forecastEnd(target, reading.now);
    const [version, { quirks }] = [ledger.version(), bank];
    const found = forecastUntil(bank, to) ?? (await prepareRehearsal(reading, to, most));
    return { from: reading.now, to, version, quirks, found };
  });
  const { from, to, version, quirks } = asked;
  if ('executions' in found) return { from, to, ...found };
  const foreseen = await rehearse(found);
  if (foreseen === null) return lookAhead(bank, target, Infinity);
  forecasts.set(ledger, { version, quirks, to, foreseen });
  return { from, to, ...foreseen };
}

/** The kept forecast of this moment, or null if none reaches the instant. */
function forecastUntil(bank: BankContext, to: Instant): Foreseen | null {
  const known = forecasts.get(bank.ledger);
  if (known?.version !== bank.ledger.version() || known.quirks !== bank.quirks || known.to < to) return null;
  const { executions, planned } = known.foreseen;
  const lastStep = lastStepUntil(bank, to);
  return {
    executions: executions.filter(({ run }) => run.at <= to),
    planned: planned.filter(({ at }) => at <= lastStep),
  };
}

function forecastEnd(target: ForecastTarget, now: Instant): Instant {
  const furthest = furthestAdvance(now);
  const to = 'by' in target ? addDuration(now, target.by) : target.to;
  if (to < now) {
    const text = `${formatInstant(to)} has passed: the bank clock shows ${formatInstant(now)}. Ask for a later instant.`;
    throw new Refusal({ code: 'BAD_REQUEST', path: 'to', text, allowed: bounds(now, furthest) });
  }
  requireClockInstant(to);
  if (to > furthest) {
    const text = `A forecast looks 10 years ahead at most: until ${formatInstant(furthest)}. Ask for an earlier instant.`;
    throw new Refusal({ code: 'BAD_REQUEST', path: 'to', text, allowed: bounds(now, furthest) });
  }
  return to;
}
