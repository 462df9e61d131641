import { createHash, X509Certificate } from 'node:crypto';
import * as Type from 'typebox';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { imageOfSnapshot, takeLedgerImage } from '../../../engine/bank/snapshots.ts';
import { type Bank, type CopiedLedger, imageToSave } from '../../../engine/open-bank.ts';
import { oneLine, quote } from '../../../engine/values/text.ts';
import { clockRange } from '../../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import type { Quirks } from '../../../engine/bank/rules/quirk.ts';
import type { PriceList } from '../../../engine/values/price-list.ts';
import { exchangeRatesFile, feesFile } from '../../bodies/price-files.ts';
import { knownStateFile } from '../../bodies/known-state.ts';
import { profileFile } from '../../start/setting-schemas.ts';
import { closed, optional } from '../../bodies/schema.ts';
import { faultEffect, faultMethod, faultPath, faultTimes } from '../../control/faults.ts';
import { orNull } from '../../control/answers/forms.ts';
import type { Entry } from '../../journal/entry.ts';
import { entryOf, entryRecord, recordOf } from '../../journal/entry-record.ts';
import { maxEntries, requireRoomFor } from '../../journal/journal.ts';
import { countJsonValues, keepNewest } from '../../../engine/values/lists.ts';
import { maskOf, withoutPageIds } from '../../pipeline/secrets.ts';
import { type ArmedFault, isOver, maxArmed } from '../../pipeline/armed-faults.ts';
import { contradictionIn } from '../../pipeline/fault-effect.ts';
import { parseJson } from '../../pipeline/read-body.ts';
import { validateBody } from '../../pipeline/validate-body.ts';
import {
  type Beneath,
  beneathOf,
  type Config,
  keptSettings,
  overBeneath,
  type Profile,
  readConfig,
  readKept,
} from '../../start/config.ts';
import { priceFilesOf, priceListOf, stateIn } from '../../start/fixtures.ts';
import { fileProblem } from '../../start/listed-files.ts';
import { packBundle, unpackBundle } from './bundle-file.ts';
import { Mistake } from '../../../engine/values/mistake.ts';

