import { defaultSettlementTimes, settlementTimesText } from '../../engine/time/rules/settlement-run.ts';
import {
  address,
  cutOffs,
  earlyClose,
  type Form,
  fxFixings,
  hosts,
  instant,
  lifetime,
  listeningHost,
  notEmpty,
  oneOf,
  onOff,
  orNone,
  port,
  quirkList,
  settlementTimes,
  text,
  token,
} from './setting-forms.ts';

/** A setting as the table has it: all that is said of it. */
interface Entry {
  /** The default is its key, as `SANDBANK_CLOCK_NOW`. The flag is `--clock-now`. */
  readonly variable?: string;
  /** The default is empty. */
  readonly default?: string;
  readonly what: string;
  readonly form: Form<unknown, unknown>;
  /** Its flag has no value. Its variable is 1 or 0. */
  readonly isSwitch?: true;
  /**
   * Profiles, `POST /sandbox/banks` and `createBank` take it, by its key in the table. If it is left out, it is of the
   * server.
   */
  readonly holds?: 'of a bank';
  /** The option of `createBank` for a setting of the server. */
  readonly option?: string;
  /** No error text repeats its value. */
  readonly isSecret?: true;
  /** What `/sandbox/info` tells of it, by default its value. */
  readonly shown?: 'not' | 'whether it is set';
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;

/** Every setting once: all lists of settings are made from this table. */
const table = {
  port: {
    variable: 'PORT',
    default: '7263',
    what: 'The port to listen on; 0 takes a free one.',
    form: port,
    option: 'port',
  },
  host: { variable: 'HOST', default: '127.0.0.1', what: 'The address to listen on.', form: listeningHost },
  tls: {
    default: '0',
    what: 'The port speaks HTTPS, TLS 1.2 and 1.3. The variable is 1 or 0.',
    form: onOff,
    isSwitch: true,
  },
  tlsCert: {
    what: 'Your own server certificate and those above it, a PEM file. Empty: the sandbox CA issues one.',
    form: orNone(text()),
  },
  tlsKey: { what: 'The key of that certificate, a PEM file.', form: orNone(text()), shown: 'whether it is set' },
  ledger: {
    default: 'data/ledger.sqlite',
    what: 'The ledger file, or :memory:.',
    form: notEmpty,
  },
  durability: {
    default: 'normal',
    what: 'normal: a killed process loses no answer; full: a power cut loses none either, and each commit waits for the disk.',
    form: oneOf('normal', 'full'),
  },
  clockNow: {
    what: 'The instant at which a new ledger starts, ISO 8601. Empty: now.',
    form: orNone(instant),
    option: 'now',
    shown: 'not',
  },
  clockMode: {
    default: 'running',
    what: 'running or frozen, for a new ledger.',
    form: oneOf('running', 'frozen'),
    option: 'mode',
    shown: 'not',
  },
  followClock: {
    default: '0',
    what: 'The bank clock decides on Date and certificates too, not the wall clock (docs/one-clock.md). The variable is 1 or 0.',
    form: onOff,
    isSwitch: true,
  },
  faketimeFile: {
    what: 'A file that tells programs under libfaketime the bank time (docs/one-clock.md). Empty: none.',
    form: orNone(text()),
  },
  settlementTimes: {
    default: settlementTimesText(defaultSettlementTimes.private),
    what: 'The runs of a banking day, Oslo time. Lists by customer: private=05:30,14:00/corporate=05:30,15:00.',
    form: settlementTimes,
    holds: 'of a bank',
  },
  cutOffs: {
    what: 'Cut-offs by customer, product and currency: corporate:sepa:EUR=14:30/foreign=14:00+1. With +1 the value date is a banking day later.',
    form: cutOffs,
    holds: 'of a bank',
  },
  earlyClose: {
    what: 'Cut-offs of days that close early: before-holiday=12:00/12-31:private:foreign=11:00.',
    form: earlyClose,
    holds: 'of a bank',
  },
  fxFixings: {
    what: 'When exchange rates are fixed on a banking day, Oslo time: 10:00,13:00,15:30. Empty: the rates stay.',
    form: fxFixings,
    holds: 'of a bank',
  },
  tppTrust: {
    default: 'any',
    what: 'any: every valid certificate; ca: those of the CAs given.',
    form: oneOf('any', 'ca'),
  },
  tppCas: {
    what: 'A PEM file with CAs that `ca` trusts beside its own, sandbox-ca.pem by the ledger.',
    form: orNone(text()),
  },
  basketLifetime: {
    default: 'PT24H',
    what: 'How long a signing basket lives, by the bank clock: an ISO 8601 duration.',
    form: lifetime,
    option: 'basketLifetime',
  },
  idSeed: {
    what: 'For tests: a text that all ids follow from, so that the same calls give the same ids. Empty: random ones.',
    form: orNone(text()),
    option: 'idSeed',
    shown: 'whether it is set',
  },
  quirks: {
    what: 'Quirks to switch on, comma-separated, with a value where one is needed: name=value; -name switches off.',
    form: quirkList,
    option: 'quirks',
  },
  profile: {
    what: 'A bank of the platform: a name in fixtures/profiles/, or a path to a JSON file. Empty: the document.',
    form: orNone(text()),
  },
  fixtures: {
    default: 'known-state',
    what: 'The known state: a name in fixtures/, or a path to a JSON file.',
    form: notEmpty,
  },
  signAnswers: {
    default: '0',
    what: 'Every bank signs its answers, as with the quirk signed-answers. The variable is 1 or 0.',
    form: onOff,
    isSwitch: true,
  },
  publicUrl: {
    what: 'The address that SCA links start with. Empty: the host that was asked.',
    form: orNone(address),
  },
  controlToken: {
    what: 'A token for the control plane and changes under /v1/sandbox, of at least 16 characters. Empty: none.',
    form: orNone(token),
    isSecret: true,
    shown: 'whether it is set',
  },
  allowedHosts: {
    what: 'Host names that reach the control plane and the SCA pages beside localhost.',
    form: hosts,
  },
  banks: {
    what: 'A folder that keeps the named banks in files, over restarts. Empty: they are in memory.',
    form: orNone(text()),
  },
  logLevel: {
    default: 'warn',
    what: `One of ${logLevels.join(', ')}; info logs every request, run and reset, debug every payment too.`,
    form: oneOf(...logLevels),
    option: 'logLevel',
  },
} as const satisfies Readonly<Record<string, Entry>>;

type Table = typeof table;
export type SettingKey = keyof Table;
/** The keys of the settings that a bank holds. */
export type BankKey = {
  [Key in SettingKey]: Table[Key] extends { readonly holds: 'of a bank' } ? Key : never;
}[SettingKey];
type FormOf<Key extends SettingKey> = Table[Key]['form'];

/** The values of all settings. */
export type Values = {
  readonly [Key in SettingKey]: FormOf<Key> extends Form<infer Value, infer _Json> ? Value : never;
};

/** The same as JSON. */
export type JsonValues = { readonly [Key in SettingKey]: ReturnType<FormOf<Key>['json']> };

/** A setting with all that follows from its entry. */
export interface Setting extends Omit<Entry, 'variable' | 'default'> {
  readonly key: SettingKey;
  /** `SANDBANK_CLOCK_NOW` */
  readonly name: string;
  /** `clock-now` */
  readonly flag: string;
  readonly default: string;
}

/** All settings, in the order of the table. */
export const settings: readonly Setting[] = Object.entries<Entry>(table).map(([key, entry]) => {
  const words = key.replaceAll(/[A-Z]/g, '-$&').toLowerCase();
  return {
    key: key as SettingKey,
    name: entry.variable ?? `SANDBANK_${words.replaceAll('-', '_').toUpperCase()}`,
    flag: words,
    default: '',
    ...(entry.holds === 'of a bank' && { option: key }),
    ...entry,
  };
});

/** The settings that a bank holds, by their keys: profiles, `POST /sandbox/banks` and `createBank` take them. */
export const bankSettings = settings.filter(({ holds }) => holds === 'of a bank');

/** What `/sandbox/info` shows: the settings as JSON, or whether they are set. */
export type ShownValues = {
  readonly [
    Key in SettingKey as Table[Key] extends { readonly shown: 'not' }
      ? never
      : Table[Key] extends { readonly shown: 'whether it is set' }
        ? `${Key}IsSet`
        : Key
  ]: Table[Key] extends { readonly shown: 'whether it is set' } ? boolean : JsonValues[Key];
};
