import { quote } from '../../values/text.ts';
import { count, dateFrom, dates, day, lengths, oneWord, span, type ValueForm } from './quirk-value.ts';
import { type Instant, osloDate } from '../../values/instant.ts';

/** One behaviour with a switch. What else is known of it is in api/quirks, in the file of its name. */
export interface QuirkEntry {
  /** The rule that it follows (docs/spec/rules.md). */
  readonly rule: string;
  /** Form of its value, if it takes one. */
  readonly value?: ValueForm<unknown>;
  /** Quirks that it cannot go with, each with the reason. `value`: only this value of its own cannot. */
  readonly contradicts?: readonly { readonly quirk: string; readonly value?: string; readonly why: string }[];
}

/** Characters of the longest id that is read. */
export const longestId = 512;
/** Lengths of the ledger's ids: no shorter id holds one. */
export const idLengths = { transaction: 29, payment: 49, resource: 49 } as const;

/**
 * Behaviours with a switch. The default follows the interface document, the switch chooses the other reading, or what a
 * bank does in production (rules.md Q1). A new quirk is an entry here and a file in api/quirks.
 */
const quirkTable = {
  'status-before-approval': { rule: 'S9' },
  'december-month': { rule: 'R5' },
  'bban-mod11': { rule: 'P5' },
  'pending-filtered': { rule: 'A9' },
  'signature-401': { rule: 'G2' },
  'strict-signing': { rule: 'G3b' },
  'lenient-headers': { rule: 'E5' },
  'id-lengths': {
    rule: 'Q3',
    value: lengths({
      from: idLengths,
      to: longestId,
      usual: 'transaction:241/payment:69/resource:49/unpadded',
    }),
  },
  'reissued-ids': { rule: 'Q3', value: span({ from: 'PT1H', to: 'P3650D', usual: 'P60D' }, ['session']) },
  'no-transaction-ids': { rule: 'Q3b' },
  'positional-references': { rule: 'Q31' },
  'pending-dates': {
    rule: 'Q4',
    value: oneWord(['none', 'booking', 'both'], 'both'),
    contradicts: [
      { quirk: 'pending-filtered', value: 'none', why: 'transactions without dates cannot be filtered by date' },
    ],
  },
  'pending-members': { rule: 'Q4', value: oneWord(['bare'], 'bare') },
  'rewritten-texts': { rule: 'Q5', value: span({ from: 'PT1H', to: 'P3650D', usual: 'P1D' }, []) },
  'text-forms': { rule: 'Q5', value: oneWord(['sr', 'bien'], 'bien') },
  'structured-references': { rule: 'Q5', value: oneWord(['objects', 'strings', 'joined'], 'strings') },
  'bank-codes': { rule: 'Q5', value: oneWord(['iso', 'proprietary', 'none'], 'proprietary') },
  'late-counterparty': { rule: 'Q5i', value: span({ from: 'PT1H', to: 'P3650D', usual: 'P1D' }, []) },
  counterparty: { rule: 'Q5', value: oneWord(['transfers'], 'transfers') },
  order: { rule: 'Q5', value: oneWord(['posting'], 'posting') },
  'no-next-link': { rule: 'Q10' },
  'limit-cap': { rule: 'Q10g', value: count({ from: 1, to: 1000, usual: 100 }, 'transactions') },
  'full-history': { rule: 'Q10b', value: span({ from: 'PT1M', to: 'PT24H', usual: 'PT1H' }, []) },
  'consent-days': { rule: 'Q10c', value: count({ from: 1, to: 180, usual: 90 }, 'days') },
  'details-days': { rule: 'Q10f', value: count({ from: 1, to: 180, usual: 90 }, 'days') },
  'revoked-403': { rule: 'Q10d' },
  'no-cards-404': { rule: 'Q10e' },
  'fee-indicator': { rule: 'Q6' },
  'no-status-in-details': { rule: 'Q6' },
  'plain-json': { rule: 'Q7' },
  'accept-fix-dates': {
    rule: 'Q20',
    value: dates({ 'card-amounts': '2024-11-13', 'longer-names': '2024-10-01', 'amount-as-string': '2020-08-01' }),
  },
  'status-lag': { rule: 'Q21', value: span({ from: 'PT1S', to: 'P1D', usual: 'PT26S' }, []) },
  'sca-query': { rule: 'A2g' },
  'own-accounts-at-once': { rule: 'P10b' },
  'same-bank-at-once': { rule: 'P10b', value: oneWord(['all', 'without-kid', 'next-day'], 'all') },
  'value-date': { rule: 'S6b', value: oneWord(['run-day', 'run-day-booked', 'transfer-day'], 'run-day') },
  'card-value-dates': { rule: 'D3c' },
  'weekend-values': { rule: 'D3c' },
  'month-end-bookings': { rule: 'D3c' },
  leaves: { rule: 'Q11b', value: day('P30D') },
  'signed-answers': { rule: 'G14' },
} as const satisfies Readonly<Record<string, QuirkEntry>>;

export type Quirk = keyof typeof quirkTable;

/** The table as all others read it. */
export const quirks: Readonly<Record<Quirk, QuirkEntry>> = quirkTable;

/** All names, in the order of the table. */
export const quirkNames = Object.keys(quirkTable) as readonly Quirk[];

/** The parsed value of a quirk that is on; true for one that takes no value. */
export type QuirkValue<Name extends Quirk = Quirk> = Name extends Quirk
  ? (typeof quirkTable)[Name] extends { readonly value: ValueForm<infer Value> }
    ? Value
    : true
  : never;

/** The quirks that are on, each with its value. All are off unless asked for. */
export interface Quirks extends ReadonlyMap<Quirk, QuirkValue> {
  get<Name extends Quirk>(name: Name): QuirkValue<Name> | undefined;
}

