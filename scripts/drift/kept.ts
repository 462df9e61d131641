import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { type Difference, difference } from './difference.ts';
import type { Members } from './exchange.ts';
import { isSameValue } from './forms.ts';
import type { Memory } from './memory.ts';

/* What things keep from one answer to the next (DW5). */

/** The members of a thing that earlier answers have shown: it keeps them. `but` may change. */
export function keptDifferences(
  known: Members,
  own: Members,
  path: string,
  but: ReadonlySet<string> = new Set(),
): Difference[] {
  const names = new Set([...Object.keys(known), ...Object.keys(own)]);
  return [...names].flatMap((name): Difference[] => {
    if (but.has(name) || name === '_links') return [];
    const [before, now] = [known[name], own[name]];
    const at = `${path}.${name}`;
    if (now === undefined) return [difference('absent', at, null, before)];
    if (before === undefined) return [difference('extra', at, now, null)];
    return JSON.stringify(before) === JSON.stringify(now) ? [] : [difference('changed', at, now, before)];
  });
}

/** Things of a list that earlier answers had too are in the same order. */
export function orderDifferences(own: readonly string[], list: string, memory: Memory): Difference[] {
  const before = memory.orders.get(list) ?? [];
  memory.orders.set(list, own);
  const [known, now] = [before.filter((id) => own.includes(id)), own.filter((id) => before.includes(id))];
  return known.join(' ') === now.join(' ') ? [] : [difference('order', '', now, known)];
}

/** Transaction texts that habits rewrite. */
const textMembers = new Set([
  'remittanceInformationUnstructured',
  'remittanceInformationUnstructuredArray',
  'transactionDetails',
]);

/** Members of a booked transaction that may differ between two answers: those of details alone, and those that habits rewrite. */
export function changingMembers(quirks: Quirks): ReadonlySet<string> {
  const rewritten = quirks.has('rewritten-texts') ? textMembers : [];
  const amounts = quirks.has('accept-fix-dates') ? ['transactionAmount', 'originalAmount'] : [];
  // A card transaction is put on an invoice.
  return new Set(['entryDetails', 'invoiced', ...rewritten, ...amounts]);
}

/** Members of a transaction that the bank adds to a posted one. */
const added = new Set([
  'transactionId',
  'transactionAmount',
  'remittanceInformationUnstructuredArray',
  'creditorAccount',
  'debtorAccount',
  'bookingDate',
  'entryDetails',
]);

/** How a booked transaction differs from the posted one, apart from members that quirks shape. */
export function postedDifferences(posted: Members, own: Members, path: string, quirks: Quirks): Difference[] {
  const shaped = new Set([
    ...(quirks.has('bank-codes') ? ['bankTransactionCode', 'proprietaryBankTransactionCode'] : []),
    ...(quirks.has('text-forms') || quirks.has('rewritten-texts')
      ? [...textMembers, 'originalAmount', 'currencyExchange']
      : []),
    ...(quirks.has('counterparty')
      ? [
          'creditorId',
          'creditorName',
          'creditorAgent',
          'ultimateCreditor',
          'debtorName',
          'debtorAgent',
          'ultimateDebtor',
        ]
      : []),
    ...(quirks.has('structured-references') ? ['remittanceInformationStructuredArray'] : []),
    ...(['card-value-dates', 'weekend-values', 'month-end-bookings'].some((name) => quirks.has(name as never))
      ? ['valueDate']
      : []),
  ]);
  const names = new Set([...Object.keys(posted), ...Object.keys(own)]);
  return [...names].flatMap((name): Difference[] => {
    const [wanted, shown] = [posted[name], own[name]];
    if (added.has(name) || shaped.has(name) || name === 'amount' || name === 'currency') return [];
    if (wanted === undefined) return name === 'valueDate' ? [] : [difference('extra', `${path}.${name}`, shown, null)];
    if (wanted === '' || wanted === null) return [];
    if (shown === undefined) return [difference('absent', `${path}.${name}`, null, wanted)];
    if (typeof wanted === 'object' || typeof shown === 'object' || isSameValue(wanted, shown)) return [];
    return [difference(textMembers.has(name) ? 'form' : 'value', `${path}.${name}`, shown, wanted)];
  });
}
