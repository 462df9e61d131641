import { quote } from '../../values/text.ts';
import { count, dates, oneOf, span, lengths, timeWindow, type ValueForm } from './quirk-value.ts';

/** One behaviour with a switch, as `--help`, `/sandbox/info`, docs and console show it. */
interface QuirkEntry {
  /** What it changes, in one sentence, with the rule. */
  readonly effect: string;
  /** The rule that it follows (docs/spec/rules.md). */
  readonly rule: string;
  /** Form of its value; null: it takes none. */
  readonly value: ValueForm<unknown> | null;
  /** Lines of the register of production habits; empty: no bank was seen to do so. */
  readonly register: readonly number[];
  /** The banks that were seen to do so. */
  readonly banks: readonly string[];
  /** True: it shapes what the API shows (api/habits), and nothing in the engine asks for it. */
  readonly shapes?: true;
  /** Quirks that it cannot go with, each with the reason. `value`: only this value of its own cannot. */
  readonly contradicts?: readonly { readonly quirk: string; readonly value?: string; readonly why: string }[];
}

/** An entry as the table has it: `effect` is without the rule and the full stop, and what is left out is null or empty. */
type WrittenEntry = Pick<QuirkEntry, 'effect' | 'rule'> & Partial<QuirkEntry>;

/** Lengths of the ledger's ids: no shorter id holds one. */
export const idLengths = { transaction: 29, payment: 49, resource: 49 } as const;

const srBank = 'SpareBank 1 SR-Bank';
const bien = 'Bien Sparebank';
const ostlandet = 'SpareBank 1 Østlandet';
const dengulebanken = 'the bank at dengulebanken.no';

/**
 * Behaviours with a switch. The default follows the interface document, the switch chooses the other reading or the habit of a bank
 * (rules.md Q1). The texts appear in `--help`, `/sandbox/info` and docs/running.md.
 */
