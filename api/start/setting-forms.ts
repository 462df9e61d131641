import { isIPv6 } from 'node:net';
import {
  choiceOf,
  isProblem,
  isQuirk,
  noQuirks,
  type QuirkChoice,
  type QuirkProblem,
  type Quirks,
  quirkTexts,
  switched,
} from '../../engine/bank/rules/quirk.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import {
  parseSettlementTimes,
  type SettlementTimes,
  type ShownTimes,
  shownTimes,
} from '../../engine/time/rules/settlement-run.ts';
import {
  type DayTimes,
  parseCutOffs,
  parseEarlyClose,
  parseFixings,
  type TimeTable,
} from '../../engine/time/rules/cut-offs.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { formatInstant, type Instant, parseInstant } from '../../engine/values/instant.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import { expecting, type TextForm, wholeIn, wordIn } from '../../engine/values/text-form.ts';
import { isHost } from '../pipeline/addresses.ts';
import { nearest } from '../faults/nearest.ts';

/** How the value of a setting is written: as the text of a flag or a variable, and as JSON. */
export interface Form<Value = unknown, Json = Value> {
  /** Reads {@link settingText} of JSON too. */
  readonly read: TextForm<Value>;
  json(value: Value): Json;
  /** JSON Schema of what `json` gives. A start loads no typebox. */
  readonly schema: object;
}

/** JSON as the text that a form reads: `05:30,15:30`, `sepa:EUR=14:30/foreign=16:15`, `on`. */
export function settingText(json: unknown): string {
  if (json === null) return '';
  if (typeof json === 'boolean') return json ? 'on' : 'off';
  if (Array.isArray(json)) return json.map(String).join(',');
  if (typeof json !== 'object') return String(json);
  const members = Object.entries(json).filter(([, value]) => value !== undefined);
  return members.map(([name, value]) => `${name}=${settingText(value)}`).join('/');
}

/** `json`: how a value is shown, by default as it is. */
function form<Value, Json = Value>(
  read: TextForm<Value>,
  schema: object,
  json = (of: Value): Json => of as Value & Json,
): Form<Value, Json> {
  return { read, json, schema };
}

/** The problem of a text, or null. */
type Check = (text: string) => string | null;

/** Reads texts that pass a check. */
function checked<Value>(check: Check, value: (text: string) => Value): TextForm<Value> {
  return (given) => {
    const problem = check(given);
    return problem === null ? { ok: true, value: value(given) } : { ok: false, problem };
  };
}

/** A text that passes a check, by default any. */
export function text(check: Check = () => null): Form<string> {
  return form(checked(check, String), { type: 'string' });
}

