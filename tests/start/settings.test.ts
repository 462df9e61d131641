import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { connectBank, createBank, openPlatform } from '../../api/harness/index.ts';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { keptSettings, readConfig, readKept } from '../../api/start/config.ts';
import { settingText } from '../../api/start/setting-forms.ts';
import { configuration, profileSettings, shownSettings } from '../../api/start/setting-schemas.ts';
import { bankSettings, settings } from '../../api/start/settings.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* One entry of the table of settings gives all that is said of a setting. */

/** A value of each setting of a bank as JSON: the example of its form. */
const own = Object.fromEntries(bankSettings.map(({ key, form }) => [key, Object(form.schema).examples?.[0]]));
const names = Object.keys(own);

const profile = {
  id: 'my-bank',
  name: 'My Bank',
  group: 'other',
  quality: 'partial',
  settings: own,
  quirks: {},
  facts: [],
  unknown: ['the rest'],
};

const folder = tempFolder();
let bank: TestBank | null = null;
afterEach(async () => {
  await bank?.stop();
  bank = null;
});

async function start(...flags: readonly string[]): Promise<TestBank> {
  bank = await startTestBank('2027-03-24', flags);
  return bank;
}

test('every setting of a bank has an example, which is not its default', () => {
  const usual = readConfig({}, []);
  for (const { key, form } of bankSettings) {
    expect([key, own[key]]).toEqual([key, expect.anything()]);
    expect(own[key]).not.toEqual(form.json(usual[key]));
  }
});

describe('a form', () => {
  // What the profile names is loaded before the settings are read.
  const forms = settings.filter(({ key }) => key !== 'profile');
  test.each(forms)('$key: what is written of its default is read again', ({ key, form, flag, default: usual }) => {
    const config = readConfig({}, []);
    const text = settingText(form.json(config[key]));
    expect(readConfig({}, [`--${flag}=${text}`])[key]).toEqual(config[key]);
    expect(form.read(usual)).toEqual({ ok: true, value: config[key] });
  });

  test.each(['constructor', 'toString', '__proto__', 'ON', '2'])('of a switch reads no %s', (text) => {
    const switches = settings.filter(({ form }) => Object(form.schema).type === 'boolean');
    expect(switches.length).toBeGreaterThan(0);
    for (const { flag } of switches) expect(() => readConfig({}, [`--${flag}=${text}`])).toThrow(/expected 1 or 0/);
  });

  test('reads a text and JSON alike', () => {
    const flags = bankSettings.map(({ key, flag }) => `--${flag}=${settingText(own[key])}`);
    const config = readConfig({}, flags);
    expect(Object.fromEntries(bankSettings.map(({ key, form }) => [key, form.json(config[key])]))).toEqual(own);
    expect(readConfig({}, [], profile as never)).toMatchObject(
      Object.fromEntries(names.map((name) => [name, config[name as keyof typeof config]])),
    );
    validateBody(profileSettings, parseJson(Buffer.from(JSON.stringify(own))), { quirks: new Set() });
    const shown = Object.fromEntries(shownSettings.map(({ key, name, json }) => [name, json(config[key])]));
    validateBody(configuration, shown, { quirks: new Set() });
  });

  test('what is kept of a bank is read again; a setting that an older file lacks is not there', () => {
    const config = readConfig(
      {},
      bankSettings.map(({ key, flag }) => `--${flag}=${settingText(own[key])}`),
    );
    const kept = keptSettings(config, 'clockNow');
    const { quirks, fixtures, clockNow } = config;
    const ofBank = Object.fromEntries(names.map((name) => [name, config[name as keyof typeof config]]));
    expect(readKept(kept)).toEqual({ ...ofBank, quirks, fixtures, clockNow });
    const { SANDBANK_CUT_OFFS: _newer, ...older } = kept;
    expect(readKept(older)).not.toHaveProperty('cutOffs');
  });
});

