import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { isQuirk, type Quirk, quirkNames, quirksJson } from '../../engine/bank/rules/quirk.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { profileSchema } from '../../api/openapi/known-state-schema.ts';
import { isOfPlatform, platformIds } from '../../api/start/platform.ts';
import {
  listedProfiles,
  loadProfile,
  profileIds,
  profileOf,
  quirksOf,
  readConfigOfProfile,
} from '../../api/start/profile.ts';
import { loadPersona } from '../../api/start/fixtures.ts';
import { fileProblem } from '../../api/start/listed-files.ts';
import { BankClient, startTestBank, type TestBank } from '../lab/server.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/* rules.md Q8: profiles. */
const folder = tempFolder();
let bank: TestBank | null = null;
afterEach(async () => {
  await bank?.stop();
  bank = null;
});

const own = {
  id: 'my-bank',
  name: 'My Bank',
  group: 'other',
  quality: 'partial',
  settings: { settlementTimes: ['10:00', '14:00'] },
  quirks: { 'reissued-ids': 'P7D', 'plain-json': true },
  facts: [
    {
      key: 'reissued-ids',
      value: 'P7D',
      source: null,
      sourceDate: null,
      seen: null,
      quality: 'assumed',
      applied: true,
    },
  ],
  unknown: ['the rest'],
};

