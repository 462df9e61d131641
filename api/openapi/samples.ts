import { createHash } from 'node:crypto';
import type { Bank } from '../../engine/open-bank.ts';
import { changesIds } from '../../engine/bank/rules/quirk.ts';
import { exampleValues } from '../../engine/sandbox-data/psus.ts';
import { openSince } from '../../engine/parties/rules/access.ts';
import { type BankingCalendar, nextOrSame, previousOrSame } from '../../engine/time/rules/banking-calendar.ts';
import { formatInstant, osloInstant, startOfDay } from '../../engine/values/instant.ts';
import { addDays, daysBetween, formatWeekday, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { story, storyDays } from '../bodies/examples.ts';
import { testTppId } from '../signing/test-tpp.ts';
import { listConsents } from '../../engine/consents/consents.ts';
import { listLives } from '../../engine/life/begin-life.ts';
import { listSnapshots } from '../../engine/bank/snapshots.ts';
import { listScas } from '../../engine/approval/list-scas.ts';
import { listPayments, type ListedPayment } from '../../engine/inspection/list-payments.ts';
import { listRuns } from '../../engine/runs/list-runs.ts';
import type { IdKind } from '../quirks/encrypted-ids.ts';
import type { Journal } from '../journal/journal.ts';

/** Values of a bank for the examples of its documents: those of the story's names take their place in the examples. */
export interface Samples extends Readonly<Record<keyof typeof storyDays, LocalDate>> {
  /** Customer number of a PSU. */
  readonly psu: string;
  /**
   * The PSU-ID that the TPP of the examples knows the PSU by; of the right form only where it does not know the PSU.
   */
  readonly psuId: string;
  readonly debtorBban: string;
  readonly debtorIban: string;
  readonly creditorBban: string;
  /** Customer number of a corporation, and an account of it. */
  readonly corporation: string;
  readonly corporateBban: string;
  /**
   * Parameters, as far as the bank has any: by name (`accountId`, `paymentId`, `scaId`, `runId`, `number`, `payment` of
   * a query), and by the path for calls that need one of their own.
   */
  readonly params: Readonly<Record<string, string>>;
  /** Ids of answers, as the bank writes them. */
  readonly made: Readonly<Record<string, string>>;
  /** The same for deletions of test data, which take away nothing that another example uses. */
  readonly spare: Readonly<Record<string, string>>;
}

/** Samples of a bank that has nothing. */
export const noSamples: Samples = { ...story, ...storyDays, params: {}, spare: {}, made: {} };

/** Values of this bank for examples, as they are now. `tpp` is the name of the TPP that sends them. */
export async function readSamples(bank: Bank, tpp: string): Promise<Samples> {
  const tppId = testTppId(tpp);
  const { today, customerId, agreementId, spare: own, ...found } = await exampleValues(bank, tppId);
  const { accountId, cardId, ...values } = await onTheWire(bank, found);
  const spare = await onTheWire(bank, own);
  const { paymentId, transactionId, basketId } = story;
  const made = await onTheWire(bank, { paymentId, transactionId, basketId });
  return {
    ...noSamples,
    ...daysAround(today, bank.schedule.calendar),
    ...known(values),
    params: { ...known({ accountId, cardId, customerId, agreementId }), tppId },
    made,
    spare: known(spare),
  };
}

/** Kinds of ids, by their names in {@link Samples}. */
const kinds: Readonly<Record<string, IdKind>> = {
  ...{ accountId: 'resource', cardId: 'resource', basketId: 'resource' },
  ...{ paymentId: 'payment', transactionId: 'transaction' },
};

/** With the ids that the bank shows (rules.md Q3). */
async function onTheWire<Ids extends object>(bank: Bank, ids: Ids): Promise<Ids> {
  if (!changesIds(bank.quirks)) return ids;
  const { wireIdsOf } = await import('../quirks/encrypted-ids.ts');
  const wire = await wireIdsOf(bank);
  const shown = Object.entries(ids).map(([name, id]) => {
    const kind = kinds[name];
    return [name, typeof id === 'string' && kind !== undefined ? wire.show(kind, id) : id];
  });
  return Object.fromEntries(shown) as Ids;
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

/** A text of the story, which is put into a bank in one pass: what stands between its values and dates is kept. */
export class StoryText {
  /** What stands before each place, and after the last. */
  readonly #between: readonly string[];
  readonly #places: readonly string[];
  readonly #kinds: ReadonlyMap<string, RegExpMatchArray>;

  constructor(text: string) {
    const found = [...text.matchAll(placeholder)];
    const ends = [0, ...found.map(({ index, 0: whole }) => index + whole.length)];
    this.#between = ends.map((end, at) => text.slice(end, found[at]?.index));
    this.#places = found.map(([whole]) => whole);
    this.#kinds = new Map(found.map((one) => [one[0], one]));
  }

  /**
   * The text with the bank's address, customers and ids in the place of those of the story, and with dates as far from
   * its days as theirs are from those of the story. `others`: more values by the story's names. A parameter of a path
   * that the bank has no value for loses its example.
   */
  in({ params, spare, made, ...samples }: Samples, others: Readonly<Record<string, string>>): string {
    const { psu, nextBankingDay } = samples;
    const own: Readonly<Record<string, string>> = {
      ...samples,
      ...made,
      ...params,
      ...others,
      psuHash: createHash('sha256').update(psu).digest('base64'),
      weekday: formatWeekday(nextBankingDay),
    };
    const shown = ({ 0: whole, groups: { parameter, isSpare, date, time } = {} }: RegExpMatchArray): string => {
      if (date !== undefined) {
        const day = movedDay(localDate(date), samples);
        return time === undefined ? day : formatInstant(osloInstant(day, time));
      }
      if (parameter === undefined) return own[names.get(whole) ?? ''] ?? whole;
      const value = (isSpare === undefined ? undefined : spare[parameter]) ?? params[parameter];
      return value === undefined ? '' : `,"example":${JSON.stringify(value)}`;
    };
    const values = new Map([...this.#kinds].map(([whole, kind]) => [whole, shown(kind)]));
    return this.#between.map((text, at) => text + (values.get(this.#places[at] ?? '') ?? '')).join('');
  }
}

/**
 * Stands for the example of a parameter of a path in a {@link StoryText}; `isSpare`: of something that may be deleted.
 */
export function parameterExample(name: string, isSpare: boolean): string {
  return `{{${name}${isSpare ? ' to delete' : ''}}}`;
}

const names: ReadonlyMap<string, string> = new Map(Object.entries(story).map(([name, value]) => [value, name]));

/** The example of a parameter; a value of the story; `2027-03-30`, or `2027-03-30T05:30:00.000+02:00`. */
const placeholder = new RegExp(
  [
    ',"example":"\\{\\{(?<parameter>\\w+)(?<isSpare> to delete)?\\}\\}"',
    ...Object.values(story).map((value) => value.replaceAll(/[^\w\s]/g, '\\$&')),
    '\\b(?<date>\\d{4}-\\d\\d-\\d\\d)(?:T(?<time>\\d\\d:\\d\\d):00\\.000[+-]\\d\\d:\\d\\d)?',
  ].join('|'),
  'g',
);

/** Puts examples of the schemas into a bank, as a {@link StoryText}. */
export function intoBank(samples: Samples, others: Readonly<Record<string, string>>): (example: unknown) => unknown {
  return (example) => JSON.parse(new StoryText(JSON.stringify(example)).in(samples, others)) as unknown;
}

/** As many days after one of the bank's days as the date is after the same day of the story. */
function movedDay(date: LocalDate, days: Readonly<Record<keyof typeof storyDays, LocalDate>>): LocalDate {
  const all = Object.keys(storyDays) as (keyof typeof storyDays)[];
  const from = all.findLast((name) => storyDays[name] <= date) ?? 'openSince';
  return addDays(days[from], daysBetween(storyDays[from], date));
}

/** Drops the values that the bank does not have. */
function known<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const there = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(there) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/** Samples that say nothing of a bank but its date and its calendar. */
export function blankSamples(today: LocalDate, calendar: BankingCalendar): Samples {
  return { ...noSamples, ...daysAround(today, calendar) };
}

/** How many days back a run is looked for. */
const lately = 31;

/**
 * Reads the latest id of each kind in this bank. It prefers a payment that the bank may act on, and a run with an
 * attempt. `tpp`: the name of the TPP in the examples of the interface.
 */
export async function readControlSamples(bank: Bank, journal: Journal, tpp: string): Promise<Samples> {
  const samples = await readSamples(bank, tpp);
  const { today, debtorBban } = samples;
  const runs = await listRuns(bank, { from: addDays(today, -lately), to: today });
  const run = runs.find(({ settled, retried, rejected }) => settled + retried + rejected > 0) ?? runs[0];
  const signed = await latestPayments(bank, 'ACSP');
  const [latest, ...others] = signed.length > 0 ? signed : await latestPayments(bank, null);
  const settled = await latestPayments(bank, 'ACSC');
  const [sca] = await listScas(bank);
  const consent = (await listConsents(bank)).findLast(({ consent: { ended_at } }) => ended_at === null);
  const [request] = journal.list();
  const ids = {
    number: debtorBban,
    '/access/:number': samples.psu,
    // POST /life begins one on the account of the examples, and this call would end it before its truth is read.
    '/life/:number': (await listLives(bank)).find(({ account }) => account !== debtorBban)?.account,
    // As paths of other clients need it: they do not encode a slash.
    runId: run?.id.replace('/', '-'),
    paymentId: latest?.paymentId,
    payment: latest?.paymentId,
    '/payments/:paymentId/return': settled.find(({ creditor }) => creditor?.inThisBank === false)?.paymentId,
    ...Object.fromEntries(changesOfPayments.map((path, at) => [path, (others[at] ?? latest)?.paymentId])),
    '/snapshots/:name/restore': (await listSnapshots(bank)).at(-1)?.name,
    scaId: sca?.id,
    consentId: consent === undefined ? undefined : String(consent.consent.id),
    requestId: request?.key,
  };
  const there = Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...samples, params: { ...samples.params, ...Object.fromEntries(there) } };
}

/** Calls after which the next would be refused for the same payment. */
const changesOfPayments = ['cancel', 'status', 'reject'].map((change) => `/payments/:paymentId/${change}`);

async function latestPayments(bank: Bank, status: 'ACSP' | 'ACSC' | null): Promise<readonly ListedPayment[]> {
  const wanted = { status, service: 'payments', numbers: null, from: null, to: null } as const;
  const { payments } = await listPayments(bank, { ...wanted, offset: 0, limit: changesOfPayments.length + 1 });
  return payments;
}