describe('a setting of a bank is', () => {
  test('an option of createBank', async () => {
    await using given = await createBank(own);
    expect((await given.info()).configuration).toMatchObject(own);
    await using merged = await createBank({ profile, cutOffs: { foreign: '12:00' } });
    expect((await merged.info()).configuration).toMatchObject({ ...own, cutOffs: { foreign: '12:00' } });
  });

  test('none of openPlatform: each bank has its own', async () => {
    await expect(openPlatform(own as never)).rejects.toThrow('openPlatform has no option settlementTimes');
  });

  test('a member of POST and PUT /sandbox/banks, over the profile and the server', async () => {
    const at = await start('--fx-fixings=08:00');
    expect((await at.control('POST', '/sandbox/banks', { name: 'all', ...own })).status).toBe(200);
    expect(await shown(at, 'all')).toMatchObject(own);
    const { fxFixings: _left, ...some } = own;
    const one = { profile: { ...profile, settings: some }, cutOffs: { foreign: '12:00' } };
    expect((await at.control('PUT', '/sandbox/banks/one', one)).status).toBe(201);
    expect(await shown(at, 'one')).toMatchObject({ ...some, cutOffs: { foreign: '12:00' }, fxFixings: ['08:00'] });
    expect((await at.control('PUT', '/sandbox/banks/one', one)).status).toBe(200);
    expect((await at.control('PUT', '/sandbox/banks/one', { ...one, cutOffs: { foreign: '12:30' } })).status).toBe(409);
  });

  test('an option of connectBank', async () => {
    const at = await start();
    const connected = await connectBank(at.address, { name: 'two', ...own });
    expect((await connected.info()).configuration).toMatchObject(own);
  });

  test('a flag of `sandbank bank create`', async () => {
    const at = await start();
    const flags = bankSettings.map(({ key, flag }) => `--${flag}=${settingText(own[key])}`);
    const { code } = await runMain(['bank', 'create', 'three', ...flags], { env: { BANK: at.address } });
    expect(code).toBe(0);
    expect(await shown(at, 'three')).toMatchObject(own);
  });

  test('K18d: kept in the file of a bank over a restart; for an older file the server decides', async () => {
    const banks = join(folder, 'banks');
    let at = await start(`--banks=${banks}`);
    await at.control('POST', '/sandbox/banks', { name: 'kept', ...own });
    await at.stop();
    at = await start(`--banks=${banks}`, '--cut-offs=sepa=10:00');
    expect(await shown(at, 'kept')).toMatchObject(own);
    await at.stop();
    // As a file of a version that did not have the setting: the server's holds.
    const file = join(banks, 'kept.json');
    const record = JSON.parse(readFileSync(file, 'utf8'));
    delete record.settings.SANDBANK_CUT_OFFS;
    writeFileSync(file, JSON.stringify(record));
    at = await start(`--banks=${banks}`, '--cut-offs=sepa=10:00');
    expect(await shown(at, 'kept')).toMatchObject({ ...own, cutOffs: { sepa: '10:00' } });
  });
});

describe('a wrong setting of a bank is refused by its name', () => {
  test.each([
    ['settlementTimes', { privat: ['05:30'] }, /privat/],
    ['settlementTimes', ['14:00', '10:00'], /10:00 follows 14:00; sort them/],
    ['cutOffs', { straks: '14:00' }, /"straks" is not one of domestic/],
    ['earlyClose', { friday: '12:00' }, /"friday" names no day/],
    ['fxFixings', ['2:30'], /"2:30" is not HH:MM/],
  ] as const)('%s %j', async (name, value, said) => {
    const problem = await createBank({ [name]: value }).then(
      () => 'a bank',
      (error: unknown) => (error as Error).message,
    );
    expect(problem).toMatch(said);
    expect(problem).toMatch(new RegExp(`^createBank: ${name} is "`));
    const at = await start();
    const { status, body } = await at.control('POST', '/sandbox/banks', { name: 'no', [name]: value });
    expect([status, body.errors[0].path]).toEqual([400, name]);
    expect(body.errors.map(({ detail }: { detail: string }) => detail).join(' ')).toMatch(said);
  });
});

/** The configuration of a named bank. */
async function shown(at: TestBank, name: string): Promise<unknown> {
  return (await at.control('GET', `/banks/${name}/sandbox/info`)).body.configuration;
}
