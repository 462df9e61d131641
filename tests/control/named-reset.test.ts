import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { lockLedger } from '../../engine/open-bank.ts';
import { setClock } from '../../engine/reset-and-restore.ts';
import { at } from '../lab/bank.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { sample } from '../support/sample.ts';

/** What a reset says of a bank. */
const backAt = (bank: string): unknown =>
  expect.stringMatching(new RegExp(`^${bank} is back to its known state, at \\S+ \\((running|frozen)\\)\\.$`));

/*
 * C6: a server that is named is reset, and nothing else. The ledger of the current folder, which has a clock that went on, shows
 * what a command touches.
 */
const home = process.cwd();
/** Port 1 of this machine, and port 7263 of an address of its own: no server listens there. */
const nobody = '127.0.0.1';
const quiet = '127.0.0.94';
let seeded: string;
let folder: string;
let stranger: Server;
let strangerPort: string;

beforeAll(async () => {
  seeded = mkdtempSync(join(tmpdir(), 'sandbank-named-'));
  process.chdir(seeded);
  const server = await start();
  await setClock(server.bank, { now: at('2028-01-01'), mode: null, rate: null });
  await server.stop();
  stranger = createServer((_request, response) => void response.end('{"hello":true}'));
  await new Promise<void>((resolve) => stranger.listen(0, nobody, resolve));
  strangerPort = String((stranger.address() as AddressInfo).port);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-named-'));
  cpSync(seeded, folder, { recursive: true });
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => {
  stranger.close();
  rmSync(seeded, { recursive: true, force: true });
});

function start(...more: string[]): Promise<RunningServer> {
  const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24'];
  return startServer(readConfig({}, ['--port', '0', '--log-level', 'silent', ...clock, ...more]));
}

/** Every file below the folder, with its content and the time of its last change. */
function files(): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .sort();
}

async function dateIn(ledger = 'data/ledger.sqlite'): Promise<string> {
  const server = await start('--ledger', ledger);
  const { date } = await readClock(server.bank);
  await server.stop();
  return date;
}

describe('C6: where the named server does not answer, it exits 1 and touches no file', () => {
  const names: readonly (readonly [words: readonly string[], server: string])[] = [
    [['--port', '1'], `http://${nobody}:1`],
    [['--host', quiet], `http://${quiet}:7263`],
    [['--host', quiet, '--port', '1'], `http://${quiet}:1`],
    [['--base', `http://${nobody}:1`], `http://${nobody}:1`],
    [['--base', `http://${nobody}:1/banks/demo`], `http://${nobody}:1`],
  ];
  const variables: readonly Readonly<Record<string, string>>[] = [
    {},
    { BANK: `http://${quiet}:1` },
    { PORT: '1' },
    { HOST: quiet },
    { PORT: '2', HOST: nobody, BANK: `http://${quiet}:1/banks/demo` },
  ];
  const more: readonly (readonly string[])[] = [
    [],
    ['--bank', 'demo'],
    ['--bank', 'default'],
    ['--now', '2027-05-01'],
    ['--ledger', 'data/ledger.sqlite', '--fixtures', 'known-state'],
  ];
  const table = names.flatMap(([words, server]) =>
    variables.flatMap((env) => more.map((others) => ({ words: [...words, ...others], env, server }))),
  );
  const byVariable = more.flatMap((words) => [
    { words, env: { BANK: `http://${nobody}:1` }, server: `http://${nobody}:1` },
    { words, env: { BANK: `http://${nobody}:1/banks/demo/`, PORT: '2' }, server: `http://${nobody}:1` },
  ]);
  const byBank = ['demo', 'default'].map((name) => ({
    words: ['--bank', name],
    env: { PORT: '1', HOST: quiet },
    server: `http://${quiet}:1`,
  }));
  test.each([...sample('named reset', table, 6), ...byVariable, ...byBank])(
    '$words $env',
    async ({ words, env, server }) => {
      const before = files();
      const { code, lines, errors } = await runMain(['reset', ...words], { env });
      expect({ code, lines }).toEqual({ code: 1, lines: [] });
      expect(errors).toEqual([
        expect.stringContaining(`no Sandbank answers at ${server}, and nothing was reset: start it`),
      ]);
      expect(files()).toEqual(before);
    },
  );

  test.each([
    [['--bank', 'demo'], { PORT: '1' }, ', or leave out --bank to reset the ledger file'],
    [['--port', '1', '--bank', 'demo'], {}, ', or leave out --port and --bank to reset the ledger file'],
    [['--base', `http://${nobody}:1`], {}, ', or leave out --base to reset the ledger file'],
    [
      ['--bank', 'demo'],
      { BANK: `http://${nobody}:1` },
      ', or unset BANK and leave out --bank to reset the ledger file',
    ],
  ] as const)('%j %j: the advice names what to leave out', async (words, env, advice) => {
    const { errors } = await runMain(['reset', ...words], { env });
    expect(errors).toEqual([expect.stringMatching(new RegExp(`: start it${advice}$`))]);
  });

  test.each([
    ['--port', () => [['--port', strangerPort], {}]],
    ['--base', () => [['--base', `http://${nobody}:${strangerPort}`], {}]],
    ['--bank', () => [['--bank', 'demo'], { PORT: strangerPort }]],
    ['$BANK', () => [[], { BANK: `http://${nobody}:${strangerPort}` }]],
  ] satisfies [string, () => [string[], Record<string, string>]][])(
    '%s, and a program answers there that is no Sandbank',
    async (_what, given) => {
      const [words, env] = given();
      const before = files();
      const { code, errors } = await runMain(['reset', ...words], { env });
      expect([code, errors]).toEqual([1, [expect.stringMatching(/^no Sandbank answers at .*nothing was reset/)]]);
      expect(files()).toEqual(before);
    },
  );

  test('--base beside --port or --host is a wrong command', async () => {
    const before = files();
    for (const flag of ['--port=1', `--host=${quiet}`]) {
      const { code, errors } = await runMain(['reset', '--base', `http://${nobody}:1`, flag]);
      expect([code, errors]).toEqual([2, [expect.stringContaining('give --base, or --port and --host')]]);
    }
    expect(files()).toEqual(before);
  });

  test('a flag that npm kept for itself', async () => {
    const before = files();
    for (const flag of ['port', 'host', 'base', 'bank']) {
      const env = { npm_lifecycle_event: 'reset', npm_package_name: 'sandbank', [`npm_config_${flag}`]: '1' };
      const { code, errors } = await runMain(['reset'], { env });
      expect([code, errors.join()]).toEqual([2, expect.stringContaining(`npm kept --${flag} for itself`)]);
    }
    expect(files()).toEqual(before);
  });
});

