import type { Bank } from '../../engine/bank.ts';
import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import type { Shaping } from '../pipeline/shaping.ts';
import type { Habit } from './habit.ts';

const ids = async (): Promise<Habit> => (await import('./ids.ts')).ids;

/**
 * The habits by their quirks, in the order in which they shape an answer: each gets what the one before it has made of it. A text has
 * its form before it loses its date, and a pending transaction all its members before it is cut. Incoming requests pass them in the
 * opposite order. A habit is loaded when its quirk is first met.
 */
const habits = new Map<Quirk, () => Promise<Habit>>([
  ['text-forms', async () => (await import('./text-forms.ts')).textForms],
  ['rewritten-texts', async () => (await import('./rewritten-texts.ts')).rewrittenTexts],
  ['structured-references', async () => (await import('./structured-references.ts')).structuredReferences],
  ['bank-codes', async () => (await import('./bank-codes.ts')).bankCodes],
  ['counterparty', async () => (await import('./counterparty.ts')).counterparty],
  ['pending-dates', async () => (await import('./pending-dates.ts')).pendingDates],
  ['pending-members', async () => (await import('./pending-members.ts')).pendingMembers],
  ['fee-indicator', async () => (await import('./fee-indicator.ts')).feeIndicator],
  ['no-status-in-details', async () => (await import('./no-status-in-details.ts')).noStatusInDetails],
  // After all that look at an id of the ledger.
  ['id-lengths', ids],
  ['reissued-ids', ids],
  ['plain-json', async () => (await import('./plain-json.ts')).plainJson],
]);

/** The habits of the quirks that are on now, as one. */
export async function habitsOf(bank: Bank): Promise<Shaping> {
  const { quirks } = bank;
  const wanted = [...habits].filter(([name]) => quirks.has(name));
  const loaded = [...new Set(await Promise.all(wanted.map(([, load]) => load())))];
  const reading = loaded.toReversed();
  return {
    habits: wanted.map(([name]) => name),
    read: async (asked, from) => {
      let read = asked;
      for (const habit of reading) read = (await habit.read?.(read, { ...from, bank, quirks })) ?? read;
      return read;
    },
    show: async (answer, call) => {
      let shown = answer;
      for (const habit of loaded) shown = (await habit.show?.(shown, { bank, quirks, call })) ?? shown;
      return shown;
    },
  };
}
