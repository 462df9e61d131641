import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { Profile } from '../start/config.ts';
import { isBank } from '../start/profile.ts';
import type { QuirkLine, QuirkLines } from './quirk-file.ts';
import { allQuirks } from './index.ts';

const byDefault =
  '## What the bank does without a quirk\n\nBanks do these things too. They follow from the document, or do not contradict it.';

/** What Sandbank does as banks do, without a quirk. */
export const defaultLines: QuirkLines = {
  H26: {
    what: 'Pending transactions have no id.',
    seen: { register: [13], facts: ['pendingHasId'] },
    mistake: 'The client matches pending and booked transactions one by one. Replace the whole pending list instead.',
  },
  H27: {
    what: 'Every page and every range of dates has all pending transactions.',
    seen: {
      register: [18],
      facts: ['pendingUnfiltered'],
      others: ['OKQ8, 2023-02-14: published by the bank as a known issue'],
    },
    mistake: 'The client reads until a page is empty, and never ends.',
  },
  H28: {
    what: 'Two purchases can have the same date, amount and text. They are two transactions with two ids.',
    seen: { register: [11], facts: ['duplicateLookalikes'] },
    mistake: 'The client drops the second purchase as a duplicate.',
  },
  H29: {
    what: 'The bank accepts a limit of several hundred (`limit=499`). `_links.next` says whether more transactions follow.',
    seen: {
      register: [36],
      facts: ['pageLimitAccepted'],
      others: ['Fana Sparebank, undated: published by the bank, which advises 100 to 200'],
    },
    mistake: 'The client counts the items of a page instead of following `_links.next`.',
  },
  H30: {
    what: 'A list without `dateFrom` begins 90 days ago.',
    seen: { register: [37], others: ['Fana Sparebank and others, undated: published by the bank'] },
    mistake: 'The client believes that it has the whole history.',
  },
  H31: {
    what: 'Transactions older than 90 days can be read within an hour after the SCA.',
    seen: { register: [38], facts: ['fullHistoryWindowMinutes'] },
    mistake: 'A job at night asks for all years, and the bank refuses.',
  },
  H32: {
    what: 'Without the PSU, a client can read an account four times in 24 hours, 90 days back, and for 180 days after the SCA.',
    seen: { register: [39], others: ['Fana Sparebank, undated: published by the bank'] },
    mistake: 'The client reads every hour, and the bank refuses the fifth read.',
  },
  H33: {
    what: 'The PSU revokes a consent with the bank (`DELETE /sandbox/consents/{consentId}`), and the bank does not tell the TPP.',
    seen: { register: [41], others: ['Sparebanken Øst and SpareBank 1 Helgeland, undated: published by the bank'] },
    mistake: 'The client cannot handle a consent that ends early.',
  },
  H34: {
    what: 'The bank refuses a read with a lapsed consent with 401 and a `scaRedirect`.',
    seen: { register: [42], facts: ['consentExpired'] },
    mistake: 'The client tries again instead of sending the PSU to the link.',
  },
  H35: {
    what: 'The bank accepts every value of `x-accept-fix` that clients send. All these changes are its default.',
    seen: { register: [45], facts: ['acceptFixSent'] },
    mistake: 'The client reads amounts as numbers, which they were before these changes.',
  },
  H36: {
    what: 'After the SCA, a payment for today cannot be deleted, and has no link to start an authorisation.',
    seen: { register: [50], facts: ['statusAfterApproval'] },
    mistake: 'The client cancels the payment, and the bank refuses.',
  },
  H57: {
    what: 'A card purchase is booked some days later. Only its text may have the day of the purchase.',
    seen: { register: [24], facts: ['bookingLagAfterPurchase'], profiles: ['bien-sparebank'] },
    mistake: 'The client reports the purchase in the month of its booking.',
  },
};

/** The sections of docs/habits.md. `profiles`: the listed ones. */
export async function quirkSections(profiles: readonly Profile[]): Promise<string> {
  const sections = (await allQuirks()).flatMap(({ name, effect, lines }) => {
    if (lines === undefined) return [];
    const entries = Object.entries(lines).map((line) => {
      const [, { value }] = line;
      return paragraph(line, value === undefined ? name : `${name}=${value}`, profiles);
    });
    return [`## ${name}`, effect, ...profilesWith(name, profiles), ...storyOf(name), ...entries];
  });
  const others = Object.entries(defaultLines).map((line) => paragraph(line, null, profiles));
  return [...sections, byDefault, ...others].join('\n\n');
}

/** The profiles that have the quirk, with the value of each. */
function profilesWith(name: Quirk, profiles: readonly Profile[]): string[] {
  const having = profiles.flatMap(({ id, quirks: on, facts }) => {
    const value = on[name];
    if (value === undefined || value === false) return [];
    const isAssumed = facts.some(({ key, quality }) => key === name && quality === 'assumed');
    const notes = [...(value === true ? [] : [`\`${value}\``]), ...(isAssumed ? ['assumed'] : [])];
    return [`\`${id}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`];
  });
  return having.length === 0 ? [] : [`Profiles: ${having.join(', ')}.`];
}

/** The story that shows it. */
function storyOf(name: Quirk): string[] {
  const story = catalogue().find(({ showsQuirks = [] }) => showsQuirks.includes(name))?.name;
  return story === undefined ? [] : [`Story: [\`sandbank play ${story}\`](scenarios/${story}.md).`];
}

/** One line. `flag` is the quirk that shows it, or null if it needs none. */
function paragraph(
  [number, { what, mistake, seen }]: readonly [string, QuirkLine],
  flag: string | null,
  profiles: readonly Profile[],
): string {
  const points = [
    `- **Seen:** ${[...seenIn(seen, profiles), ...(seen.others ?? [])].join('; ')}.`,
    ...(flag === null ? [] : [`- **See it here:** \`--quirks ${flag}\`.`]),
    `- **The mistake:** ${mistake}`,
  ];
  return [`### ${number}`, what, points.join('\n')].join('\n\n');
}

/** Each bank with the day of its latest fact and how that is known. */
function seenIn({ facts: keys = [], profiles: only }: QuirkLine['seen'], profiles: readonly Profile[]): string[] {
  const banks = profiles.filter((one) => (only === undefined ? isBank(one) : only.includes(one.id)));
  return banks.flatMap(({ name, facts }) => {
    const [latest] = facts
      .filter(({ key, quality }) => keys.includes(key) && quality !== 'assumed')
      .toSorted((one, other) => ((one.sourceDate ?? '') < (other.sourceDate ?? '') ? 1 : -1));
    return latest === undefined ? [] : [`${name}, ${latest.sourceDate ?? 'undated'}: ${latest.quality}`];
  });
}
