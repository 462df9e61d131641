import { isDeepStrictEqual } from 'node:util';
import type { Bank } from '../../engine/bank.ts';
import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import type { Shaping } from '../pipeline/shaping.ts';
import type { Habit } from './habit.ts';

const ids = async (): Promise<Habit> => (await import('./ids.ts')).ids;

/**
 * The habits by their quirks, in the order in which they shape an answer: each gets what the one before it has made of it. A text has
 * its form before it loses its date, a card amount has its text before it is exchanged, and a pending transaction all its members before
 * it is cut. Incoming requests pass them in the opposite order. A habit is loaded when its quirk is first met.
 */
const habits = new Map<Quirk, () => Promise<Habit>>([
  ['text-forms', async () => (await import('./text-forms.ts')).textForms],
  ['rewritten-texts', async () => (await import('./rewritten-texts.ts')).rewrittenTexts],
  ['structured-references', async () => (await import('./structured-references.ts')).structuredReferences],
  ['bank-codes', async () => (await import('./bank-codes.ts')).bankCodes],
  ['counterparty', async () => (await import('./counterparty.ts')).counterparty],
  ['accept-fix-dates', async () => (await import('./accept-fix.ts')).acceptFix],
  ['pending-dates', async () => (await import('./pending-dates.ts')).pendingDates],
  ['pending-members', async () => (await import('./pending-members.ts')).pendingMembers],
  ['no-next-link', async () => (await import('./no-next-link.ts')).noNextLink],
  ['fee-indicator', async () => (await import('./fee-indicator.ts')).feeIndicator],
  ['no-status-in-details', async () => (await import('./no-status-in-details.ts')).noStatusInDetails],
  // After all that look at an id of the ledger.
  ['id-lengths', ids],
  ['reissued-ids', ids],
  ['plain-json', async () => (await import('./plain-json.ts')).plainJson],
]);

/** The quirks that have a habit. */
export const quirksWithHabit: readonly Quirk[] = [...habits.keys()];

/** The habits of the quirks that are on now, as one. */
export async function habitsOf(bank: Bank): Promise<Shaping> {
  const { quirks } = bank;
  const wanted = [...habits].filter(([name]) => quirks.has(name));
  const all = await Promise.all(wanted.map(async ([name, load]) => ({ name, habit: await load() })));
  // Two quirks can share a habit.
  const loaded = [...Map.groupBy(all, ({ habit }) => habit)];
  const reading = loaded.toReversed();
  return {
    read: async (asked, from) => {
      let read = asked;
      for (const [habit] of reading) read = (await habit.read?.(read, { ...from, bank, quirks })) ?? read;
      return read;
    },
    show: async (told, call) => {
      let answer = told;
      const by: Quirk[] = [];
      for (const [{ show, isOf }, named] of loaded) {
        const shown = (await show?.(answer, { bank, quirks, call })) ?? answer;
        const names = named.map(({ name }) => name).filter((name) => isOf?.(name, answer) ?? true);
        if (!isDeepStrictEqual(shown, answer)) by.push(...names);
        answer = shown;
      }
      return { answer, by };
    },
  };
}
