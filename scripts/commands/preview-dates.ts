import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { domesticOrderOf } from '../../engine/time/rules/cut-offs.ts';
import { type PreviewTerms, previewSchedule } from '../../engine/runs/preview-schedule.ts';
import { runsFor, runSchedule, type SettlementTimes } from '../../engine/time/rules/settlement-run.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { formatSchedule, maxOccurrences } from '../../api/control/clock/calendar.ts';
import { periodicPaymentBody } from '../../api/interface/payments/payment-bodies.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';

export const maxDates = maxOccurrences;

/** Members that do not change the schedule. */
const rest = {
  instructedAmount: { amount: '100.00', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '95360573002', currency: 'NOK' },
  debtorAccount: { bban: '91351631959', currency: 'NOK' },
};

/** The answer of `POST /sandbox/schedule` to these members of the body, for a private customer. Rejects with its Refusal. */
export function previewDates(
  members: Readonly<Record<string, unknown>>,
  { quirks, times, ...terms }: PreviewTerms & { readonly quirks: Quirks; readonly times: SettlementTimes },
): Promise<ReturnType<typeof formatSchedule>> {
  const body: unknown = { ...rest, ...members };
  validateBody(periodicPaymentBody, body, { quirks });
  return Promise.resolve(
    formatSchedule(
      previewSchedule(runsFor(domesticOrderOf('private'), runSchedule(times, norwegianCalendar())), body, terms),
    ),
  );
}
