import { accountsByNumber, customerTypesOf } from '../accounts/rows/accounts.ts';
import { type BankContext, readBank } from '../bank/bank-context.ts';
import { clockRange } from '../time/rules/bank-clock.ts';
import { Refusal, refuseAny, type Warning } from '../values/fault.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { firstOf } from '../values/lists.ts';
import { products } from '../values/product.ts';
import { checkPeriodicDates } from './rules/check-dates.ts';
import { accountNumber, type PeriodicPaymentInitiation } from './rules/payment-initiation.ts';
import { orderOf, type PlannedOccurrence, planOf } from './rules/plan.ts';

export interface SchedulePreview {
  readonly occurrences: readonly PlannedOccurrence[];
  readonly warnings: readonly Warning[];
}

/** How many occurrences are wanted, and when the payment would be signed. */
interface PreviewTerms {
  readonly count: number;
  /** Null means now, and the occurrences that have passed are listed too. */
  readonly signedAt: Instant | null;
}

/**
 * The first `count` occurrences of a periodic payment; creates nothing. Checks its dates as an initiation does, except
 * that they may have passed. With `signedAt` the list begins with the first occurrence that the bank pays after that
 * signature (rules.md P13), and none is executed before the next run (R6, P3c). Without it, passed occurrences stand
 * first, as planned. No day of execution inside the period: EXECUTION_DATE_INVALID; a start before the banking calendar
 * begins (1990): BAD_REQUEST. A payer whose account is unknown counts as private.
 */
export function previewSchedule(
  bank: BankContext,
  body: PeriodicPaymentInitiation,
  { count, signedAt }: PreviewTerms,
): Promise<SchedulePreview> {
  return readBank(bank, async ({ reader, now, lastRunAt }) => {
    const { calendar } = bank.schedule;
    const earliest = osloDate(clockRange.from);
    if (body.startDate < earliest) {
      const text = `startDate ${body.startDate} is before ${earliest}, where the banking calendar begins.`;
      const bounds = { from: earliest, to: osloDate(clockRange.to) };
      throw new Refusal({ code: 'BAD_REQUEST', path: 'startDate', text, allowed: bounds });
    }
    const { faults, warnings } = checkPeriodicDates(body, body.startDate, calendar);
    refuseAny(faults);
    const numbers = [accountNumber(body.debtorAccount), accountNumber(body.creditorAccount)] as const;
    const accounts = await accountsByNumber(reader, new Set(numbers));
    const debtor = accounts.get(numbers[0]);
    const type = debtor === undefined ? undefined : (await customerTypesOf(reader, [debtor.id])).get(debtor.id);
    const creditors = new Map([...accounts].map(([number, { currency }]) => [number, { currency, isOwn: false }]));
    const initiation = { service: 'periodic-payments', product: products.domestic, body } as const;
    const order = orderOf(initiation, { type: type ?? 'private', currency: 'NOK' }, creditors, osloDate(now));
    const { ahead } = planOf(order, bank, { at: signedAt ?? now, lastRunAt, isSigned: signedAt !== null });
    return { occurrences: firstOf(signedAt === null ? ahead(0) : ahead(), count), warnings };
  });
}
