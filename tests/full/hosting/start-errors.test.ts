import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { readConfig } from '../../../api/start/config.ts';
import { openConfiguredBank } from '../../../api/hosting/open-configured-bank.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { migrationTable } from '../../../engine/ledger/schema.ts';
import { describeNotRoot, notRoot } from '../../support/not-root.ts';
import { program } from '../../support/program.ts';
import { Mistake } from '../../../engine/values/mistake.ts';

const run = promisify(execFile);
interface Ended {
  readonly code: number;
  readonly stderr: string;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a start says that cannot be; in vain when it can. */
async function startProblem(...flags: string[]): Promise<string> {
  try {
    const all = ['--port', '0', '--ledger', join(folder, 'ledger.sqlite'), '--log-level', 'silent', ...flags];
    await (await startServer(readConfig({}, all))).stop();
  } catch (error) {
    if (error instanceof Mistake) return error.message;
    throw error;
  }
  return 'it starts';
}

describe('a setting that cannot be is one line, before anything is made', () => {
  test.each([
    ['--clock-now', '2199-01-01', 'from 1990 to 2099'],
    ['--clock-now', '0001-01-01', 'from 1990 to 2099'],
    ['--clock-now', '2100-01-01', 'from 1990 to 2099'],
    ['--public-url', 'http://a b"<', 'http:// or https:// and a host'],
    ['--public-url', 'http://a:99999', 'http:// or https:// and a host'],
    ['--public-url', 'https://blåbær.example/x', 'in punycode it is xn--blbr-roah.example'],
    ['--allowed-hosts', 'blåbær.example:80', 'in punycode it is xn--blbr-roah.example'],
    ['--host', 'blåbær.example', 'in punycode it is xn--blbr-roah.example'],
    ['--control-token', 'two words', 'printable ASCII characters without blanks'],
    ['--control-token', 'pæl', 'printable ASCII characters without blanks'],
    ['--control-token', 'fifteen-letters', 'it has 15 characters'],
    ['--allowed-hosts', 'https://x y', 'host names'],
    ['--allowed-hosts', 'a.example,b/c', 'host names'],
  ])('%s %s', (flag, value, problem) => {
    expect(() => readConfig({}, [flag, value])).toThrow(Mistake);
    expect(() => readConfig({}, [flag, value])).toThrow(problem);
  });

  test.each([
    ['--clock-now', '2099-12-31'],
    ['--public-url', 'https://sandbank.example:8443/base/'],
    ['--public-url', 'http://[::1]:7263'],
    ['--control-token', 'abc-._~+/=012345'],
    ['--allowed-hosts', 'sandbank, sandbank_1:7263, [::1]'],
  ])('%s %s can be', (flag, value) => {
    expect(() => readConfig({}, [flag, value])).not.toThrow();
  });
});

test('C3: no error text repeats a control token', () => {
  for (const token of ['too-short', 'two words of a long token', 'x'.repeat(15)]) {
    for (const [env, flags] of [
      [{ SANDBANK_CONTROL_TOKEN: token }, []] as const,
      [{}, ['--control-token', token]] as const,
    ]) {
      expect(() => readConfig(env, flags)).toThrow(Mistake);
      expect(() => readConfig(env, flags)).not.toThrow(token);
    }
  }
});

describe('what the start meets is one line that names it', () => {
  test.each([
    [
      'a host that has no address',
      ['--host', 'nope.invalid'],
      /cannot listen on nope\.invalid:0 \(E\w+\): --host, or the variable HOST, names the address/,
    ],
    ['a folder that is a file', ['--ledger', '/etc/passwd/x.sqlite'], /the folder \/etc\/passwd .*\(ENOTDIR|EEXIST\)/],
    [
      'a folder that cannot be made',
      ['--ledger', '/proc/foo/sub/x.sqlite'],
      /the folder \/proc\/foo\/sub .*\(ENOENT\)/,
    ],
    ['its own CA too', ['--ledger', '/proc/foo/x.sqlite', '--tpp-trust', 'ca'], /the folder \/proc\/foo /],
    ['a place where no file can be made', ['--ledger', '/proc/x.sqlite'], /the ledger \/proc\/x\.sqlite cannot be/],
  ])('%s', async (_what, flags, problem) => {
    expect(await startProblem(...flags)).toMatch(problem);
  });

  test('a ledger that is a folder', async () => {
    expect(await startProblem('--ledger', folder)).toMatch(/cannot be opened or made/);
  });

  test('a file that is no ledger', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'no ledger, and longer than the header of one would be'.repeat(40));
    expect(await startProblem('--ledger', file)).toMatch(/notes\.txt is no ledger: choose another/);
    const bundle = join(folder, 'kept.sandbank');
    writeFileSync(bundle, `sandbank-bundle 1 0.1.0 ${'0'.repeat(1000)}`);
    expect(await startProblem('--ledger', bundle)).toMatch(
      /kept\.sandbank is no ledger, but a bundle: open it with `sandbank open`/,
    );
  });

