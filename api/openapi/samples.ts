import { createHash } from 'node:crypto';
import type { Bank } from '../../engine/bank.ts';
import { changesIds } from '../../engine/bank/rules/quirk.ts';
import { exampleValues } from '../../engine/sandbox-data/psus.ts';
import { openSince } from '../../engine/parties/rules/access.ts';
import { type BankingCalendar, nextOrSame, previousOrSame } from '../../engine/time/rules/banking-calendar.ts';
import { formatInstant, osloInstant, startOfDay } from '../../engine/values/instant.ts';
import { addDays, daysBetween, formatWeekday, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { story, storyDays } from '../bodies/story.ts';
import { testTppId } from '../signing/test-tpp.ts';

/** Values of a bank for the examples of its documents: those of the story's names take their place in the examples. */
export interface Samples extends Readonly<Record<keyof typeof storyDays, LocalDate>> {
  /** Customer number of a PSU. */
  readonly psu: string;
  /** The PSU-ID that the TPP of the examples knows the PSU by; of the right form only where it does not know the PSU. */
  readonly psuId: string;
  readonly debtorBban: string;
  readonly debtorIban: string;
  readonly creditorBban: string;
  /** Customer number of a corporation, and an account of it. */
  readonly corporation: string;
  readonly corporateBban: string;
  /** Parameters of paths by name; ids of what is there, as far as there is any. */
  readonly params: Readonly<Record<string, string>>;
  /** The same for deletions of test data, which take away nothing that another example uses. */
  readonly spare: Readonly<Record<string, string>>;
}

/** Samples of a bank that has nothing. */
export const noSamples: Samples = { ...story, ...storyDays, params: {}, spare: {} };

/** Values of this bank for examples, as they are now. `tpp` is the name of the TPP that sends them. */
export async function readSamples(bank: Bank, tpp: string): Promise<Samples> {
  const tppId = testTppId(tpp);
  const { today, customerId, agreementId, spare: own, ...found } = await exampleValues(bank, tppId);
  const { accountId, cardId, ...values } = await onTheWire(bank, found);
  const spare = await onTheWire(bank, own);
  return {
    ...noSamples,
    ...daysAround(today, bank.runs.calendar),
    ...known(values),
    params: { ...known({ accountId, cardId, customerId, agreementId }), tppId },
    spare: known(spare),
  };
}

type ResourceIds = Readonly<Record<'accountId' | 'cardId', string | null>>;

/** With the ids that the bank shows (rules.md Q3). */
async function onTheWire<Ids extends ResourceIds>(bank: Bank, ids: Ids): Promise<Ids> {
  if (!changesIds(bank.quirks)) return ids;
  const { wireIdsOf } = await import('../habits/encrypted-ids.ts');
  const wire = await wireIdsOf(bank);
  const shown = (id: string | null): string | null => (id === null ? null : wire.show('resource', id));
  return { ...ids, accountId: shown(ids.accountId), cardId: shown(ids.cardId) };
}

/** The days of the story, of a bank whose clock shows this date. */
export function daysAround(today: LocalDate, calendar: BankingCalendar): Record<keyof typeof storyDays, LocalDate> {
  return {
    openSince: openSince(startOfDay(today)),
    lastBankingDay: previousOrSame(addDays(today, -1), calendar),
    today,
    nextBankingDay: nextOrSame(addDays(today, 1), calendar),
  };
}

/**
 * Puts examples of the schemas into a bank: with its address, its customers and ids in the place of those of the story, and
 * with dates as far from its days as theirs are from those of the story. `others`: more values by the story's names.
 */
export function intoBank(
  { params, ...samples }: Samples,
  others: Readonly<Record<string, string>>,
): (example: unknown) => unknown {
  const { psu, nextBankingDay } = samples;
  const own: Readonly<Record<string, unknown>> = {
    ...samples,
    ...params,
    ...others,
    psuHash: createHash('sha256').update(psu).digest('base64'),
    weekday: formatWeekday(nextBankingDay),
  };
  const move = (_: string, date: string, time?: string): string => {
    const day = movedDay(localDate(date), samples);
    return time === undefined ? day : formatInstant(osloInstant(day, time));
  };
  return (example) => {
    let text = JSON.stringify(example);
    // First of all names, so that nothing is replaced in what was put in.
    for (const [name, value] of Object.entries(story)) text = text.replaceAll(value, `{{${name}}}`);
    const moved = text.replaceAll(dateOrInstant, move);
    return JSON.parse(
      moved.replaceAll(placeholder, (_, name: keyof typeof story) => String(own[name] ?? story[name])),
    ) as unknown;
  };
}

const placeholder = /\{\{(\w+)\}\}/g;

/** `2027-03-30`, or `2027-03-30T05:30:00.000+02:00`. */
const dateOrInstant = /\b(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d):00\.000[+-]\d\d:\d\d)?/g;

/** As many days after one of the bank's days as the date is after the same day of the story. */
function movedDay(date: LocalDate, days: Readonly<Record<keyof typeof storyDays, LocalDate>>): LocalDate {
  const names = Object.keys(storyDays) as (keyof typeof storyDays)[];
  const from = names.findLast((name) => storyDays[name] <= date) ?? 'openSince';
  return addDays(days[from], daysBetween(storyDays[from], date));
}

/** Drops the values that the bank does not have. */
function known<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const there = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(there) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}