const table = {
  'status-before-approval': {
    effect: 'The status of an NDCT payment can be read before the PSU has approved it',
    rule: 'S9',
    register: [48],
    banks: [srBank],
  },
  'december-month': { effect: 'monthsOfExecution accepts 12', rule: 'R5' },
  'bban-mod11': { effect: 'A BBAN of a Norwegian payment must pass the mod-11 check', rule: 'P5' },
  'pending-filtered': { effect: 'Pending transactions are filtered by date and limit too', rule: 'A9' },
  'signature-401': { effect: 'A missing or wrong signature answers 401 instead of 400', rule: 'G2' },
  'strict-signing': {
    effect: 'The bank refuses undocumented spellings in signing',
    rule: 'G3b',
  },
  'lenient-headers': {
    effect: 'The periodic initiation does not demand x-accept-fix and TPP-Session-ID',
    rule: 'E5',
    register: [44],
  },
  'id-lengths': {
    effect: 'Ids have the given lengths; with unpadded no id ends in =',
    rule: 'Q3',
    value: lengths({
      from: idLengths,
      to: 512,
      usual: 'transaction:241/payment:69/resource:49/unpadded',
    }),
    register: [4, 5, 6],
    banks: [srBank, bien],
    shapes: true,
  },
  'reissued-ids': {
    effect: 'An account transaction gets a new id after the given time, or in each session',
    rule: 'Q3',
    value: span({ from: 'PT1H', to: 'P3650D', usual: 'P60D', words: ['session'] }),
    register: [1, 2],
    banks: [srBank, ostlandet],
    shapes: true,
  },
  'pending-dates': {
    effect: 'Pending transactions have no date, only a bookingDate, or both dates',
    rule: 'Q4',
    value: oneOf(['none', 'booking', 'both'], 'both'),
    register: [14, 15],
    banks: [srBank, bien],
    shapes: true,
    contradicts: [
      { quirk: 'pending-filtered', value: 'none', why: 'transactions without dates cannot be filtered by date' },
    ],
  },
  'pending-members': {
    effect: 'Pending transactions have only dates, amount and text: no account, no code',
    rule: 'Q4',
    value: oneOf(['bare'], 'bare'),
    register: [16],
    banks: [bien],
    shapes: true,
  },
  'rewritten-texts': {
    effect: 'The text of a booked card transaction loses its date the given time after the booking',
    rule: 'Q5',
    value: span({ from: 'PT1H', to: 'P3650D', usual: 'P1D', words: [] }),
    register: [2],
    banks: [ostlandet],
    shapes: true,
  },
  'text-forms': {
    effect: 'Texts of cards, transfers, KID payments and fees have the form of this bank',
    rule: 'Q5',
    value: oneOf(['sr', 'bien'], 'bien'),
    register: [17, 26, 27, 28, 29],
    banks: [srBank, bien],
    shapes: true,
  },
  'structured-references': {
    effect: 'A structured reference is a list of objects, a list of strings, or one joined string',
    rule: 'Q5',
    value: oneOf(['objects', 'strings', 'joined'], 'strings'),
    register: [30],
    banks: [srBank, bien],
    shapes: true,
  },
  'bank-codes': {
    effect: 'Transactions have only the ISO code, only the code of the bank, or no code',
    rule: 'Q5',
    value: oneOf(['iso', 'proprietary', 'none'], 'proprietary'),
    register: [32, 33],
    banks: [bien, srBank],
    shapes: true,
  },
  counterparty: {
    effect: 'Only transfers name the other party and its account; card purchases name neither',
    rule: 'Q5',
    value: oneOf(['transfers'], 'transfers'),
    register: [31],
    banks: [bien],
    shapes: true,
  },
  order: {
    effect: 'Transactions are in the order of their posting, not of their booking dates',
    rule: 'Q5',
    value: oneOf(['posting'], 'posting'),
    register: [34],
    banks: [bien],
  },
  'no-next-link': {
    effect: 'A list of transactions has no link to its next page',
    rule: 'Q10',
    register: [35],
    banks: [srBank],
    shapes: true,
  },
  'full-history': {
    effect: 'Transactions older than 90 days can be read only for the given time after the consent',
    rule: 'Q10b',
    value: span({ from: 'PT1M', to: 'PT24H', usual: 'PT1H', words: [] }),
    register: [38],
    banks: [srBank],
  },
  'consent-days': {
    effect: "A consent lapses the given number of days after the PSU's last SCA, instead of 180 days",
    rule: 'Q10c',
    value: count({ from: 1, to: 180, usual: 90, unit: 'days' }),
    register: [40],
    banks: ['Sparebanken Øst'],
  },
  'details-days': {
    effect: "Without the PSU, transaction details can be read for the given number of days after the PSU's last SCA",
    rule: 'Q10f',
    value: count({ from: 1, to: 180, usual: 90, unit: 'days' }),
    register: [39],
    banks: ['OBOS-banken', 'Skue Sparebank', 'Spareskillingsbanken'],
  },
  'revoked-403': {
    effect: 'The bank refuses reads with a revoked consent with 403, and offers no SCA',
    rule: 'Q10d',
    register: [42],
    banks: [srBank],
  },
  'no-cards-404': {
    effect: 'The list of card accounts is refused with 404 if the consent has no cards',
    rule: 'Q10e',
    register: [43],
    banks: [srBank],
  },
  'fee-indicator': {
    effect: 'transactionFeeIndicator is true even if the fee is 0.00',
    rule: 'Q6',
    register: [47],
    banks: [srBank],
    shapes: true,
  },
  'no-status-in-details': {
    effect: 'The details of a payment have no transactionStatus',
    rule: 'Q6',
    register: [51],
    banks: [srBank],
    shapes: true,
  },
  'plain-json': {
    effect: 'The content type of answers is application/json, without a charset',
    rule: 'Q7',
    banks: [srBank],
    shapes: true,
  },
  'accept-fix-dates': {
    effect: 'Before the given dates, card amounts are swapped and long names cut, unless x-accept-fix is sent',
    rule: 'Q20',
    value: dates({ 'card-amounts': '2024-11-13', 'longer-names': '2024-10-01' }),
    register: [45, 46],
    banks: [srBank, 'SpareBank 1 Sogn og Fjordane'],
    shapes: true,
  },
  'status-lag': {
    effect: 'For the given time after an SCA, a TPP still reads the status from before that SCA',
    rule: 'Q21',
    value: span({ from: 'PT1S', to: 'P1D', usual: 'PT26S', words: [] }),
    register: [49],
    banks: [srBank],
  },
  'own-accounts-at-once': {
    effect: 'A transfer between accounts of one customer settles when it is authorised',
    rule: 'P10b',
    register: [58],
    banks: ['SpareBank 1 Østfold Akershus', 'SpareBank 1 Modum', dengulebanken],
  },
  'same-bank-at-once': {
    effect: 'A transfer inside the bank settles when it is authorised: all of them, or those without a KID',
    rule: 'P10b',
    value: oneOf(['all', 'without-kid'], 'all'),
    register: [59, 60],
    banks: ['Ørskog Sparebank', 'Skagerrak Sparebank', 'Sparebanken DIN', 'Kvinesdal Sparebank'],
  },
  'card-value-dates': {
    effect: 'The value date of a foreign card purchase is the banking day after its booking date',
    rule: 'D3c',
    register: [22],
    banks: [bien],
  },
  'weekend-values': {
    effect: 'A transfer that is due on a closed day keeps that day as its value date, and is booked later',
    rule: 'D3c',
    register: [23],
    banks: [bien],
  },
  'month-end-bookings': {
    effect: 'A fee is booked in the month in which it is charged, on the last day of the month at the latest',
    rule: 'D3c',
    register: [25],
    banks: [bien],
  },
  maintenance: {
    effect: "During the given time of the bank clock, every call under /v1 gets a gateway's page, 503",
    rule: 'Q11',
    value: timeWindow({ from: 'PT1M', to: 'P7D', usual: '2027-03-28T01:00/PT4H' }),
  },
} as const satisfies Readonly<Record<string, WrittenEntry>>;