/** What a bank is saved as, opened from and copied from (docs/spec/control-plane.md B5, B10). */
export interface Bundle {
  readonly copied: CopiedLedger;
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
 * What a copy of a bank begins with: as the bank is, with the quirks that are on, or as a snapshot has it, with those
 * of the start (control-plane.md B10). NOT_FOUND for an unknown snapshot.
 */
export async function bundleToCopy(bundled: BundledBank, snapshot: string | undefined): Promise<Bundle> {
  const { bank, config } = bundled;
  if (snapshot !== undefined) return bundleOf(bundled, await imageOfSnapshot(bank, snapshot), config.quirks);
  return bundleOf(bundled, await takeLedgerImage(bank), bank.quirks);
}

/** An open bank as a bundle: ledger, clock, journal, armed faults and the settings that change answers. */
function bundleOf({ bank, config, entries, ...more }: BundledBank, copied: CopiedLedger, quirks: Quirks): Bundle {
  return {
    ...more,
    entries: entries.toReversed(),
    copied,
    settings: settingsOf({ ...config, quirks, fixtures: bank.fixtures }),
    profile: config.profile,
    knownState: bank.knownState,
    prices: bank.prices,
  };
}

/**
 * Saves a bank as the bytes of one file, without private keys, control token and links to its pages. Throws a Mistake
 * if the ledger is too large.
 */
export async function saveBundle(bundled: BundledBank): Promise<Buffer> {
  const mask = maskOf(bundled.config.controlToken);
  const { bank, config } = bundled;
  const saved = bundleOf(bundled, await imageToSave(bank), config.quirks);
  const { copied, profile, prices, faults, entries, ...rest } = saved;
  const requests = entries.map((entry) => JSON.stringify(recordOf(entry, (text) => withoutPageIds(mask(text)))));
  const settled = JSON.stringify({
    now: copied.now,
    ...rest,
    ...(profile !== null && { profile }),
    ...priceFilesOf(prices),
    // Masked, a path would be none.
    faults: faults.filter(({ path }) => path === null || mask(path) === path),
  });
  const json = Buffer.from(`${settled.slice(0, -1)},"requests":[${requests.join(',')}]}`);
  return packBundle({ json, ledger: copied.bytes });
}

/** The settings that change the answers of a bank. Address, host names and token do not; the ledger holds the clock. */
const settingsOf = (config: Config): Record<string, string> =>
  keptSettings(config, 'tppTrust', 'basketLifetime', 'idSeed');

/** The last small bundles that were read, by their digests: tests copy one file many times. */
const known = new Map<string, Bundle>();
const maxKnown = 4;
/** Of the ledger of such a bundle, in bytes. */
const maxKnownLedger = 16 * 1024 * 1024;

/**
 * Reads the bytes of a bundle, within its bounds (control-plane.md B2), and of at most `maxUnpacked` bytes. Throws a
 * Mistake. The ledger itself is checked by openBank.
 */
export async function readBundle(file: Buffer, maxUnpacked?: number): Promise<Bundle> {
  const digest = createHash('sha256').update(file).digest('hex');
  const bundle = known.get(digest) ?? (await readAnew(file, maxUnpacked));
  if (bundle.copied.bytes.length <= maxKnownLedger) keepNewest(known, digest, bundle, maxKnown);
  return bundle;
}

async function readAnew(file: Buffer, maxUnpacked?: number): Promise<Bundle> {
  const { json, ledger } = await unpackBundle(file, maxUnpacked);
  const { now, exchangeRates, fees, requests, faults, profile = null, ...rest } = await parsed(json);
  return {
    ...rest,
    profile,
    // A running clock would jump ahead by the time since then.
    copied: { bytes: ledger, now: now as Instant, mode: 'frozen' },
    prices: priceListOf({ exchangeRates, fees }),
    faults: faults.filter((fault) => !isOver(fault, now as Instant)),
    entries: requests.map(entryOf),
  };
}

/** Settings over those of a bundle. */
interface OverBundle {
  readonly flags: readonly string[];
  /** Its settings go over those of the bundle. */
  readonly profile?: Profile | null;
  /** Beneath those of the bundle. */
  readonly beneath?: Beneath;
}

/**
 * The settings of a bank that begins with a bundle: those of the bundle, and over them its own. Throws a Mistake for a
 * setting that no bundle has: a file from somebody else must not set host names or name files.
 */
export function configOfBundle(
  { settings, profile }: Pick<Bundle, 'settings' | 'profile'>,
  { flags, profile: own = null, beneath = {} }: OverBundle,
): Config {
  requireSaved(settings);
  try {
    const config = readConfig({}, ['--ledger=:memory:', ...flags], own, overBeneath(beneath, beneathOf(settings)));
    // The settings have those of the profile.
    return own === null ? { ...config, profile } : config;
  } catch (error) {
    throw error instanceof Mistake ? new Mistake(oneLine(error.message, maxProblem)) : error;
  }
}

/**
 * The settings of a bundle for a bank of a server, without its trust: the server decides on that. Throws as {@link
 * configOfBundle} does.
 */
export function settingsOfCopy({ settings, profile }: Bundle): Partial<Config> {
  requireSaved(settings);
  const own = Object.entries(settings).filter(([name]) => name !== 'SANDBANK_TPP_TRUST');
  return { ...readKept(Object.fromEntries(own)), profile };
}

function requireSaved(settings: Bundle['settings']): void {
  const saved = settingsOf(readConfig({}, []));
  const other = Object.keys(settings).find((name) => !Object.hasOwn(saved, name));
  if (other !== undefined) throw new Mistake(`${quote(other, 60)} is no setting of a bundle.`);
}

/** The content of a bundle, checked. */
async function parsed(json: Buffer) {
  try {
    if (countJsonValues(json) > maxValues) throw new Mistake(`it has more than ${maxValues} values`);
    const value = parseJson(json);
    validateBody(bundleJson, value, { quirks: new Set() });
    for (const pem of value.trustedCas) if (!new X509Certificate(pem).ca) throw new Mistake('trustedCas: one is no CA');
    requireRoomFor(value.requests.map(entryOf));
    const wrong = value.faults.map(problemOf).find((problem) => problem !== null);
    if (wrong !== undefined) throw new Mistake(wrong);
    return { ...value, knownState: await stateIn(value.knownState) };
  } catch (error) {
    throw new Mistake(`is damaged: ${oneLine(fileProblem(error), maxProblem)}`);
  }
}

/**
 * What is wrong with an armed fault of a bundle, as the call says it that arms one (rules.md E6c); null if nothing is.
 */
function problemOf(fault: ArmedFault, index: number, all: readonly ArmedFault[]): string | null {
  const at = `faults[${index}]`;
  // A window strikes as often as calls come, and is kept with a count.
  const wrong = contradictionIn(fault.until === undefined ? fault : { ...fault, times: null });
  if (wrong !== null) return `${at}.${wrong.path}: ${wrong.text}`;
  if (fault.remaining > fault.times) return `${at}.remaining: The fault has fewer calls, ${fault.times}.`;
  return all.findIndex(({ id }) => id === fault.id) === index ? null : `${at}.id: Another fault has it.`;
}

/** Maximum length of the text that says what is wrong with a bundle. */
const maxProblem = 1_000;
