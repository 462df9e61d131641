import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { commands } from '../../scripts/commands/index.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'demo' });
});

const run = (...args: string[]) => runMain(args, { env: { BANK: bank.address } });

test.each([[['version']], [['--version']], [['-v']]])('%j tells the version', async (args) => {
  const text = `sandbank ${packageJson.version} (node ${process.version})`;
  expect(await run(...args)).toMatchObject({ code: 0, lines: [text] });
  const { lines } = await run(...args, '--json');
  expect(JSON.parse(lines.join('\n'))).toEqual({
    name: 'sandbank',
    version: packageJson.version,
    node: process.version,
  });
});

test('help names each command; help COMMAND explains one, as COMMAND --help does', async () => {
  const all = (await run('help')).lines.join('\n');
  for (const name of commands.keys()) expect(all).toContain(`\n  ${name} `);
  expect(await run('help', 'pay')).toEqual(await run('pay', '--help'));
  expect(await run('--help')).toEqual(await run('help'));
});

describe('a slip is answered with what was meant', () => {
  test.each<[string[], number, string]>([
    [['--verison'], 2, '--verison is no flag here'],
    [['--prot', '1'], 2, '--prot is no flag here; the nearest is --port ('],
    [['bank', 'create', 'x', '--now', '2027-01-01'], 2, '--now is no flag here; the nearest is --clock-now ('],
    [['bank', 'add', 'demo'], 2, '"add" is no verb of bank; expected one of list, create, remove'],
    [['snapshot', 'delete', 'x'], 2, '"delete" is no verb of snapshot; expected one of save, list, restore, remove ('],
    [['reset', '--now', 'soon'], 1, 'refused (400): '],
    [['reset', '2027-01-01'], 2, '"2027-01-01" is one word too many ('],
    [['ready', '--bank', 'nope'], 1, 'not ready: the server at http'],
  ])('%j', async (args, code, text) => {
    const ended = await run(...args);
    expect([ended.code, [...ended.errors, ...ended.lines].join('\n')]).toEqual([code, expect.stringContaining(text)]);
  });
});

describe('what was a slip is understood', () => {
  test('a frequency in any case', async () => {
    const dates = (frequency: string) => run('next-dates', '--start', '2027-01-31', '--frequency', frequency);
    expect(await dates('monthly')).toEqual(await dates('Monthly'));
    expect((await dates('monthly')).code).toBe(0);
  });

  test.each([
    [['--now', '2027-01-01'], '2027-01-01T00:00:00.000+01:00'],
    [['--now=2027-06-01T12:00:00+02:00'], '2027-06-01T12:00:00.000+02:00'],
  ])('reset %j', async (args, now) => {
    expect((await run('reset', ...args)).code).toBe(0);
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(now);
  });

  test('ready --bank of a bank that there is', async () => {
    expect(await run('ready', '--bank', 'demo')).toMatchObject({ code: 0, lines: ['ready'] });
  });
});

test.each<[command: string, env: Record<string, string>, kept: string | null]>([
  ['reset', { npm_config_port: '9000' }, '--port'],
  ['reset', { npm_config_bank: 'true' }, '--bank'],
  ['serve', { npm_config_port: 'true', npm_config_clock_now: 'true' }, '--port --clock-now'],
  // Of npm itself: a file .npmrc may have it.
  ['certificate', { npm_config_key: 'x.pem', npm_config_name: '' }, null],
  ['reset', { npm_config_port: '9000', npm_package_name: 'shop' }, null],
])('a flag that npm keeps for itself is told, and nothing is done: %s %j', async (command, env, kept) => {
  const { errors } = await runMain([command], {
    env: { BANK: 'http://127.0.0.1:1', npm_package_name: 'sandbank', ...env },
  });
  const told = errors.join().startsWith(`npm kept ${kept ?? ''} for itself: write -- before the first flag`);
  expect(told).toBe(kept !== null);
});

test('a -- right behind the command, which npm takes away and npx passes on, says nothing', async () => {
  const dates = ['--start', '2027-01-31', '--frequency', 'Monthly'];
  expect(await run('next-dates', '--', ...dates)).toEqual(await run('next-dates', ...dates));
  const env = { BANK: bank.address, SANDBANK_LEDGER: join(folder, 'ledger.sqlite') };
  const signing = ['sign', '--', 'POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'];
  const picked = await runMain(signing, { env });
  expect([picked.code, picked.lines]).toEqual([0, [expect.stringContaining('/sca/')]]);
  expect(await run('--', '--port', 'x')).toEqual(await run('--port', 'x'));
  expect(await run('--', '--bank', 'demo', 'payments')).toEqual(await run('--bank', 'demo', 'payments'));
});
