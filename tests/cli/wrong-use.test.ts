import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommandFailed } from '../../scripts/cli/command.ts';
import { writing } from '../../scripts/cli/file-input.ts';
import { optionsOf } from '../../scripts/cli/arguments.ts';
import { allCommands } from '../../scripts/commands/index.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'sandbank-wrong-'));
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  process.chdir(folder);
  mkdirSync('a-folder');
  writeFileSync('a-file', 'no PEM');
});
afterAll(async () => {
  process.chdir(home);
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

/** The least words with which a command runs. */
const least: Readonly<Record<string, readonly string[]>> = {
  play: ['easter'],
  advance: ['P1D'],
  forecast: ['P1D'],
  account: ['1'],
  life: ['list'],
  snapshot: ['list'],
  bank: ['list'],
  bundle: ['save', 'x'],
  'next-dates': ['--start', '2027-01-31', '--frequency', 'Monthly'],
  sign: ['GET', '/v1/accounts'],
  doctor: ['a-file'],
};
const all = await allCommands();

describe('exit codes and errors are the same for every command', () => {
  test.each(all)(
    '$name: help is 0; a wrong flag, value or word is 2, in one line',
    async ({ name, flags, words = [0, 0] }) => {
      expect((await runMain([name, '--help'])).code).toBe(0);
      const wrong: [string[], string][] = [[['--nope'], '--nope is no flag here']];
      const valued = optionsOf(flags).find((option) => option.required);
      if (valued !== undefined) {
        const flag = `--${valued.name()}`;
        wrong.push([[flag], `${flag} has no value`]);
        wrong.push([[flag, '--nope'], `${flag} has no value; if "--nope" is meant as one, write ${flag}=--nope`]);
        wrong.push([[`${flag}=`], `${flag} is empty`]);
      }
      wrong.push([['-Z'], '-Z is no flag here']);
      // gauntlet writes it to a file.
      if ('--json' in flags) wrong.push([['--json=yes'], '--json takes no value']);
      if (Number.isFinite(words[1])) {
        const most = Array.from({ length: words[1] }, () => 'P1D');
        wrong.push([[...most, 'more'], '"more" is one word too many']);
      }
      for (const [args, text] of wrong) {
        const { code, lines, errors } = await runMain([name, ...args]);
        expect({ args, code, lines, errors }).toEqual({
          args,
          code: 2,
          lines: [],
          errors: [`${text} (sandbank ${name} --help shows how to use this)`],
        });
        const json = await runMain([name, '--json', ...args]);
        expect([json.code, json.lines, json.errors.map((line) => JSON.parse(line))]).toEqual([
          2,
          [],
          [{ detail: errors[0] }],
        ]);
      }
    },
  );

  const asking = all.filter(
    ({ settings, name }) =>
      settings !== 'all' && !['proxy', 'demo', 'pay', 'open', 'drift', 'gauntlet', 'mcp'].includes(name),
  );
  test.each(asking)('$name: no server is 1', async ({ name }) => {
    const { code, lines, errors } = await runMain([name, ...(least[name] ?? [])], {
      env: { BANK: 'http://127.0.0.1:1' },
    });
    expect([code, [...lines, ...errors].length]).toEqual([1, 1]);
    const json = await runMain([name, ...(least[name] ?? []), '--json'], { env: { BANK: 'http://127.0.0.1:1' } });
    expect(json.code).toBe(1);
    expect(JSON.parse([...json.lines, ...json.errors].join('\n'))).toHaveProperty('detail');
  });
});

describe('texts of ours, not of Node', () => {
  test.each<[string[], number, string]>([
    [['advance', '--runs', '-1'], 1, 'refused (400): -1 is refused: expected a whole number'],
    [['advance', '--runs', '1.5'], 1, 'refused (400): "1.5" is a string: expected a whole number'],
    [['advance', '-1'], 1, 'refused (400): "-1" is refused: expected a date-time'],
    [['advance'], 2, 'give one of INSTANT, DURATION, --runs N, --until PAYMENT=STATUS'],
    [['forecast', ''], 1, 'refused (400): to is missing: expected a date'],
    [['requests', '--limit', '-1'], 1, 'refused (400): limit is "-1"'],
    [['requests', '--limit', 'x'], 1, 'refused (400): limit is "x"'],
    [['requests', ''], 2, '"" is no name'],
    [['snapshot', 'save', ''], 1, 'refused (400): '],
    [['bank', 'remove', ''], 2, '"" is no name'],
    [['ready', '--port', '-1'], 2, '--port is "-1": expected a port from 0 to 65535'],
    [['ready', '--host', ''], 2, '--host is "": it is empty'],
    [['serve', '--port=x'], 2, '--port is "x": expected a port from 0 to 65535'],
    [['serve', '--host', '127.0.0.2:9023'], 2, '--host is "127.0.0.2:9023": expected a name or an address'],
    [['ready', '--host', '[::1]'], 2, '--host is "[::1]": expected a name or an address'],
    [['sign', 'GET', '/v1/accounts', '--host', 'http://127.0.0.2'], 2, '--host is "http://127.0.0.2": expected a name'],
    [['serve', '--hard'], 2, '--hard is no flag here ('],
    [
      ['sign', 'GET', '/v1/accounts', '-d', '@nofile'],
      2,
      '--data @nofile cannot be read: there is no such file or folder',
    ],
    [['sign', 'POST', '/v1/accounts', '-d', '@a-folder'], 2, '--data @a-folder cannot be read: it is a folder'],
    [
      ['sign', 'GET', '/v1/accounts', '--tpp', '../x'],
      2,
      '"../x" is no name for a TPP: use letters, digits and hyphens',
    ],
    [['sign', 'G T', '/v1/accounts'], 2, '"G T" is no method: expected one such as GET or POST'],
    [['sign', 'CONNECT', '/v1/accounts'], 2, '"CONNECT" is no method: expected one such as GET or POST'],
    [['sign', 'GET', 'http://['], 2, '"http://[" is no path and no address'],
    [['sign', 'GET', '/x', '-H', 'x: a\nb'], 2, '-H "x: a\\nb" has a character that no header can carry'],
    [['sign', 'GET', '/x', '--date', '-1'], 2, '--date is "-1": expected an instant such as 2027-03-24T12:00:00Z'],
    [['sign', 'GET', '/x', '--print', '--http'], 2, 'give one of --print, --http and --json'],
    [['sign', 'GET', '/x', '--print', '--json'], 2, 'give one of --print, --http and --json'],
    [['doctor', 'nofile'], 2, 'nofile cannot be read: there is no such file or folder'],
    [['doctor', 'a-folder'], 2, 'a-folder cannot be read: it is a folder'],
    [['proxy', '--cert', 'a-folder', '--key', 'a-file'], 2, '--cert a-folder cannot be read: it is a folder'],
    [['proxy', '--cert', 'a-file', '--key', 'a-file'], 2, '--cert a-file cannot be used: '],
    [['proxy', '--port', '-1'], 2, '--port is "-1": expected a port such as 8731'],
    [['certificate', '--out', 'a-file'], 1, '"a-file" cannot be used: it is a file'],
    [['certificate', '--fault', '-1'], 1, 'refused (400): There is no fault "-1"'],
    [
      ['next-dates', '--start', '2027-01-31', '--frequency', 'Monthly', '--count', '-1'],
      1,
      'refused (400): count is "-1"',
    ],
  ])('%j', async (args, code, text) => {
    const ended = await runMain(args, { env: { BANK: bank.address } });
    const said = ended.errors.map((line) => (line.startsWith('{') ? String(JSON.parse(line).detail) : line));
    expect([ended.code, ended.lines, said[0]?.slice(0, text.length)]).toEqual([code, [], text]);
  });

  test('a file that may not be read, where that can be', async () => {
    writeFileSync('secret', 'x', { mode: 0 });
    if (process.getuid?.() === 0) return;
    const { code, errors } = await runMain(['doctor', 'secret'], { env: { BANK: bank.address } });
    expect([code, errors[0]]).toEqual([2, expect.stringContaining('secret cannot be read: no permission')]);
  });

  test('a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    const { code, errors } = await runMain(['proxy', '--port', String(port), '--target', bank.address]);
    const [line = '', ...more] = errors;
    expect([code, more]).toEqual([1, []]);
    expect(line).toContain(`127.0.0.1:${port} is taken: choose another with --port, such as `);
    taken.close();
  });

  test.each([
    [['serve', '--ledger', ':memory:', '--port', '0', '--fixtures', 'nofile']],
    [['proxy', '--host', 'nope.invalid', '--port', '1']],
  ])('%j does not start, and listens to no signal and no error any more', async (args) => {
    const counts = () => ['SIGTERM', 'SIGINT', 'uncaughtException'].map((name) => process.listenerCount(name));
    const before = counts();
    expect((await runMain(args)).code).toBeGreaterThan(0);
    expect(counts()).toEqual(before);
  });

  test('the last value of a repeated flag wins', async () => {
    const { code, errors } = await runMain(['gauntlet', '--jobs', '1', '--jobs', 'x', '--', 'node']);
    expect([code, errors[0]]).toEqual([2, expect.stringContaining('--jobs is "x"')]);
  });

  test('gauntlet says on a terminal that it begins', async () => {
    const { errors } = await runMain(['gauntlet', '--', 'node', '-e', '0'], { isInteractive: true });
    expect(errors[0]).toBe('Running the tests twice as they are ...');
  });

  test('certificate --fault nope shows every fault', async () => {
    const { certificateFaults } = await import('../../api/signing/certificate-kit.ts');
    const { errors } = await runMain(['certificate', '--fault', 'nope'], { env: { BANK: bank.address } });
    expect(errors[1]).toBe(`allowed: ${Object.keys(certificateFaults).join(', ')}`);
  });
});

(existsSync('/dev/full') ? test : test.skip)(
  'a full disk is told of the file that was written, though the system names none',
  async () => {
    await expect(writing('/dev/full', () => writeFileSync('/dev/full', 'x'))).rejects.toThrow(
      new CommandFailed('"/dev/full" cannot be used: the disk is full'),
    );
  },
);
