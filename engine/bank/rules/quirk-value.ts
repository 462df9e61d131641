import { parseDuration } from '../../values/duration.ts';
import { expecting, type TextForm, wholeIn, wordIn } from '../../values/text-form.ts';
import { addDays, localDate, type LocalDate, parseLocalDate } from '../../values/local-date.ts';

/** How the value of a quirk is written and read. */
export interface ValueForm<out Value> {
  /** As a person writes it: `none|booking|both`. */
  readonly form: string;
  /** Its bounds in words, or empty if there is none. */
  readonly bounds: string;
  /** The value that the name alone means. */
  readonly usual: string;
  /** Words of the form, for a message that names the nearest. */
  readonly words: readonly string[];
  readonly read: TextForm<Value>;
  /** The value as text, which {@link read} reads back. It takes only values of `read`. */
  readonly write: (value: unknown) => string;
}

/** The form of texts for which `valueOf` is not null. */
function formOf<Value>(
  {
    form,
    bounds = '',
    usual,
    words = [],
    write = String,
  }: Partial<ValueForm<Value>> & Record<'form' | 'usual', string>,
  valueOf: (text: string) => Value | null,
): ValueForm<Value> {
  return { form, bounds, usual, words, write, read: expecting([form, bounds].filter(Boolean).join(', '), valueOf) };
}

/** One word of a list. */
export function oneWord<const Word extends string>(words: readonly Word[], usual: Word): ValueForm<Word> {
  return formOf({ form: words.join('|'), usual, words }, wordIn(words));
}

/** The least value, the greatest one, and the one that the name of the quirk alone means. */
interface Range<Of> {
  readonly from: Of;
  readonly to: Of;
  readonly usual: Of;
}

/** A whole number of `unit`, written in digits. */
export function count({ from, to, usual }: Range<number>, unit: string): ValueForm<number> {
  const bounds = `a whole number of ${unit} from ${from} to ${to}`;
  const read = wholeIn(from, to);
  return {
    ...formOf({ form: String(usual), bounds, usual: String(usual) }, read),
    read: expecting(`${bounds}, such as ${usual}`, read),
  };
}

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

/**
 * Milliseconds of bank time, written as an ISO 8601 duration of days, hours, minutes and seconds; or one of the words.
 */
export function span<const Word extends string>(
  { from, to, usual }: Range<string>,
  words: readonly Word[],
): ValueForm<number | Word> {
  const [least = 0, most = 0] = [from, to].map((text) => msOf(text) ?? 0);
  return formOf<number | Word>(
    {
      form: [usual, ...words].join('|'),
      bounds: `a duration of ${from} to ${to}`,
      usual,
      words,
      write: (value) => (typeof value === 'number' ? durationText(value) : String(value)),
    },
    (text) => {
      const ms = msOf(text);
      return ms === null ? wordIn(words)(text) : ms >= least && ms <= most ? ms : null;
    },
  );
}

/** Returns null if it is no duration, or one with months or years, which have no fixed length. */
function msOf(text: string): number | null {
  const duration = parseDuration(text);
  if (duration === null || duration.months > 0) return null;
  return (duration.days * daySeconds + duration.seconds) * 1_000;
}

