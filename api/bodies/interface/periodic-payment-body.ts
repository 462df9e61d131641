import { isCurrency } from '../../../engine/core/currency.ts';
import { parseLocalDate } from '../../../engine/core/local-date.ts';
import { parseInstructedAmount } from '../../../engine/core/parse-amount.ts';
import type { Members, RuleFault } from '../rule.ts';
import { shown } from '../../middleware/body/shown.ts';

/** rules.md P4: the fraction digits of the currency, greater than zero. */
export function instructedAmount({ amount, currency }: Members): readonly RuleFault[] {
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return [];
  const read = parseInstructedAmount(amount, currency);
  return typeof read === 'string' ? [{ member: 'amount', text: `${shown(amount)} is refused: ${read}.` }] : [];
}

/** rules.md R7: endDate before startDate. */
export function period({ startDate, endDate }: Members): readonly RuleFault[] {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  const [start, end] = [parseLocalDate(startDate), parseLocalDate(endDate)];
  if (start === null || end === null || start <= end) return [];
  const text = `endDate ${end} is before startDate ${start}. Send a later one, or none for a payment without end.`;
  return [{ member: 'endDate', text }];
}

/** rules.md R5: months 1 to 11 (12 by quirk); MonthlyVariable needs at least one, all different. */
export function monthsOfExecution({ frequency, monthsOfExecution: months }: Members, quirks: ReadonlySet<string>) {
  const variable = frequency === 'MonthlyVariable';
  if (!Array.isArray(months)) return variable && months === undefined ? [monthsMissing] : [];
  if (variable && months.length === 0) return [monthsMissing];
  const seen = new Set<number>();
  return months.flatMap((month: unknown, index): RuleFault[] => {
    // What is no whole number is refused where it stands.
    if (typeof month !== 'number' || !Number.isInteger(month)) return [];
    const text = monthFault(month, quirks) ?? (variable && seen.has(month) ? repeated(month) : null);
    seen.add(month);
    return text === null ? [] : [{ member: `monthsOfExecution[${index}]`, text }];
  });
}

/** rules.md P6: structured or unstructured, never both. */
export function oneRemittance(members: Members): readonly RuleFault[] {
  const both = members['remittanceInformationUnstructured'] !== undefined;
  const member = 'remittanceInformationStructuredArray';
  if (!both || members[member] === undefined) return [];
  return [{ member, text: 'Remittance information is structured or unstructured, never both. Send one of the two.' }];
}

const monthsMissing: RuleFault = {
  member: 'monthsOfExecution',
  text: 'Frequency MonthlyVariable needs monthsOfExecution with at least one month. Send for example [2, 5, 8, 11].',
};

function monthFault(month: number, quirks: ReadonlySet<string>): string | null {
  const last = quirks.has('december-month') ? 12 : 11;
  if (month >= 1 && month <= last) return null;
  if (month === 12)
    return 'Month 12 is outside the bounds 1 to 11 of the interface. The quirk december-month accepts it.';
  return `${shown(month)} is no month: expected a whole number from 1 to ${last}.`;
}

function repeated(month: number): string {
  return `Month ${month} is listed twice. Send each month once.`;
}
