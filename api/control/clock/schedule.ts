import { quote } from '../../../engine/values/text.ts';
import { previewSchedule, type SchedulePreview } from '../../../engine/runs/preview-schedule.ts';
import { periodicPaymentBody } from '../../interface/payments/periodic-payment-body.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';

const usualCount = 100;
/** In one answer. */
export const mostOccurrences = 10_000;

/** `POST /sandbox/schedule`: the dates of a periodic payment, at most `?count=` (default 100). Creates nothing. */
export const schedule = controlEndpoint({
  method: 'POST',
  path: '/schedule',
  query: ['count'],
  body: periodicPaymentBody,
  handle: (call) => {
    const count = countOf(call.query.get('count'));
    return Promise.resolve(formatSchedule(previewSchedule(call.bank.runs.calendar, call.readBody(), count)));
  },
});

interface ScheduleAnswer {
  readonly occurrences: readonly {
    readonly nominalDate: string;
    readonly executionDate: string;
    readonly reason?: string;
  }[];
  readonly warnings?: SchedulePreview['warnings'];
}

/** The answer, which `sandbank next-dates --json` prints too. */
export function formatSchedule({ occurrences, warnings }: SchedulePreview): ScheduleAnswer {
  const dates = occurrences.map(({ nominalDate, executionDate, reason }) => {
    return { nominalDate, executionDate, ...(reason !== null && { reason }) };
  });
  return { occurrences: dates, ...(warnings.length > 0 && { warnings }) };
}

function countOf(text: string | undefined): number {
  if (text === undefined) return usualCount;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostOccurrences) return count;
  const detail = `count is ${quote(text, 40)}: expected a whole number from 1 to ${mostOccurrences}.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'count', detail }] });
}
