import { idPeriod } from '../../engine/parties/session.ts';
import { isObject } from '../quirks/json.ts';
import { type IdKind, type WireIds, wireIdsOf } from '../quirks/encrypted-ids.ts';
import type { Bank } from '../../engine/open-bank.ts';

/*
 * Under a quirk that changes ids the control plane takes and shows both: the ledger's and that of the wire (rules.md
 * Q3).
 */

const ledgerForm = /^enc!!(?:[\w-]{42}|[\w-]{22})==$/;

/** Members of answers with an id of the ledger, and the member that is added with the same id as the wire has it. */
const shownBeside: ReadonlyMap<string, readonly [name: string, kind: IdKind]> = new Map([
  ['paymentId', ['wirePaymentId', 'payment']],
  // An SCA lists the payments that it signs.
  ['payments', ['wirePayments', 'payment']],
  ['basketId', ['wireBasketId', 'resource']],
  ['transactionId', ['wireTransactionId', 'transaction']],
  ['resourceId', ['wireResourceId', 'resource']],
  ['id', ['wireId', 'resource']],
]);

/** Members with what a client has sent and was answered: they are as they were. */
const recorded = ['initiation', 'body', 'answer', 'headers'];

/** The parts of a request that may name ids. */
interface AskedByIds {
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  readonly body: unknown;
}

/** The same request, with each id of the wire as the ledger has it. */
export async function withLedgerIds<Asked extends AskedByIds>(bank: Bank, asked: Asked): Promise<Asked> {
  const wire = await wireIdsOf(bank);
  const { paymentId } = asked.params;
  const named = ['q', 'payment'].flatMap((name): [string, string][] => {
    const text = asked.query.get(name);
    return text === undefined ? [] : [[name, ledgerId(wire, 'payment', text.trim())]];
  });
  return {
    ...asked,
    params: { ...asked.params, ...(paymentId !== undefined && { paymentId: ledgerId(wire, 'payment', paymentId) }) },
    query: named.length === 0 ? asked.query : new Map([...asked.query, ...named]),
    body: bodyWithLedgerIds(wire, asked.body),
  };
}

/**
 * An answer with ids of the wire beside those of the ledger. An id of a transaction is that of now, in the last session
 * of the bank.
 */
export async function answerWithBoth(bank: Bank, answer: unknown): Promise<unknown> {
  const wire = await wireIdsOf(bank);
  const period = wire.every === null ? 0 : await idPeriod(bank, wire.every, null);
  return withBoth(answer, (kind, id) => wireId(wire, kind, id, period));
}

/** The id of a payment as the wire has it, or null if that is the id in the ledger. */
export function wirePaymentId(wire: WireIds, paymentId: string): string | null {
  return wireId(wire, 'payment', paymentId, 0);
}

/** Returns null if the wire has the id of the ledger, or the text is no id. */
function wireId(wire: WireIds, kind: IdKind, id: string, period: number): string | null {
  if (!ledgerForm.test(id)) return null;
  const shown = kind === 'transaction' ? wire.showIn(period, id) : wire.show(kind, id);
  return shown === id ? null : shown;
}

/** The id of the ledger, of a payment's id that a TPP was given. */
export async function ledgerPaymentId(bank: Bank, paymentId: string): Promise<string> {
  return ledgerId(await wireIdsOf(bank), 'payment', paymentId);
}

/** The id of the ledger, of one that may be the wire's. */
function ledgerId(wire: WireIds, kind: IdKind, text: string): string {
  if (ledgerForm.test(text) || !wire.changes(kind)) return text;
  return wire.read(kind, text)?.id ?? text;
}

/** The payment that an advance waits for, and the accounts that a PSU grants. */
function bodyWithLedgerIds(wire: WireIds, body: unknown): unknown {
  if (!isObject(body)) return body;
  const { until, accounts } = body;
  const paymentId = isObject(until) ? until['paymentId'] : undefined;
  return {
    ...body,
    ...(isObject(until) &&
      typeof paymentId === 'string' && { until: { ...until, paymentId: ledgerId(wire, 'payment', paymentId) } }),
    ...(Array.isArray(accounts) && {
      accounts: accounts.map((id: unknown) => (typeof id === 'string' ? ledgerId(wire, 'resource', id) : id)),
    }),
  };
}

function withBoth(value: unknown, wireIdOf: (kind: IdKind, id: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((each) => withBoth(each, wireIdOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]): [string, unknown][] => {
      if (recorded.includes(name)) return [[name, held]];
      const [beside, kind] = shownBeside.get(name) ?? [];
      // A result of a search says what its id is of.
      const own = name === 'id' && value['kind'] === 'payment' ? 'payment' : kind;
      const shown = own === undefined ? null : idsOf(held, (id) => wireIdOf(own, id));
      const member: [string, unknown] = [name, withBoth(held, wireIdOf)];
      return beside === undefined || shown === null ? [member] : [member, [beside, shown]];
    }),
  );
}

/** Returns null if there is no id of the wire. */
function idsOf(held: unknown, wireIdOf: (id: string) => string | null): string | readonly string[] | null {
  if (typeof held === 'string') return wireIdOf(held);
  if (!Array.isArray(held)) return null;
  const shown = held.map((id: unknown) => (typeof id === 'string' ? wireIdOf(id) : null));
  return shown.length > 0 && shown.every((id) => id !== null) ? shown : null;
}