export const noQuirks: Quirks = quirksOf([]);

/** A wrong name or value: what is wrong, and the right words. A message names the word nearest to `given`. */
export interface QuirkProblem {
  /** The name that was given. */
  readonly name: string;
  readonly problem: string;
  readonly given: string;
  readonly words: readonly string[];
}

/** A choice of quirks as it was given: names, each with `true`, the text of a value, or `false` to switch it off. */
export type QuirkChoice = Iterable<readonly [name: string, value: unknown]>;

/** Whether a quirk has this name (rules.md Q). */
export function isQuirk(name: string): name is Quirk {
  return Object.hasOwn(quirkTable, name);
}

/**
 * Switches quirks on and off, from those that are on. The first wrong or contradictory one is a problem, one that is
 * named twice with two values too (rules.md Q1).
 */
export function switched(on: Quirks, choice: QuirkChoice): Quirks | QuirkProblem {
  const now = new Map<Quirk, QuirkValue>(on);
  const named = new Map<string, unknown>();
  for (const [name, given] of choice) {
    if (!isQuirk(name)) {
      const problem = `there is no quirk ${/^[\w-]{1,40}$/.test(name) ? name : quote(name)}`;
      return { name, problem, given: name, words: quirkNames };
    }
    if (named.has(name) && named.get(name) !== given)
      return { name, problem: `${name} is named twice, with two values: name it once`, given: '', words: [] };
    named.set(name, given);
    if (given === false) {
      now.delete(name);
      continue;
    }
    const value = valueOf(name, given);
    if (isProblem(value)) return value;
    now.set(name, value);
  }
  return contradictionIn(now) ?? quirksOf(now);
}

/**
 * A list of quirks as a choice: `reissued-ids=P7D,plain-json,-order`. A name alone takes the usual value, `-name`
 * switches off.
 */
export function choiceOf(list: string): [name: string, value: string | boolean][] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (item.startsWith('-') ? [item.slice(1), false] : quirkItem(item)));
}

/** One quirk to switch on: `plain-json`, `reissued-ids=P7D`. */
export function quirkItem(text: string): [name: string, value: string | true] {
  const [name = '', ...value] = text.split('=');
  return [name, value.length === 0 ? true : value.join('=')];
}

/**
 * The items of a choice that is an object: `{ 'reissued-ids': 'P7D', order: false }` is `reissued-ids=P7D,-order`, as
 * {@link choiceOf} reads it.
 */
export function textOfChoice(choice: object): string {
  const items = Object.entries(choice).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'boolean') return value ? name : `-${name}`;
    return `${name}=${String(value)}`;
  });
  return items.join(',');
}

/** Whether {@link switched} found a problem. */
export function isProblem(result: unknown): result is QuirkProblem {
  return typeof result === 'object' && result !== null && 'problem' in result;
}

/** The value of a quirk that is on as JSON: true, or its text. */
export function jsonOf(quirksOn: Quirks, name: Quirk): true | string | null {
  const value = quirksOn.get(name);
  if (value === undefined) return null;
  return quirks[name].value?.write(value) ?? true;
}

/** The quirks that are on as texts, in the order of the table: `signature-401`, `reissued-ids=P60D`. */
export function quirkTexts(on: Quirks): string[] {
  return Object.entries(quirksJson(on)).map(([name, value]) => (value === true ? name : `${name}=${value}`));
}

/**
 * The quirks that are on as an object, in the order of the table: `{"signature-401": true, "reissued-ids": "P60D"}`.
 */
export function quirksJson(on: Quirks): Partial<Record<Quirk, true | string>> {
  return Object.fromEntries(
    quirkNames.flatMap((name) => {
      const value = jsonOf(on, name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Whether a quirk that is on changes ids on the wire (rules.md Q3). */
export function changesIds(on: Quirks): boolean {
  return on.has('id-lengths') || on.has('reissued-ids');
}

function quirksOf(entries: Iterable<readonly [Quirk, QuirkValue]>): Quirks {
  // A map forgets which value belongs to which name; valueOf has read each by its form.
  return new Map(entries) as ReadonlyMap<Quirk, QuirkValue> as Quirks;
}

function valueOf(name: Quirk, given: unknown): QuirkValue | QuirkProblem {
  const { value: form } = quirks[name];
  const wrong = (problem: string, words: readonly string[]): QuirkProblem => {
    return { name, problem: `${name}: ${problem}`, given: String(given), words };
  };
  if (form === undefined) return given === true ? true : wrong('it takes no value', []);
  const text = given === true ? form.usual : typeof given === 'number' ? String(given) : given;
  const read = form.read(typeof text === 'string' ? text : '');
  if (!read.ok) return wrong(read.problem, form.words);
  return read.value as QuirkValue;
}

/** The first contradiction between quirks that are on, or null if they go together. */
function contradictionIn(on: ReadonlyMap<Quirk, QuirkValue>): QuirkProblem | null {
  for (const name of on.keys()) {
    for (const { quirk, value, why } of quirks[name].contradicts ?? []) {
      if (!isQuirk(quirk) || !on.has(quirk) || (value !== undefined && on.get(name) !== value)) continue;
      const own = value === undefined ? name : `${name}=${value}`;
      return { name, problem: `${own} does not go with ${quirk}: ${why}`, given: '', words: [] };
    }
  }
  return null;
}

/** Whether the bank, whose clock started at `start`, has left the platform by `now` (rules.md Q11b). */
export function hasLeft(quirks: Quirks, start: Instant, now: Instant): boolean {
  const leaves = quirks.get('leaves');
  return leaves !== undefined && osloDate(now) >= dateFrom(osloDate(start), leaves);
}