export type Quirk = keyof typeof table;

/** The table as all who show it read it. */
export const quirks = Object.fromEntries(
  Object.entries<WrittenEntry>(table).map(([name, entry]): [string, QuirkEntry] => {
    const effect = `${entry.effect} (rules.md ${entry.rule}).`;
    return [name, { value: null, register: [], banks: [], ...entry, effect }];
  }),
) as Readonly<Record<Quirk, QuirkEntry>>;

/** All names, in the order of the table. */
export const quirkNames = Object.keys(table) as readonly Quirk[];

/** The parsed value of a quirk that is on; true for one that takes no value. */
type QuirkValue<Name extends Quirk = Quirk> = Name extends Quirk
  ? (typeof table)[Name] extends { readonly value: ValueForm<infer Value> }
    ? Value
    : true
  : never;

/** The quirks that are on, each with its value. All are off unless asked for. */
export interface Quirks extends ReadonlyMap<Quirk, QuirkValue> {
  get<Name extends Quirk>(name: Name): QuirkValue<Name> | undefined;
}

/** No quirk is on. */
export const noQuirks: Quirks = quirksOf([]);

/** A wrong name or value: what is wrong, and the right words, of which a message names the nearest to `given`. */
export interface QuirkProblem {
  /** The name that was given. */
  readonly name: string;
  readonly problem: string;
  readonly given: string;
  readonly words: readonly string[];
}

/** A choice of quirks as it was given: names, each with `true`, the text of a value, or `false` to switch it off. */
export type QuirkChoice = Iterable<readonly [name: string, value: unknown]>;

export function isQuirk(name: string): name is Quirk {
  return Object.hasOwn(table, name);
}

/** Switches quirks on and off, in order, from those that are on. The first wrong or contradictory one is a problem (rules.md Q1). */
export function switched(on: Quirks, choice: QuirkChoice): Quirks | QuirkProblem {
  const now = new Map<Quirk, QuirkValue>(on);
  for (const [name, given] of choice) {
    if (!isQuirk(name)) {
      const problem = `there is no quirk ${/^[\w-]{1,40}$/.test(name) ? name : quote(name)}`;
      return { name, problem, given: name, words: quirkNames };
    }
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
 * A list of quirks as a choice: `reissued-ids=P7D,plain-json,-order`. A name alone takes the usual value, `-name` switches off, and a
 * later one wins.
 */
export function choiceOf(list: string): [name: string, value: string | boolean][] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => (item.startsWith('-') ? [item.slice(1), false] : itemOf(item)));
}

/** One quirk to switch on: `plain-json`, `reissued-ids=P7D`. */
export function itemOf(text: string): [name: string, value: string | true] {
  const [name = '', ...value] = text.split('=');
  return [name, value.length === 0 ? true : value.join('=')];
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

/** The quirks that are on as an object, in the order of the table: `{"signature-401": true, "reissued-ids": "P60D"}`. */
export function quirksJson(on: Quirks): Partial<Record<Quirk, true | string>> {
  return Object.fromEntries(
    quirkNames.flatMap((name) => {
      const value = jsonOf(on, name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Whether a quirk that is on shapes what the API shows (api/habits). */
export function anyShapes(on: Quirks): boolean {
  return on.size > 0 && [...on.keys()].some((name) => quirks[name].shapes === true);
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
  if (form === null) return given === true ? true : wrong('it takes no value', []);
  const text = given === true ? form.usual : given;
  const value = typeof text === 'string' ? form.read(text) : null;
  // A number looks like the text that would do.
  const usual = typeof given === 'number' ? `the text "${form.usual}"` : form.form;
  if (value === null) return wrong(`expected ${usual}${form.bounds === '' ? '' : `, ${form.bounds}`}`, form.words);
  return value as QuirkValue;
}

/** The first contradiction between quirks that are on; null: they go together. */
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