/** `P7D`; `PT26S` for what is no whole number of days. */
function durationText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds % daySeconds === 0) return `P${seconds / daySeconds}D`;
  if (seconds % hourSeconds === 0) return `PT${seconds / hourSeconds}H`;
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`;
}

/** Lengths of ids by their kind, where they are unusual. */
type IdLengths<Kind extends string> = Readonly<Partial<Record<Kind, number>>> & {
  /** It is false if no id ends in `=`. */
  readonly isPadded: boolean;
};

const unpadded = 'unpadded';

/**
 * Lengths in characters, `transaction:241/payment:69/unpadded`: each part at most once, at least one. `from`: the least
 * length of each kind.
 */
export function lengths<const Kind extends string>({
  from,
  to,
  usual,
}: Readonly<{ from: Readonly<Record<Kind, number>>; to: number; usual: string }>): ValueForm<IdLengths<Kind>> {
  const kinds = Object.keys(from).filter((name): name is Kind => Object.hasOwn(from, name));
  const least = kinds.map((kind) => `${from[kind]} for ${kind}`).join(', ');
  const read = (text: string): IdLengths<Kind> | null => {
    const parts = text.split('/').map((part) => part.split(':'));
    const names = parts.map(([name = '']) => name);
    if (new Set(names).size < names.length) return null;
    const found = new Map<string, number>();
    for (const [name = '', length = null, ...rest] of parts) {
      if (name === unpadded && length === null) continue;
      const kind = kinds.find((one) => one === name);
      if (kind === undefined || !/^\d{1,4}$/.test(length ?? '') || rest.length > 0) return null;
      if (Number(length) < from[kind] || Number(length) > to) return null;
      found.set(kind, Number(length));
    }
    // The names were compared with the kinds.
    return { ...(Object.fromEntries(found) as Partial<Record<Kind, number>>), isPadded: !names.includes(unpadded) };
  };
  const form = {
    form: usual,
    bounds: `each part at most once, lengths up to ${to} characters, at least ${least}`,
    usual,
    words: [...kinds, unpadded],
    write: (value: unknown) => {
      const given = value as IdLengths<Kind>;
      const all: Partial<Record<Kind, number>> = given;
      const parts = kinds.flatMap((kind) => (all[kind] === undefined ? [] : [`${kind}:${all[kind]}`]));
      return [...parts, ...(given.isPadded ? [] : [unpadded])].join('/');
    },
  };
  return formOf(form, read);
}

/** Dates by their names. A number: days after the start of the bank's clock (rules.md Q1c). */
export type Dates<Name extends string> = Readonly<Record<Name, LocalDate | number>>;

/** The date that is meant, for a bank whose clock started on `start`. */
export function dateFrom(start: LocalDate, date: LocalDate | number): LocalDate {
  return typeof date === 'number' ? addDays(start, date) : date;
}

/** A date, or days after the start of the bank's clock (rules.md Q1c). */
export function day(usual: string): ValueForm<LocalDate | number> {
  const bounds = `a date as YYYY-MM-DD, or ${daysBounds}`;
  const write = (value: unknown): string => dayText(value as LocalDate | number);
  return formOf({ form: usual, bounds, usual, write }, (text) => daysIn(text) ?? parseLocalDate(text));
}

/**
 * Dates by their names, `longer-names:2024-10-01/card-amounts:P30D`: each name at most once, at least one. A name that
 * is left out keeps its usual date.
 */
export function dates<const Name extends string>(usual: Readonly<Record<Name, string>>): ValueForm<Dates<Name>> {
  const names = Object.keys(usual).filter((name): name is Name => Object.hasOwn(usual, name));
  const written = (given: Readonly<Record<Name, string | number>>): string =>
    names.map((name) => `${name}:${dayText(given[name])}`).join('/');
  const read = (text: string): Dates<Name> | null => {
    const found = new Map<string, LocalDate | number>();
    for (const [given = '', day = '', ...rest] of text.split('/').map((part) => part.split(':'))) {
      const [name, date] = [names.find((one) => one === given), daysIn(day) ?? parseLocalDate(day)];
      if (name === undefined || date === null || rest.length > 0 || found.has(name)) return null;
      found.set(name, date);
    }
    // Every name has a date.
    return Object.fromEntries(names.map((name) => [name, found.get(name) ?? localDate(usual[name])])) as Dates<Name>;
  };
  const form = {
    // Two parts show the form; all of them are too wide for a help text.
    form: written(usual).split('/').slice(0, 2).join('/'),
    bounds: `with ${names.join(', ')}, each at most once, with a date as YYYY-MM-DD, or ${daysBounds}`,
    usual: written(usual),
    words: names,
    write: (value: unknown) => written(value as Dates<Name>),
  };
  return formOf(form, read);
}

const maxDays = 3650;
const daysBounds = `P1D to P${maxDays}D after the start of the bank's clock`;

function dayText(day: string | number): string {
  return typeof day === 'number' ? `P${day}D` : day;
}

/** The number of days of `P30D`, or null for another text. */
function daysIn(text: string): number | null {
  const days = Number(/^P([1-9]\d{0,3})D$/.exec(text)?.[1] ?? Number.NaN);
  return days <= maxDays ? days : null;
}
