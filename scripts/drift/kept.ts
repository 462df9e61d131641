import type { Quirk, Quirks } from '../../engine/bank/rules/quirk.ts';
import { words } from '../../engine/values/text.ts';
import type { DifferenceKind, Findings } from './difference.ts';
import type { Members } from './exchange.ts';
import { isSameValue } from './forms.ts';
import type { Memory } from './memory.ts';

/* What things keep from one answer to the next (DW5). */

/** Things that a recording has shown, or that its TPP has sent, and how an answer shows them now. */
interface Compared {
  readonly wanted: Members;
  readonly shown: Members;
  readonly path: string;
  /** Members that may differ. */
  readonly but?: ReadonlySet<string>;
}

/** Tells each member that a thing lacks, or has more; `kindOf` says how two values of a member differ, null: they do not. */
function tellMembers(
  { wanted, shown, path, but }: Compared,
  found: Findings,
  kindOf: (wanted: unknown, shown: unknown, name: string) => DifferenceKind | null,
): void {
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(shown)])) {
    if (but?.has(name) === true) continue;
    const [before, now] = [wanted[name], shown[name]];
    const kind = now === undefined ? 'absent' : before === undefined ? 'extra' : kindOf(before, now, name);
    if (kind !== null) found.tell(kind, `${path}.${name}`, now, before);
  }
}

/** The members of a thing that earlier answers have shown: it keeps them. Their links are checked apart. */
export function tellKept(things: Compared, found: Findings): void {
  const but = new Set(['_links', ...(things.but ?? [])]);
  tellMembers({ ...things, but }, found, (before, now) =>
    JSON.stringify(before) === JSON.stringify(now) ? null : 'changed',
  );
}

/** Things of a list that earlier answers had too are in the same order. */
export function tellOrder(own: readonly string[], list: string, path: string, memory: Memory, found: Findings): void {
  const before = memory.orders.get(list) ?? [];
  memory.orders.set(list, own);
  const [known, now] = [before.filter((id) => own.includes(id)), own.filter((id) => before.includes(id))];
  if (known.join(' ') !== now.join(' ')) found.tell('order', path, now, known);
}

/** Transaction texts that quirks rewrite. */
const textMembers = [
  'remittanceInformationUnstructured',
  'remittanceInformationUnstructuredArray',
  'transactionDetails',
];

/** Members of a booked transaction that may differ between two answers: those of details alone, and those that quirks rewrite. */
export function changingMembers(quirks: Quirks): ReadonlySet<string> {
  const rewritten = quirks.has('rewritten-texts') ? textMembers : [];
  const amounts = quirks.has('accept-fix-dates') ? ['transactionAmount', 'originalAmount'] : [];
  // A card transaction is put on an invoice.
  return new Set(['entryDetails', 'invoiced', ...rewritten, ...amounts]);
}

/** Members of a transaction that the bank adds to a posted one. */
const added = words([
  'transactionId transactionAmount remittanceInformationUnstructuredArray creditorAccount debtorAccount bookingDate',
  'entryDetails',
]);

/** Members of a transaction that quirks show in their own way. */
const shaped: readonly (readonly [Quirk, readonly string[]])[] = [
  ['bank-codes', ['bankTransactionCode', 'proprietaryBankTransactionCode']],
  ['text-forms', [...textMembers, 'originalAmount', 'currencyExchange']],
  ['rewritten-texts', [...textMembers, 'originalAmount', 'currencyExchange']],
  ['counterparty', ['creditorId', 'creditorName', 'creditorAgent', 'ultimateCreditor']],
  ['counterparty', ['debtorName', 'debtorAgent', 'ultimateDebtor']],
  ['structured-references', ['remittanceInformationStructuredArray']],
  ['card-value-dates', ['valueDate']],
  ['weekend-values', ['valueDate']],
  ['month-end-bookings', ['valueDate']],
];

/** How a booked transaction differs from the posted one, apart from members that quirks shape. */
export function tellPosted(posted: Members, shown: Members, path: string, quirks: Quirks, found: Findings): void {
  const ofQuirks = shaped.flatMap(([quirk, names]) => (quirks.has(quirk) ? names : []));
  const unset = Object.keys(posted).filter((name) => posted[name] === '' || posted[name] === null);
  const ofBank = posted['valueDate'] === undefined ? ['valueDate'] : [];
  const but = new Set([...added, 'amount', 'currency', ...ofQuirks, ...unset, ...ofBank]);
  tellMembers({ wanted: posted, shown, path, but }, found, (wanted, own, name) => {
    if (typeof wanted === 'object' || typeof own === 'object' || isSameValue(wanted, own)) return null;
    return textMembers.includes(name) ? 'form' : 'value';
  });
}