  test('a database of another program', async () => {
    const file = join(folder, 'other.sqlite');
    const other = new BetterSqlite3(file);
    other.exec('create table account (id integer)');
    other.close();
    expect(await startProblem('--ledger', file)).toMatch(/other\.sqlite cannot be brought up to date/);
  });

  test('a ledger that a newer Sandbank has written', async () => {
    const file = join(folder, 'newer.sqlite');
    const flags = ['--ledger', file];
    expect(await startProblem(...flags)).toBe('it starts');
    const newer = new BetterSqlite3(file);
    newer.exec(`insert into kysely_migration (name, timestamp) values ('999-later', '2099-01-01')`);
    newer.close();
    expect(await startProblem(...flags)).toMatch(
      /newer\.sqlite cannot be brought up to date: a newer version of Sandbank made it, with 999-later/,
    );
  });

  test('M: a ledger from before 0.1.0', async () => {
    const file = join(folder, 'older.sqlite');
    const older = new BetterSqlite3(file);
    older.exec(`${migrationTable}; insert into kysely_migration values ('001-ledger', '2026')`);
    older.close();
    expect(await startProblem('--ledger', file)).toMatch(
      /older\.sqlite cannot be brought up to date: a version before 0\.1\.0 made it, .*remove it to start with an empty one$/,
    );
  });

  test('what is nobody else’s fault keeps its stack', async () => {
    const broken = {
      now: (): never => {
        throw new TypeError('a bug');
      },
      monotonic: () => 0,
    };
    const config = readConfig({}, ['--ledger', ':memory:']);
    await expect(openConfiguredBank(config, { wall: broken, address: 'test' })).rejects.toThrow(TypeError);
    const held = await openConfiguredBank(config, { wall: systemClock, address: 'test' });
    await held.close();
  });
});

describeNotRoot('what this process may not write is named, with its owner and the uid of the process', () => {
  const owner = process.getuid?.() ?? 0;
  const own = notRoot?.uid ?? owner;
  const whose = (path: string): string => ` (${path} belongs to uid ${owner}, and this process has uid ${own})\n`;

  async function refused(...words: readonly string[]): Promise<readonly [code: number, said: string]> {
    const ended = (await run(process.execPath, [program, ...words], notRoot ?? {}).catch(
      (error: unknown) => error,
    )) as Ended;
    return [ended.code, ended.stderr];
  }

  test('a ledger that may not be written, also where nothing is to be written yet', async () => {
    const file = join(folder, 'ledger.sqlite');
    expect(await startProblem()).toBe('it starts');
    chmodSync(file, 0o444);
    chmodSync(folder, 0o777);
    expect(await refused('serve', '--port', '0', '--ledger', file)).toEqual([
      2,
      `the ledger ${file} cannot be written (EACCES)${whose(file)}`,
    ]);
  });

  test.each([
    ['a folder that is there', 0o755, 'ledger.sqlite', /^the ledger .*cannot be/],
    ['a folder to be made', 0o755, 'a/b/ledger.sqlite', /^the folder .* of the ledger cannot be made \(EACCES\)/],
    ['a folder that nobody may look into', 0o700, 'ledger.sqlite', /^the ledger .*cannot be/],
  ])('%s', async (_what, mode, name, problem) => {
    chmodSync(folder, own === owner ? 0o500 : mode);
    const [code, said] = await refused('serve', '--port', '0', '--ledger', join(folder, name));
    expect([code, said]).toEqual([2, expect.stringMatching(problem)]);
    expect(said.endsWith(whose(folder))).toBe(true);
    expect(said.trimEnd()).not.toContain('\n');
    chmodSync(folder, 0o755);
  });
});