function written(content: object): string {
  const file = join(folder, 'my-bank.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Keys of the facts from which a quirk follows; an assumed fact has the name of the quirk. */
const basis: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  'status-before-approval': ['statusBeforeApproval'],
  'lenient-headers': ['acceptFixMarkedRequired'],
  'id-lengths': ['transactionIdLength', 'transactionIdPadded'],
  'reissued-ids': ['transactionIdStable'],
  'pending-dates': ['pendingDates'],
  'pending-members': ['pendingMembers'],
  'rewritten-texts': ['textRewritten'],
  'text-forms': ['textPatterns'],
  'structured-references': ['structuredReference'],
  'bank-codes': ['bankTransactionCodes', 'proprietaryBankTransactionCodes', 'bank-codes'],
  counterparty: ['counterpartyMembers'],
  order: ['order'],
  'no-next-link': ['nextLinkMissing'],
  'full-history': ['fullHistoryWindowMinutes'],
  'consent-days': ['consentDays'],
  'details-days': ['unattendedReads', 'details-days'],
  'revoked-403': ['revokedConsent'],
  'no-cards-404': ['cardsMissing'],
  'fee-indicator': ['feeIndicator'],
  'no-status-in-details': ['statusInDetails'],
  'plain-json': ['contentType'],
  'accept-fix-dates': ['acceptFixDefaults', 'acceptFixSent', 'accept-fix-dates'],
  'status-lag': ['statusLag'],
  'sca-query': ['scaRedirect'],
  'own-accounts-at-once': ['ownAccountTransfers'],
  'same-bank-at-once': ['sameBankTransfers'],
  'card-value-dates': ['valueDateRule'],
  'weekend-values': ['valueDateRule'],
  'month-end-bookings': ['weekendRule'],
};

describe('the listed profiles', () => {
  test('Q12: those of the platform were seen on it: not OKQ8, nor a bank whose portal nobody saw', async () => {
    const platform = platformIds();
    expect(platform).toHaveLength(32);
    expect(platform).toEqual(expect.arrayContaining(['bien-sparebank', 'handelsbanken-norge', 'bn-bank']));
    // Banks with published times alone.
    const others = profileIds().filter((id) => !platform.includes(id) && id !== 'every-quirk');
    expect(others).toEqual([
      'bjugn-sparebank',
      'den-gule-banken',
      'gildeskal-sparebank',
      'kvinesdal-sparebank',
      'orskog-sparebank',
      'skagerrak-sparebank',
      'sparebank1-modum',
      'sparebanken-din',
      'voss-sparebank',
    ]);
    for (const profile of await listedProfiles()) expect(isOfPlatform(profile)).toBe(platform.includes(profile.id));
  });

  test.each(profileIds())('%s: name only means that nothing but its identity is known', async (id) => {
    const identity = ['portalHost', 'portalForm', 'bic', 'bicOthers', 'bankRegisterNumbers'];
    const { quality, facts } = await loadProfile(id);
    expect(quality === 'name only').toBe(facts.every(({ key }) => identity.includes(key)));
  });

  test.each(profileIds())(
    '%s: each quirk follows from a fact with a source, and each duration is assumed',
    async (id) => {
      const profile = await loadProfile(id);
      expect(profile.id).toBe(id);
      const applied = profile.facts.filter((fact) => fact.applied);
      for (const name of quirkNames.filter((each) => quirksOf(profile).has(each))) {
        const keys = applied.map(({ key }) => key);
        expect(basis[name]?.filter((key) => keys.includes(key))).not.toEqual([]);
        // Nobody has published how long it takes, but for the time of the whole history.
        if (!/(?:^|:)P/.test(String(profile.quirks[name])) || name === 'full-history') continue;
        expect(applied).toContainEqual(
          expect.objectContaining({ key: name, value: profile.quirks[name], quality: 'assumed', source: null }),
        );
      }
      for (const { source, quality } of profile.facts) expect(source === null).toBe(quality === 'assumed');
      expect(profile.unknown.length).toBeGreaterThan(0);
    },
  );

  test('T4b: the settlement times of a profile are those of its facts', async () => {
    const profiles = (await listedProfiles()).filter(({ settings }) => settings.settlementTimes !== undefined);
    expect(profiles.map(({ id }) => id)).toContain('handelsbanken-norge');
    for (const { settings, facts } of profiles) {
      const published = facts.filter(({ key, applied }) => key === 'settlementTimes' && applied);
      expect(Object.assign({}, ...published.map(({ value }) => value))).toMatchObject(settings.settlementTimes ?? []);
    }
  });

  test.each(profileIds())('%s: of several years the latest fact is applied', async (id) => {
    const { facts } = await loadProfile(id);
    for (const { key, sourceDate } of facts.filter((fact) => fact.applied && fact.sourceDate !== null)) {
      const same = facts.filter((fact) => fact.key === key).map((fact) => fact.sourceDate ?? '');
      expect([key, sourceDate]).toEqual([key, same.toSorted().at(-1)]);
    }
  });

  test.each([
    [
      'sparebank1-sor-norge-sr',
      '38, 42, 43, 45, 49',
      ['full-history', 'revoked-403', 'no-cards-404', 'accept-fix-dates', 'status-lag'],
    ],
    ['sparebanken-ost', '40', ['consent-days']],
    ['sparebank1-sogn-og-fjordane', '44, 46', ['lenient-headers', 'accept-fix-dates']],
    ['skue-sparebank', '39, 44', ['details-days']],
    ['obos-banken', '39, 44', ['details-days']],
    // What is known of its consents and headers is what the document says, or is no quirk.
    ['fana-sparebank', '36, 37, 39', []],
  ])('%s has the quirks of consent, time and failure that were seen at it: register %s', async (id, _lines, wanted) => {
    const lines = [35, 38, 39, 40, 42, 43, 44, 45, 46, 49];
    const on = Object.keys((await loadProfile(id)).quirks).filter(isQuirk);
    const quirks = (await allQuirks()).filter(({ register }) => register.some((line) => lines.includes(line)));
    expect(on.filter((name) => quirks.some((quirk) => quirk.name === name))).toEqual(wanted);
  });

  test('Q8c: every-quirk has each quirk that a bank was seen to have', async () => {
    const seen = (await allQuirks()).filter(({ banks }) => banks.length > 0).map(({ name }) => name);
    expect(Object.keys((await loadProfile('every-quirk')).quirks).toSorted()).toEqual(seen.toSorted());
  });

  test('fixtures/profiles/profile.schema.json is fresh: npm run generate', () => {
    expect(JSON.parse(readFileSync('fixtures/profiles/profile.schema.json', 'utf8'))).toEqual(profileSchema());
  });
});

describe('a wrong profile', () => {
  const [fact] = own.facts;
  test.each([
    [
      { facts: [{ ...fact, quality: 'inferred' }] },
      'facts[0].source: The fact has no source. Write one, or the quality assumed.',
    ],
    [{ facts: [{ ...fact, source: 'a page' }] }, /A fact with a source is not assumed/],
    [{ facts: [{ ...fact, source: '' }] }, /facts\[0\]\.source/],
    [{ quirks: { ordr: true } }, 'quirks: there is no quirk ordr; the nearest is order'],
    [{ quirks: { 'reissued-ids': 'P1M' } }, /reissued-ids: expected/],
    [{ settings: { settlementTimes: ['14:00', '10:00'] } }, /settings\.settlementTimes/],
    [{ settings: { settlementTime: [] } }, /settlementTimes/],
    [
      { settings: { settlementTimes: { corporate: ['14:00', '10:00'] } } },
      /settings\.settlementTimes: settlement time of corporate/,
    ],
    [{ quality: 'good' }, /quality/],
  ])('%j', async (changes, said) => {
    const problem = await profileOf({ ...own, ...changes }).then(() => null, fileProblem);
    if (typeof said === 'string') expect(problem).toBe(said);
    else expect(problem).toMatch(said);
  });

  test('an unknown id names the nearest', async () => {
    await expect(loadProfile('bien-sparbank')).rejects.toThrow(
      'there is no profile bien-sparbank; the nearest is bien-sparebank, and docs/banks.md has all',
    );
    for (const id of ['sparebank1-smn', 'sparebank1-hallingdal'])
      await expect(loadProfile(id)).rejects.toThrow(`there is no profile ${id}; there are `);
    await expect(loadProfile('sparebank1-ostland')).rejects.toThrow('the nearest is sparebank1-ostlandet');
    await expect(loadPersona('famly')).rejects.toThrow(
      'there is no persona famly; the nearest is family, and docs/life.md has all',
    );
    await expect(loadProfile('./none.json')).rejects.toThrow(
      'the profile ./none.json cannot be used: there is no such file or folder',
    );
    // In a test of jest the system's errors are of another realm than its modules.
    const foreign: unknown = runInNewContext("Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' })");
    expect(fileProblem(foreign)).toBe('there is no such file or folder');
  });
});

test.each<readonly [wrong: string, files: Readonly<Record<string, unknown>>, said: string]>([
  [
    'two profiles of one id',
    { 'my-bank': own, 'my-bank-2': own },
    'two profiles have the id "my-bank", my-bank.json and my-bank-2.json in fixtures/profiles',
  ],
  ['another name', { mine: own }, 'fixtures/profiles/mine.json has the id "my-bank": a file has the name of its id'],
  [
    'no profile',
    { mine: [] },
    'fixtures/profiles/mine.json is no profile: --profile fixtures/profiles/mine.json says why',
  ],
])('a platform with %s does not start', (_wrong, files, said) => {
  const profiles = mkdtempSync(join(folder, 'platform-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(profiles, `${name}.json`), JSON.stringify(content));
  expect(() => platformIds(pathToFileURL(`${profiles}/`))).toThrow(new Mistake(said));
});

describe('settings', () => {
  test('a file: its settings and quirks, under those of flags', async () => {
    const file = written({ $schema: './profile.schema.json', ...own });
    const config = await readConfigOfProfile({}, [`--profile=${file}`, '--quirks=order,-plain-json']);
    expect([config.settlementTimes, quirksJson(config.quirks), config.profile?.name]).toEqual([
      { private: ['10:00', '14:00'], corporate: ['10:00', '14:00'] },
      { 'reissued-ids': 'P7D', order: 'posting' },
      'My Bank',
    ]);
    const flags = [`--profile=${file}`, '--settlement-times=12:00'];
    const { settlementTimes } = await readConfigOfProfile({}, flags);
    expect(settlementTimes).toEqual({ private: ['12:00'], corporate: ['12:00'] });
    expect((await readConfigOfProfile({ SANDBANK_PROFILE: file }, [])).profile?.id).toBe('my-bank');
    expect((await readConfigOfProfile({}, [])).profile).toBe(null);
  });

  test('createBank takes an id, a path or an object', async () => {
    for (const profile of ['bien-sparebank', written(own), own]) {
      await using bank = await createBank({ profile, quirks: { order: true } });
      const { quirks: shown } = await bank.info();
      const on = shown.filter(({ on }) => on).map(({ name }) => name);
      expect(on).toContain('order');
      expect(on.length).toBeGreaterThan(2);
    }
    await expect(createBank({ profile: 'bien' })).rejects.toThrow('createBank: there is no profile bien; ');
    await expect(createBank({ profile: { ...own, name: 7 } })).rejects.toThrow(
      /^createBank: the profile cannot be used: name: /,
    );
  });

  test('over HTTP a listed id or an object, never a path; GET /sandbox/profile tells it', async () => {
    bank = await startTestBank('2027-03-24', ['--cut-offs=sepa=14:30']);
    const { address } = bank;
    const control = (...call: Parameters<TestBank['control']>) => new BankClient(address).control(...call);
    expect((await control('GET', '/sandbox/profile')).body).toMatchObject({ id: null, quirks: {}, facts: [] });
    const make = (name: string, profile: unknown) => control('POST', '/sandbox/banks', { name, profile });
    expect((await make('b', 'bien-sparebank')).body.quirks).toContain('pending-dates=both');
    expect((await control('GET', '/banks/b/sandbox/profile')).body).toMatchObject({
      id: 'bien-sparebank',
      group: 'Eika',
      unknown: expect.arrayContaining(['the times of its runs and its cut-offs']),
    });
    expect((await make('own', own)).status).toBe(200);
    expect((await control('GET', '/banks/own/sandbox/info')).body.configuration).toMatchObject({
      settlementTimes: ['10:00', '14:00'],
      // The profile leaves them out, so that the server's hold.
      cutOffs: { sepa: '14:30' },
      profile: 'my-bank',
    });
    const refused = await make('no', written(own));
    expect([refused.status, refused.body.errors[0].path, refused.body.allowed]).toEqual([400, 'profile', profileIds()]);
    const wrong = await make('no', { ...own, facts: [{ ...own.facts[0], quality: 'inferred' }] });
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'profile.facts[0].source']);
  });
});

test('quirks of a profile are quirks', async () => {
  for (const id of profileIds()) {
    for (const name of Object.keys((await loadProfile(id)).quirks)) expect(isQuirk(name)).toBe(true);
  }
});
