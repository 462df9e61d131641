import { quote } from '../../../engine/values/text.ts';
import { parseDuration } from '../../../engine/values/duration.ts';
import { formatInstant, parseInstant } from '../../../engine/values/instant.ts';
import { forecast as forecastOf, type ForecastExecution, type ForecastTarget } from '../../../engine/runs/forecast.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';
import { amountJson } from '../format.ts';

/** `GET /sandbox/forecast?to=`: what the runs until then will do and why. Changes nothing. */
export const forecast: ControlEndpoint = {
  method: 'GET',
  path: '/forecast',
  query: ['to'],
  handle: async ({ bank, query }) => {
    const { from, to, executions } = await forecastOf(bank, targetOf(query.get('to')));
    return { from: formatInstant(from), to: formatInstant(to), executions: executions.map(formatExecution) };
  },
};

function targetOf(text: string | undefined): ForecastTarget {
  // An unescaped plus sign of an offset arrives as a blank.
  const instant = parseInstant((text ?? '').replace(' ', '+'));
  if (instant !== null) return { to: instant };
  const duration = parseDuration(text ?? '');
  if (duration !== null) return { by: duration };
  const found = text === undefined ? 'missing' : quote(text, 40);
  const detail = `to is ${found}: expected a date, an instant with its offset, or a duration such as P30D.`;
  const allowed = ['2027-03-31', '2027-03-31T12:00:00+02:00', 'P30D', 'P1M', 'PT12H'];
  throw new Problem({ status: 400, detail, code: 'FORMAT_ERROR', errors: [{ path: 'to', detail }], allowed });
}

/** Only an occurrence has a nominal date. The run is given in parts, so that clients need not parse its id. */
function formatExecution(execution: ForecastExecution): object {
  const { paymentId, item, account, isOccurrence, nominalDate, executionDate, run, outcome, reason } = execution;
  return {
    paymentId,
    ...(item !== null && { item }),
    account,
    ...(isOccurrence && { nominalDate }),
    executionDate,
    run: { date: run.date, number: run.number, at: formatInstant(run.at) },
    outcome,
    available: amountJson(execution.available),
    needed: amountJson(execution.needed),
    reason,
  };
}
