import { Refusal, type Fault } from '../../../engine/core/fault.ts';
import { parseLocalDate, type LocalDate } from '../../../engine/core/local-date.ts';
import type { TransactionWindow } from '../../../engine/operations/list-sandbox-transactions.ts';
import { shown } from '../../middleware/body/shown.ts';

/** What one answer holds when the caller names no limit: more than a person reads, less than an account may have. */
const defaultLimit = 1000;
const largestInt32 = 2 ** 31 - 1;
const parameters = ['fromDate', 'toDate', 'offset', 'limit'];

/**
 * The query of GET /v1/sandbox/accounts/{id}/transactions (real-api-facts.md 10): booking dates, both inclusive, offset
 * and limit as int32. Every fault is told at once (rules.md E3): FORMAT_ERROR, PERIOD_INVALID when the dates are the wrong
 * way round, PARAMETER_NOT_SUPPORTED for another parameter.
 */
export function transactionWindow(query: URLSearchParams): TransactionWindow {
  const faults: Fault[] = unknownParameters(query);
  const from = dateIn(query, 'fromDate', faults);
  const to = dateIn(query, 'toDate', faults);
  if (from !== null && to !== null && from > to) {
    const text = `fromDate ${from} is after toDate ${to}. Send the earlier date as fromDate.`;
    faults.push({ code: 'PERIOD_INVALID', path: 'fromDate', text });
  }
  const offset = countIn(query, 'offset', { least: 0, otherwise: 0 }, faults);
  const limit = countIn(query, 'limit', { least: 1, otherwise: defaultLimit }, faults);
  const [first, ...others] = faults;
  if (first !== undefined) throw new Refusal(first, ...others);
  return { from, to, offset, limit };
}

function unknownParameters(query: URLSearchParams): Fault[] {
  const names = new Set(query.keys());
  return [...names]
    .filter((name) => !parameters.includes(name))
    .map((name) => {
      const text = `${shown(name)} is no parameter here; the parameters are ${parameters.join(', ')}. Leave it out.`;
      return { code: 'PARAMETER_NOT_SUPPORTED', path: name.slice(0, 100), text };
    });
}

function dateIn(query: URLSearchParams, name: string, faults: Fault[]): LocalDate | null {
  const text = query.get(name);
  if (text === null) return null;
  const date = parseLocalDate(text);
  if (date === null) {
    const expected = 'expected a plain date, YYYY-MM-DD, that exists (for example 2027-03-30)';
    faults.push({ code: 'FORMAT_ERROR', path: name, text: `${shown(text)} is refused: ${expected}.` });
  }
  return date;
}

function countIn(
  query: URLSearchParams,
  name: string,
  bounds: { readonly least: number; readonly otherwise: number },
  faults: Fault[],
): number {
  const text = query.get(name);
  if (text === null) return bounds.otherwise;
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= bounds.least && count <= largestInt32) return count;
  const expected = `expected a whole number from ${bounds.least} to ${largestInt32}`;
  faults.push({ code: 'FORMAT_ERROR', path: name, text: `${shown(text)} is refused: ${expected}.` });
  return bounds.otherwise;
}
