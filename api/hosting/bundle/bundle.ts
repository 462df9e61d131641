import { X509Certificate } from 'node:crypto';
import * as Type from 'typebox';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { type LedgerImage, takeLedgerImage } from '../../../engine/bank/snapshots.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { oneLine, quote } from '../../../engine/values/text.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import type { PriceList } from '../../../engine/values/price-list.ts';
import { exchangeRatesFile, feesFile } from '../../bodies/price-files.ts';
import { knownStateFile } from '../../bodies/known-state.ts';
import { profileFile } from '../../start/setting-schemas.ts';
import { closed, optional } from '../../bodies/schema.ts';
import { faultEffect, faultMethod, faultPath, faultTimes } from '../../control/faults.ts';
import { orNull } from '../../control/answers.ts';
import type { Entry } from '../../journal/entry.ts';
import { entryOf, entryRecord, recordOf } from '../../journal/entry-record.ts';
import { maxEntries, requireRoomFor } from '../../journal/journal.ts';
import { countJsonValues } from '../../../engine/values/lists.ts';
import { maskedValue, maskOf } from '../../pipeline/secrets.ts';
import { type ArmedFault, maxArmed } from '../../pipeline/armed-faults.ts';
import { parseJson } from '../../pipeline/read-body.ts';
import { validateBody } from '../../pipeline/validate-body.ts';
import { type Config, keptSettings, type Profile, readConfig } from '../../start/config.ts';
import { priceFilesOf, priceListOf, stateIn } from '../../start/fixtures.ts';
import { fileProblem } from '../../start/listed-files.ts';
import { packBundle, unpackBundle } from './bundle-file.ts';
import { Mistake } from '../../../engine/values/mistake.ts';

/** A bank that was saved in a bundle. */
export interface Bundle {
  readonly image: LedgerImage;
  /** The settings that change answers, by the names of their variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly profile: Profile | null;
  readonly knownState: KnownState;
  readonly prices: PriceList;
  /** PEM. */
  readonly trustedCas: readonly string[];
  readonly faults: readonly ArmedFault[];
  /** The oldest first. */
  readonly entries: readonly Entry[];
}

/** The parts of a bank for its bundle. */
interface BundledBank extends Pick<Bundle, 'trustedCas' | 'faults'> {
  readonly bank: Bank;
  readonly config: Config;
  /** The newest first. */
  readonly entries: readonly Entry[];
}

const text = Type.String();
const positive = Type.Integer({ minimum: 1 });

const armedFault = closed({
  id: positive,
  ...faultEffect,
  method: orNull(faultMethod),
  path: orNull(faultPath),
  times: faultTimes,
  remaining: faultTimes,
});

/** Maximum number of CA certificates: more than any list has. */
const maxCas = 1_000;
/** Maximum length of a setting. */
const maxSetting = 10_000;

const bundleJson = closed({
  /** In ms. */
  now: Type.Integer({ minimum: clockRange.from, maximum: clockRange.to }),
  settings: Type.Record(Type.String(), Type.String({ maxLength: maxSetting })),
  profile: optional(profileFile),
  knownState: knownStateFile,
  exchangeRates: exchangeRatesFile,
  fees: feesFile,
  trustedCas: Type.Array(text, { maxItems: maxCas }),
  faults: Type.Array(armedFault, { maxItems: maxArmed }),
  requests: Type.Array(entryRecord, { maxItems: maxEntries }),
});

/** Maximum number of JSON values in lists and objects: each takes memory, however short its text is. */
const maxValues = 250_000;

/**
 * Saves a bank as the bytes of one file: ledger, clock, journal, armed faults and the settings that change answers, without private keys
 * and control token. Throws a Mistake if the ledger is too large.
 */
export async function saveBundle({ bank, config, trustedCas, faults, entries }: BundledBank): Promise<Buffer> {
  const mask = maskOf(config.controlToken);
  const requests = entries.toReversed().map((entry) => JSON.stringify(recordOf(entry, mask)));
  const { bytes, now } = await takeLedgerImage(bank);
  const settled = JSON.stringify({
    now,
    settings: settingsOf({ ...config, fixtures: bank.fixtures }),
    ...(config.profile !== null && { profile: config.profile }),
    knownState: bank.knownState,
    ...priceFilesOf(bank.prices),
    trustedCas,
    faults: maskedValue(faults, mask),
  });
  const json = Buffer.from(`${settled.slice(0, -1)},"requests":[${requests.join(',')}]}`);
  return packBundle({ json, ledger: bytes });
}

/** The settings that change the answers of a bank. Address, host names and token do not; the ledger holds the clock. */
const settingsOf = (config: Config): Record<string, string> =>
  keptSettings(config, 'tppTrust', 'basketLifetime', 'idSeed');

/**
 * Reads the bytes of a bundle, within its bounds (control-plane.md B2). Throws a Mistake. The ledger itself is checked by openBank.
 */
export async function readBundle(file: Buffer): Promise<Bundle> {
  const { json, ledger } = await unpackBundle(file);
  const { now, exchangeRates, fees, requests, profile = null, ...rest } = await parsed(json);
  return {
    ...rest,
    profile,
    image: { bytes: ledger, now: now as Instant },
    prices: priceListOf({ exchangeRates, fees }),
    entries: requests.map(entryOf),
  };
}

/**
 * The settings of a server that opens a bundle: those of the bundle, and its own flags. Throws a Mistake for a setting that no bundle
 * has: a file from somebody else must not set host names or name files.
 */
export function configOfBundle(
  { settings, profile }: Pick<Bundle, 'settings' | 'profile'>,
  flags: readonly string[],
): Config {
  const saved = settingsOf(readConfig({}, []));
  const other = Object.keys(settings).find((name) => !Object.hasOwn(saved, name));
  if (other !== undefined) throw new Mistake(`${quote(other, 60)} is no setting of a bundle.`);
  try {
    // The settings have those of the profile.
    return { ...readConfig(settings, ['--ledger=:memory:', ...flags]), profile };
  } catch (error) {
    throw error instanceof Mistake ? new Mistake(oneLine(error.message, maxProblem)) : error;
  }
}

/** The content of a bundle, checked. */
async function parsed(json: Buffer) {
  try {
    if (countJsonValues(json) > maxValues) throw new Mistake(`it has more than ${maxValues} values`);
    const value = parseJson(json);
    validateBody(bundleJson, value, { quirks: new Set() });
    for (const pem of value.trustedCas) if (!new X509Certificate(pem).ca) throw new Mistake('trustedCas: one is no CA');
    requireRoomFor(value.requests.map(entryOf));
    return { ...value, knownState: await stateIn(value.knownState) };
  } catch (error) {
    throw new Mistake(`is damaged: ${oneLine(fileProblem(error), maxProblem)}`);
  }
}

/** Maximum length of the text that says what is wrong with a bundle. */
const maxProblem = 1_000;
