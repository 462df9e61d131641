import { isIPv6 } from 'node:net';
import { choiceOf, noQuirks } from '../../engine/bank/rules/quirk.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import { parseSettlementTimes } from '../../engine/time/rules/settlement-run.ts';
import { parseCutOffs, parseEarlyClose, parseFixings } from '../../engine/time/rules/receiving.ts';
import { isHost } from '../pipeline/addresses.ts';
import { chooseQuirks } from './choose-quirks.ts';

/** One setting: an environment variable, and the flag of the same name (docs/spec/control-plane.md). */
export interface Setting {
  /** `SANDBANK_CLOCK_NOW`; its flag is `--clock-now`. */
  readonly name: string;
  readonly default: string;
  readonly what: string;
  /** No error text repeats its value. */
  readonly isSecret?: true;
  /** Says what is wrong with a value; null: nothing. */
  readonly check: (value: string) => string | null;
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'];

/** A setting as it is listed. Without a default it is empty; without a check it takes any text. */
type Row = Omit<Setting, 'default' | 'check'> & Partial<Setting>;

const rows: readonly Row[] = [
  { name: 'PORT', default: '8080', what: 'The port to listen on; 0 takes a free one.', check: port },
  { name: 'HOST', default: '127.0.0.1', what: 'The address to listen on.', check: listeningHost },
  { name: 'SANDBANK_LEDGER', default: 'data/ledger.sqlite', what: 'The ledger file, or :memory:.', check: notEmpty },
  {
    name: 'SANDBANK_CLOCK_NOW',
    what: 'The instant at which a new ledger starts, ISO 8601. Empty: now.',
    check: instant,
  },
  {
    name: 'SANDBANK_CLOCK_MODE',
    default: 'running',
    what: 'running or frozen, for a new ledger.',
    check: oneOf('running', 'frozen'),
  },
  {
    name: 'SANDBANK_SETTLEMENT_TIMES',
    default: '05:30,09:30,11:30,13:30,15:30',
    what: 'The runs of a banking day, Oslo time. Lists by customer: private=05:30,14:00/corporate=05:30,15:00.',
    check: times,
  },
  {
    name: 'SANDBANK_CUT_OFFS',
    what: 'Cut-offs by product and currency: sepa:EUR=14:30/foreign=14:00+1. With +1 the value date is a banking day later.',
    check: parsedBy(parseCutOffs),
  },
  {
    name: 'SANDBANK_EARLY_CLOSE',
    what: 'Cut-offs of days that close early: before-holiday=12:00/12-31:foreign=11:00.',
    check: parsedBy(parseEarlyClose),
  },
  {
    name: 'SANDBANK_FX_FIXINGS',
    what: 'When exchange rates are fixed on a banking day, Oslo time: 10:00,13:00,15:30. Empty: the rates stay.',
    check: parsedBy(parseFixings),
  },
  {
    name: 'SANDBANK_TPP_TRUST',
    default: 'any',
    what: 'any: every valid certificate; ca: those of the CAs given.',
    check: oneOf('any', 'ca'),
  },
  {
    name: 'SANDBANK_TPP_CAS',
    what: 'A PEM file with CAs that `ca` trusts beside its own, sandbox-ca.pem by the ledger.',
  },
  {
    name: 'SANDBANK_BASKET_LIFETIME',
    default: 'PT24H',
    what: 'How long a signing basket lives, by the bank clock: an ISO 8601 duration.',
    check: lifetime,
  },
  {
    name: 'SANDBANK_ID_SEED',
    what: 'For tests: a text that all ids follow from, so that the same calls give the same ids. Empty: random ones.',
  },
  {
    name: 'SANDBANK_QUIRKS',
    what: 'Quirks to switch on, comma-separated, with a value where one is needed: name=value; -name switches off.',
    check: quirkList,
  },
  {
    name: 'SANDBANK_PROFILE',
    what: 'A bank of the platform: a name in fixtures/profiles/, or a path to a JSON file. Empty: the document.',
  },
  {
    name: 'SANDBANK_FIXTURES',
    default: 'known-state',
    what: 'The known state: a name in fixtures/, or a path to a JSON file.',
    check: notEmpty,
  },
  {
    name: 'SANDBANK_PUBLIC_URL',
    what: 'The address that SCA links start with. Empty: the host that was asked.',
    check: address,
  },
  {
    name: 'SANDBANK_CONTROL_TOKEN',
    what: 'A token for the control plane and changes under /v1/sandbox, of at least 16 characters. Empty: none.',
    isSecret: true,
    check: token,
  },
  {
    name: 'SANDBANK_ALLOWED_HOSTS',
    what: 'Host names that reach the control plane and the SCA pages beside localhost.',
    check: hosts,
  },
  {
    name: 'SANDBANK_DOCTOR',
    default: 'on',
    what: 'on: a refused signature is searched for its mistake; off: the refusal tells what the signature itself shows.',
    check: oneOf('on', 'off'),
  },
  {
    name: 'SANDBANK_OPEN_BANKS',
    what: 'Named banks that stay open; further ones are put aside between their requests. Empty: what the memory allows.',
    check: wholeNumber(1, 1_000),
  },
  {
    name: 'SANDBANK_METRICS_PORT',
    what: 'A port of its own for GET /metrics, without a token; 0 takes a free one. Empty: none.',
    check: (value) => (value === '' ? null : port(value)),
  },
  {
    name: 'SANDBANK_METRICS_HOST',
    default: '127.0.0.1',
    what: 'The address that this port listens on.',
    check: listeningHost,
  },
  {
    name: 'SANDBANK_TRUST_PROXY',
    default: '0',
    what: 'How many proxies stand before the server: the last of them name its clients in X-Forwarded-For.',
    check: numberOfProxies,
  },
  {
    name: 'SANDBANK_BANKS',
    what: 'A folder that keeps the named banks in files, over restarts. Empty: they are in memory.',
  },
  {
    name: 'SANDBANK_BANKS_EXPIRE',
    what: 'Removes a named bank that nobody has used for this long: an ISO 8601 duration such as P30D. Empty: never.',
    check: expiry,
  },
  {
    name: 'SANDBANK_BANK_RATE',
    what: 'Requests that a named bank takes in a second. Empty: any number.',
    check: wholeNumber(1, 100_000),
  },
  {
    name: 'SANDBANK_BANK_SIZE',
    what: 'Bytes that a named bank in files takes with its snapshots. Empty: any number.',
    check: wholeNumber(16_000_000, 1_000_000_000_000),
  },
  {
    name: 'SANDBANK_LOG_LEVEL',
    default: 'warn',
    what: `One of ${logLevels.join(', ')}; info logs every request, run and reset, debug every payment too.`,
    check: oneOf(...logLevels),
  },
];

/** All settings, for `--help`, the environment, `/sandbox/info` and docs/running.md. */
export const settings: readonly Setting[] = rows.map((row) => ({ default: '', check: () => null, ...row }));

/** `SANDBANK_CLOCK_NOW` -> `clock-now`. */
export function flagOf(setting: Setting): string {
  return setting.name
    .replace(/^SANDBANK_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
}

function notEmpty(value: string): string | null {
  return value === '' ? 'it is empty' : null;
}

function port(value: string): string | null {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? null : 'expected a port from 0 to 65535';
}

/** Checks a number of these bounds, in digits, or an empty value. */
function wholeNumber(least: number, most: number): Setting['check'] {
  return (value) => {
    const isOne = /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return value === '' || isOne ? null : `expected a number from ${least} to ${most}`;
  };
}

function numberOfProxies(value: string): string | null {
  return /^\d$/.test(value) ? null : 'expected a number from 0 to 9';
}

function instant(value: string): string | null {
  const at = parseInstant(value);
  if (at !== null && (at < clockRange.from || at > clockRange.to)) {
    return 'the bank clock goes from 1991 to 2099, the years that the banking calendar covers';
  }
  if (value === '' || at !== null) return null;
  return 'expected an ISO 8601 instant with offset, such as 2027-03-24T12:00:00+01:00, or a date';
}

function lifetime(value: string): string | null {
  const duration = parseDuration(value);
  const isSome = duration !== null && duration.months + duration.days + duration.seconds > 0;
  return isSome ? null : 'expected an ISO 8601 duration in whole numbers, longer than none, such as PT24H';
}

/** Minimum time without use after which a bank is removed, in seconds: the log announces it a day before. */
const minExpiry = 2 * 24 * 60 * 60;

function expiry(value: string): string | null {
  const duration = parseDuration(value);
  const isLong =
    duration !== null && duration.months * 28 * 86_400 + duration.days * 86_400 + duration.seconds >= minExpiry;
  return value === '' || isLong
    ? null
    : 'expected an ISO 8601 duration in whole numbers of at least two days, such as P30D';
}

function times(value: string): string | null {
  const parsed = parseSettlementTimes(value);
  return parsed.ok ? null : parsed.problem;
}

/** The problem that a parser of texts finds. */
function parsedBy(parse: (text: string) => ReturnType<typeof parseCutOffs | typeof parseFixings>): Setting['check'] {
  return (value) => {
    const parsed = parse(value);
    return parsed.ok ? null : parsed.problem;
  };
}

function oneOf(...words: readonly string[]): Setting['check'] {
  return (value) => (words.includes(value) ? null : `expected one of ${words.join(', ')}`);
}

function quirkList(value: string): string | null {
  const chosen = chooseQuirks(noQuirks, choiceOf(value));
  return 'problem' in chosen ? chosen.problem : null;
}

/** Hosts of a comma-separated list. */
export function hostNames(value: string): string[] {
  return value
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
}

function hosts(value: string): string | null {
  const wrong = hostNames(value).find((name) => !isHost(name));
  return wrong === undefined ? null : `expected host names, with a port or without; ${JSON.stringify(wrong)} is none`;
}

/** Checks a name or an address to listen on. */
function listeningHost(value: string): string | null {
  if (value === '') return notEmpty(value);
  const isOne = value.includes(':') ? isIPv6(value) : isHost(value);
  return isOne ? null : 'expected a name or an address, such as 127.0.0.1 or ::1; --port has the port';
}

/** Minimum length of a control token: a shorter one can be guessed, and other texts hold it by chance (docs/spec/control-plane.md C3). */
const minToken = 16;

/** Checks a bearer token. */
function token(value: string): string | null {
  if (!/^[\x21-\x7e]*$/.test(value)) return 'expected printable ASCII characters without blanks';
  if (value === '' || value.length >= minToken) return null;
  return `it has ${value.length} characters, and a token has at least ${minToken}: openssl rand -hex 16 makes one`;
}

function address(value: string): string | null {
  const [, host = ''] = /^https?:\/\/([^/]+)(?:\/[\w.~!$&'()*+,;=:@%/-]*)?$/.exec(value) ?? [];
  return value === '' || isHost(host) ? null : 'expected http:// or https:// and a host';
}