describe('C6: a server that is named is reset, and the ledger of the folder is not', () => {
  test.each([
    ['--port', (server: URL) => [['--port', server.port], {}]],
    ['--base', (server: URL) => [['--base', server.origin], {}]],
    ['$BANK', (server: URL) => [[], { BANK: server.origin }]],
    ['--bank default', (server: URL) => [['--bank', 'default'], { PORT: server.port }]],
  ] satisfies [string, (server: URL) => [string[], Record<string, string>]][])('%s', async (_what, given) => {
    const other = await start('--ledger', ':memory:');
    try {
      await setClock(other.bank, { now: at('2029-01-01'), mode: null, rate: null });
      const before = files();
      const [words, env] = given(new URL(other.address));
      const { code, lines } = await runMain(['reset', ...words], { env });
      expect([code, lines]).toEqual([0, [backAt(`The bank at ${other.address}`)]]);
      expect((await readClock(other.bank)).date).toBe('2027-03-24');
      expect(files()).toEqual(before);
    } finally {
      await other.stop();
    }
  });

  test('--bank NAME: that bank alone', async () => {
    const server = await start('--ledger', ':memory:');
    try {
      const { port } = new URL(server.address);
      const run = (...words: string[]) => runMain([...words, '--port', port]);
      for (const name of ['demo', 'other']) await run('bank', 'create', name);
      for (const name of ['demo', 'other', 'default']) await run('advance', 'P1D', '--bank', name);
      expect(await run('reset', '--bank', 'demo')).toMatchObject({
        code: 0,
        lines: [backAt(`The bank demo at ${server.address}`)],
      });
      const dates = await Promise.all(
        ['demo', 'other', 'default'].map(async (name) => {
          const { lines } = await run('snapshot', 'save', 'here', '--bank', name);
          return /^Now +(\S{10})/m.exec(lines.join('\n'))?.[1];
        }),
      );
      expect(dates).toEqual(['2027-03-24', '2027-03-25', '2027-03-25']);
      expect(await run('reset', '--bank', 'nope')).toMatchObject({
        code: 1,
        errors: [expect.stringMatching(/^refused \(404\): There is no bank "nope"/), expect.anything()],
      });
    } finally {
      await server.stop();
    }
  });
});

