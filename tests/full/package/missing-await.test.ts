import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { createBank } from '../../../api/harness/index.ts';
import { noCompileCache } from '../../support/kept.ts';
import { builtDist } from './built.ts';
import { nora, stranger, wednesday } from '../../harness/harness-bank.ts';

/* What a forgotten await does to the test run of somebody else: a jest of its own, in a folder of its own. */
const folder = tempFolder();
let harness: string;
beforeAll(async () => {
  harness = join(await builtDist(), 'api/harness');
}, 120_000);

const head = () => `
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createBank } from '${harness}/index.mjs';
import '${harness}/jest.mjs';
let bank;
beforeAll(async () => {
  bank = await createBank({ now: '${wednesday}' });
});
beforeEach(() => bank.reset());
afterAll(() => bank.close());
`;

/** Runs one jest over the tests, each in a file of its own, and gives what it says. */
async function jestOf(tests: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, `${name}.test.mjs`), head() + text);
  const config = {
    rootDir: folder,
    testMatch: ['<rootDir>/*.test.mjs'],
    testTimeout: 30_000,
    transform: {},
    moduleNameMapper: { '^@jest/globals$': resolve('node_modules/@jest/globals') },
  };
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
  // In its own process: with workers jest would report the death of one as a failed file.
  const args = [resolve('node_modules/jest/bin/jest.js'), '--runInBand', '--config', 'jest.config.json'];
  const env = { ...process.env, ...noCompileCache, FORCE_COLOR: '0', NODE_OPTIONS: '--experimental-vm-modules' };
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, out, err) => done(out + err));
  });
}

test('a matcher without await fails its file with the call and its line, and jest goes on to its end', async () => {
  const said = await jestOf({
    account: `test('no await', async () => {
  expect(bank.account('${nora.bban}')).toHaveBalance('NOK 1.00');
});`,
    payment: `test('no await', async () => {
  const payment = await bank.tpp().pay({ from: '${nora.bban}', to: '${stranger}', amount: '1.00' });
  expect(bank.payments(payment)).toSettleOn('2027-03-25');
});
test('the next one', async () => {
  expect((await bank.clock.now()).slice(0, 10)).toBe('2027-03-24');
});`,
    pay: `test('no await', async () => {
  bank.tpp().pay({ from: '${nora.bban}', to: '${stranger}', amount: '1.00' });
});`,
  });
  expect(said).toContain('Test Suites: 3 failed, 3 total');
  expect(said).toContain('bank.close() came while account 09232911044 was under way. An await is missing before it');
  expect(said).toMatch(/bank\.reset\(\) came while GET \/sandbox\/payments\/.* was under way/);
  expect(said).toContain('bank.close() came while tpp.pay was under way');
  const lines = said.match(/(?<=at .*)(?:account|payment)\.test\.mjs:\d+/g);
  expect(lines).toEqual(expect.arrayContaining(['account.test.mjs:12', 'payment.test.mjs:13']));
}, 60_000);

test('whoever handles the failure hears of it, and close ends after it', async () => {
  const bank = await createBank({ now: wednesday });
  const said: string[] = [];
  const reading = bank.clock.now().catch((error: unknown) => said.push((error as Error).message));
  await bank.close();
  expect(said).toEqual([
    expect.stringMatching(/^bank\.close\(\) came while GET \/sandbox\/clock was under way\. An await is missing/),
  ]);
  await reading;
  await expect(bank.account(nora.bban)).rejects.toThrow(
    'The bank was closed, and then asked for account 09232911044. An await is missing before it',
  );
});

test('restore and reset fail what is under way, and then answer', async () => {
  const bank = await createBank({ now: wednesday });
  await bank.snapshot();
  for (const back of [bank.restore, bank.reset]) {
    const reading = bank.account(nora.bban).catch((error: unknown) => (error as Error).message);
    await back();
    expect(await reading).toMatch(/^bank\.(?:restore|reset)\(\) came while account/);
    expect(await bank.clock.now()).toBe('2027-03-24T12:00:00.000+01:00');
  }
  await bank.close();
});