/** A form that reads an empty text as null. */
export function orNone<Value, Json>({ read, json, schema }: Form<Value, Json>): Form<Value | null, Json | null> {
  return {
    read: (given) => (given === '' ? { ok: true, value: null } : read(given)),
    json: (value) => (value === null ? null : json(value)),
    schema: { anyOf: [schema, { type: 'null' }] },
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Form<Word> {
  return form(expecting(`one of ${words.join(', ')}`, wordIn(words)), { type: 'string', enum: words });
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ...['on', '1', 'true'].map((text) => [text, true] as const),
  ...['off', '0', 'false', ''].map((text) => [text, false] as const),
]);

/** A switch: `1` or `0` in a variable, and a flag without a value. */
export const onOff = form(
  expecting('1 or 0', (given) => switches.get(given) ?? null),
  { type: 'boolean' },
);

export const port = form(expecting('a port from 0 to 65535', wholeIn(0, 65_535)), {
  type: 'integer',
  minimum: 0,
  maximum: 65_535,
});

export const notEmpty = text((given) => (given === '' ? 'it is empty' : null));

const instantProblem: Check = (given) => {
  const at = parseInstant(given);
  if (at === null) return 'expected an ISO 8601 instant with offset, such as 2027-03-24T12:00:00+01:00, or a date';
  const isCovered = at >= clockRange.from && at <= clockRange.to;
  return isCovered ? null : 'the bank clock goes from 1990 to 2099, the years that the banking calendar covers';
};

/** An instant of the bank clock. */
export const instant = form(
  checked(instantProblem, (given) => parseInstant(given) as Instant),
  { type: 'string' },
  formatInstant,
);

/** A duration that is longer than none. */
export const lifetime = text((given) => {
  const { months, days, seconds } = parseDuration(given) ?? { months: 0, days: 0, seconds: 0 };
  const isSome = months + days + seconds > 0;
  return isSome ? null : 'expected an ISO 8601 duration in whole numbers, longer than none, such as PT24H';
});

/** A name or an address to listen on. */
export const listeningHost = text((given) => {
  if (given === '') return 'it is empty';
  const isOne = given.includes(':') ? isIPv6(given) : isHost(given);
  return isOne
    ? null
    : `expected a name or an address, such as 127.0.0.1 or ::1; --port has the port${inPunycode(given)}`;
});

/** How a name with letters beyond ASCII is written. Empty for any other text. */
function inPunycode(host: string): string {
  const isIdn = /[^\0-\x7f]/.test(host) && URL.canParse(`http://${host}`);
  return isIdn ? `; in punycode it is ${new URL(`http://${host}`).host}` : '';
}

const hostNames = (given: string): readonly string[] =>
  given
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');

const hostsProblem: Check = (given) => {
  const wrong = hostNames(given).find((name) => !isHost(name));
  if (wrong === undefined) return null;
  return `expected host names, with a port or without; ${JSON.stringify(wrong)} is none${inPunycode(wrong)}`;
};

/** Comma-separated host names. */
export const hosts = form(checked(hostsProblem, hostNames), {
  type: 'array',
  items: { type: 'string', description: 'a host name' },
});

/**
 * Minimum length of a control token: a shorter one can be guessed, and other texts hold it by chance
 * (docs/spec/control-plane.md C3).
 */
const minToken = 16;

/** A bearer token. */
export const token = text((given) => {
  if (!/^[\x21-\x7e]*$/.test(given)) return 'expected printable ASCII characters without blanks';
  if (given.length >= minToken) return null;
  return `it has ${given.length} characters, and a token has at least ${minToken}: openssl rand -hex 16 makes one`;
});

const addressProblem: Check = (given) => {
  const [, host = ''] = /^https?:\/\/([^/]+)(?:\/[\w.~!$&'()*+,;=:@%/-]*)?$/.exec(given) ?? [];
  return isHost(host) ? null : `expected http:// or https:// and a host${inPunycode(host)}`;
};

/** An address without a slash at its end. */
export const address = form(
  checked(addressProblem, (given) => withoutTrailing(given, '/')),
  { type: 'string' },
);

/** Quirks, see `choiceOf`. */
export const quirkList: Form<Quirks, readonly string[]> = {
  read: (given) => {
    const value = chooseQuirks(noQuirks, choiceOf(given));
    return 'problem' in value ? { ok: false, problem: value.problem } : { ok: true, value };
  },
  json: quirkTexts,
  schema: { type: 'array', items: { type: 'string', description: 'a quirk that is on, with its value' } },
};

const timeOfDay = { type: 'string', description: 'a time of day in Oslo' };

const dayTimes = {
  type: 'array',
  description: 'a list of times of a banking day, Oslo time',
  items: { ...timeOfDay, examples: ['05:30'] },
  minItems: 1,
  maxItems: 100,
};

/** A list for all customers, or one for each type (rules.md T4b). */
export const settlementTimes: Form<SettlementTimes, ShownTimes> = {
  read: parseSettlementTimes,
  json: shownTimes,
  schema: {
    description: 'the runs of a banking day, Oslo time: a list, or {private, corporate} with a list for each',
    examples: [{ private: ['05:30', '14:00'], corporate: ['05:30', '15:00'] }],
    anyOf: [
      dayTimes,
      {
        type: 'object',
        title: 'TimesByCustomer',
        description: 'The runs for private and for corporate customers.',
        properties: { private: dayTimes, corporate: dayTimes },
        additionalProperties: false,
      },
    ],
  },
};

/** Times by what they are for (rules.md T4d, T4e). */
function timeTable(read: Form<TimeTable>['read'], description: string, example: TimeTable): Form<TimeTable> {
  const examples = [example];
  const schema = { type: 'object', description, additionalProperties: timeOfDay, maxProperties: 100, examples };
  return { read, json: (value) => value, schema };
}

export const cutOffs = timeTable(parseCutOffs, 'cut-offs by PRODUCT, PRODUCT:CURRENCY or CUSTOMER:PRODUCT:CURRENCY', {
  'sepa:EUR': '14:30',
  'cross-border:PLN': '14:00+1',
  foreign: '16:15',
});

export const earlyClose = timeTable(
  parseEarlyClose,
  'cut-offs of days that close early, by DAY, DAY:PRODUCT or DAY:CUSTOMER:PRODUCT',
  {
    'before-holiday': '12:00',
    'before-holiday:foreign': '09:00',
  },
);

/** Times at which exchange rates are fixed (rules.md T4f). */
export const fxFixings: Form<DayTimes> = {
  read: parseFixings,
  json: (value) => value,
  schema: {
    type: 'array',
    description: 'a list of the times at which exchange rates are fixed on a banking day; empty: the rates stay',
    examples: [['10:00', '13:00', '15:30']],
    items: { ...timeOfDay, examples: ['10:00'] },
    maxItems: 100,
  },
};

/** A refused choice: one sentence without its full stop, and the name of the quirk. */
interface RefusedChoice {
  readonly name: string;
  readonly problem: string;
}

/** Switches quirks from those that are on (rules.md Q1). A refusal names the nearest right word, or all. */
export function chooseQuirks(on: Quirks, choice: QuirkChoice): Quirks | RefusedChoice {
  const chosen = switched(on, choice);
  return isProblem(chosen) ? { name: chosen.name, problem: sentenceOf(chosen) } : chosen;
}

function sentenceOf({ name, problem, given, words }: QuirkProblem): string {
  const near = nearest(given, words);
  if (near !== null) return `${problem}; the nearest is ${near}`;
  // The problem of a value already lists the allowed words.
  return isQuirk(name) ? problem : `${problem}; there are ${words.join(', ')}`;
}