describe('C6: where no server is named', () => {
  test.each(['0.0.0.0', nobody])('the server on %s that holds the ledger is reset', async (host) => {
    const server = await start('--host', host);
    try {
      const other = await start('--ledger', ':memory:', '--clock-now', '2026-01-01');
      await setClock(server.bank, { now: at('2029-01-01'), mode: null, rate: null });
      const env = { PORT: new URL(other.address).port, HOST: quiet };
      const { code, lines } = await runMain(['reset'], { env });
      expect([code, lines]).toEqual([0, [backAt(`The bank at ${server.address}`)]]);
      expect((await readClock(server.bank)).date).toBe('2027-03-24');
      expect((await readClock(other.bank)).date).toBe('2026-01-01');
      await other.stop();
    } finally {
      await server.stop();
    }
  });

  test('a server whose ledger file was taken away is reset, and makes it again', async () => {
    const server = await start();
    rmSync('data/ledger.sqlite');
    const { code, lines } = await runMain(['reset']);
    expect([code, lines]).toEqual([0, [expect.stringContaining('is back to its known state')]]);
    await server.stop();
    expect(await dateIn()).toBe('2027-03-24');
  });

  test.each([{ PORT: '1' }, { HOST: quiet, PORT: '1' }])('the ledger file: %j', async (env) => {
    const { code, lines } = await runMain(['reset'], { env });
    expect([code, lines]).toEqual([
      0,
      [expect.stringMatching(/^The ledger data\/ledger\.sqlite is back to its known/)],
    ]);
    expect(await dateIn()).toBe('2027-03-24');
  });

  test.each([
    [['--ledger', 'none.sqlite'], 'there is no ledger none.sqlite'],
    [['--ledger', 'none/none.sqlite'], 'there is no ledger none/none.sqlite'],
    [['--ledger', ':memory:'], 'the ledger is in memory'],
  ])('neither, %j: 1, and no file is made', async (words, why) => {
    const before = files();
    const { code, errors } = await runMain(['reset', ...words]);
    expect([code, errors]).toEqual([1, [expect.stringContaining(`nothing was reset: ${why}, and no server is named`)]]);
    expect(files()).toEqual(before);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test('C6b: a server of another ledger runs at the usual address: 1, and both stay; --ledger means the file', async () => {
    const other = await start('--ledger', ':memory:');
    try {
      await setClock(other.bank, { now: at('2029-01-01'), mode: null, rate: null });
      const before = files();
      const { port } = new URL(other.address);
      const env = { PORT: port };
      expect(await runMain(['reset'], { env, program: 'npx sandbank' })).toMatchObject({
        code: 1,
        errors: [
          `nothing was reset: a server runs at ${other.address}: npx sandbank reset --port ${port}`,
          'It does not hold the ledger data/ledger.sqlite. To reset that one: npx sandbank reset --ledger data/ledger.sqlite',
        ],
      });
      expect((await readClock(other.bank)).date).toBe('2029-01-01');
      expect(files()).toEqual(before);
      // As in a container: the variable of the server, whose ledger no file stands for.
      const ofMemory = await runMain(['reset'], { env: { ...env, SANDBANK_LEDGER: ':memory:' } });
      expect([ofMemory.code, ofMemory.lines]).toEqual([0, [backAt(`The bank at ${other.address}`)]]);
      expect(files()).toEqual(before);
      expect((await runMain(['reset', '--ledger', 'data/ledger.sqlite'], { env })).code).toBe(0);
    } finally {
      await other.stop();
    }
    expect(await dateIn()).toBe('2027-03-24');
    const server = await start();
    const env = { PORT: new URL(server.address).port, SANDBANK_LEDGER: ':memory:' };
    const { code, errors } = await runMain(['reset'], { env });
    expect([code, errors]).toEqual([
      1,
      [expect.stringContaining('nothing was reset: a server runs at'), 'It does not hold the ledger :memory:.'],
    ]);
    await server.stop();
  });

  test('a process that holds the ledger and answers nothing: 1', async () => {
    const held = lockLedger(join(folder, 'data/ledger.sqlite'), { address: `http://${nobody}:1`, pid: 1 });
    expect(await runMain(['reset'])).toMatchObject({
      code: 1,
      errors: [expect.stringContaining(`no Sandbank answers at http://${nobody}:1, and nothing was reset`)],
    });
    held.release();
    const resetting = lockLedger(join(folder, 'data/ledger.sqlite'), { address: 'sandbank reset', pid: 1 });
    expect(await runMain(['reset'])).toMatchObject({
      code: 1,
      errors: ['nothing was reset: the ledger data/ledger.sqlite is in use by sandbank reset (process 1); try again'],
    });
    resetting.release();
    expect(await dateIn()).toBe('2028-01-01');
  });
});
