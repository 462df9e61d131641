import { exec, spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { addressOf, isLoopback } from '../../../api/pipeline/addresses.ts';
import { flagsTo } from '../../../scripts/cli/bank-address.ts';
import { program } from '../../support/program.ts';
import { testWith, withCurl } from '../../support/test-with.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { testBank } from '../../support/test-bank.ts';

const folder = tempFolder();
const isLocalName = await lookup(hostname()).then(
  ({ address }) => address.startsWith('127.'),
  () => false,
);
const bank = testBank('2027-03-24T12:00:00+01:00');
let port: string;

beforeAll(async () => {
  ({ port } = new URL(bank.address));
});

const run = (...args: string[]) => runMain(args, { env: { BANK: bank.address }, program: 'npx sandbank' });

describe('the lines that a command prints can be pasted where it runs', () => {
  test('pay, demo and play start with the words that start a command here', async () => {
    const paid = await runMain(['pay', '--amount', '1', '--port', port], { program: 'npx sandbank' });
    expect(paid.lines.at(-1)).toMatch(/^ {2}Then {7}npx sandbank advance --until '.*=ACSC' --port \d+$/);
    const demo = (await run('demo', '--bank', 'one')).lines.join('\n');
    expect(demo).toContain('When you are done: npx sandbank bank remove one\n');
    expect(demo).toContain('A payment of your own: npx sandbank pay --amount 100');
    expect((await run('play', 'cards')).lines.at(-1)).toMatch(/afterwards: npx sandbank play cards --keep$/);
    expect((await run('pay', '--nope')).errors).toEqual([
      '--nope is no flag here (npx sandbank pay --help shows how to use this)',
    ]);
    const help = (await run('pay', '--help')).lines;
    expect([help[0], help.at(-3)]).toEqual([
      expect.stringMatching(/^usage: npx sandbank pay --amount/),
      '  npx sandbank pay --amount 100',
    ]);
    expect((await run('no-such-command')).errors[1]).toContain('npx sandbank help tells more');
  });

  test('a saved bundle is opened by the line that says so', async () => {
    const { lines } = await run('bundle', 'save', join(folder, "a day's.sandbank"));
    expect(lines.join()).toMatch(/To open it: npx sandbank open '\S*a day'\\''s\.sandbank'$/);
  });

  test('with --json the problem is the one that the bank sent', async () => {
    const { errors } = await run('snapshot', 'list', '--bank', 'nope', '--json');
    expect(JSON.parse(errors.join('\n'))).toMatchObject({ detail: expect.stringContaining('POST /sandbox/banks') });
  });
});

describe('the first steps that serve prints lead to the server that prints them', () => {
  interface Greeted {
    readonly errors: string;
    readonly line: string;
    /** Standard error and standard output of the line, when it is pasted into a shell beside the server. */
    readonly pasted: string;
  }

  async function greeted(flags: readonly string[], env: Record<string, string>): Promise<Greeted> {
    const args = [program, 'serve', '--ledger', ':memory:', '--log-level', 'silent', ...flags];
    const server = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...env }, cwd: folder });
    let [output, errors] = ['', ''];
    server.stderr.on('data', (bytes: Buffer) => (errors += String(bytes)));
    try {
      for await (const bytes of server.stdout) {
        output += String(bytes);
        const line = /^First steps (.*)\n/m.exec(output)?.[1];
        if (line === undefined) continue;
        const { stdout, stderr } = await promisify(exec)(line, { env: { PATH: process.env['PATH'] }, cwd: folder });
        return { errors, line, pasted: stderr + stdout };
      }
      throw new Error(`the server ended: ${errors}`);
    } finally {
      server.kill('SIGTERM');
    }
  }

  test.each([
    ['another address', ['--host', '127.0.0.2'], {}, '127.0.0.2', ''],
    [
      'all addresses, of which a program here takes one, and $BANK',
      [],
      { HOST: '0.0.0.0', BANK: 'http://192.0.2.1' },
      '127.0.0.1',
      'Warning: 0.0.0.0 can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.\n',
    ],
  ])(
    '%s',
    async (_what, flags, env, host, warning) => {
      const { line, pasted, errors } = await greeted(['--port', '0', ...flags], env);
      const port = /--port (\d+)/.exec(line)?.[1];
      expect(pasted).toContain(` leave an account, in a bank of its own: http://${host}:${port}/banks/demo-1\n`);
      expect(errors).toBe(warning);
    },
    30_000,
  );

  withCurl.each([
    ['in memory', []],
    ['in a file', ['--ledger', join(folder, 'tls', 'ledger.sqlite')]],
  ])(
    'over TLS, with the CA of a ledger %s',
    async (_what, flags) => {
      const { pasted } = await greeted(['--port', '0', '--tls', ...flags], {});
      expect(pasted).toMatch(/ leave an account, in a bank of its own: https:\/\/127\.0\.0\.1:\d+\/banks\/demo-1\n/);
    },
    30_000,
  );

  testWith(isLocalName, 'name of the machine with a local address')(
    'a name of the machine that has a local address is not reached from outside',
    async () => expect((await greeted(['--port', '0', '--host', hostname()], {})).errors).toBe(''),
    30_000,
  );

  test.each([
    ['http://127.0.0.1:7263', {}, ''],
    ['http://127.0.0.1:9000', {}, ' --port 9000'],
    ['http://127.0.0.1:80', {}, ' --port 80'],
    ['http://0.0.0.0:7263', { HOST: '0.0.0.0' }, ''],
    ['http://[::1]:7263', {}, ' --host ::1'],
    ['http://[::]:9000', {}, ' --host ::1 --port 9000'],
    ['http://localhost:7263', {}, ' --host localhost'],
    ['http://127.0.0.1:9000', { PORT: '9000' }, ' --port 9000'],
    ['http://127.0.0.1:7263', { PORT: '9000' }, ' --port 7263'],
    ['http://127.0.0.1:7263', { HOST: '127.0.0.2' }, ' --host 127.0.0.1'],
    ['http://127.0.0.1:7263', { BANK: 'http://127.0.0.1:9000' }, ' --port 7263'],
  ])('%s, from a shell with %j: "%s"', (address, env, flags) => {
    expect(flagsTo(address, env)).toBe(flags);
  });
});

test.each(['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST', '127.1'])(
  '%s cannot be reached from outside',
  (host) => expect(isLoopback(addressOf(host, 7263))).toBe(true),
);

test.each([
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '128.0.0.1',
  '::2',
  '127.0.0.1.example',
  '127.example',
  'bank',
  'fe80::1%eth0',
])('%s can be reached from outside', (host) => expect(isLoopback(addressOf(host, 7263))).toBe(false));

describe('a person who ends a scenario', () => {
  const scenario = {
    name: 'long',
    title: 'A long one',
    about: 'It goes on.',
    bank: { now: '2027-03-24T12:00:00+01:00' },
    steps: Array.from({ length: 2_000 }, () => ({
      says: 'The clock.',
      method: 'GET',
      path: '/sandbox/clock',
      expect: { status: 200 },
    })),
    ends: 'Never.',
  };

  test.each([
    [['SIGINT', 'SIGINT'], [] as string[], ['default']],
    [['SIGTERM'], ['--keep'], ['default', 'long-1']],
  ])(
    '%j %j: it ends with 1, and the banks left are the last list',
    async (signals, flags, left) => {
      for (const name of ['one', 'two', 'long-1']) await bank.control('DELETE', `/sandbox/banks/${name}`);
      const file = join(folder, 'long.json');
      writeFileSync(file, JSON.stringify(scenario));
      const playing = spawn(process.execPath, [program, 'play', file, ...flags], {
        env: { BANK: bank.address },
      });
      const errors: string[] = [];
      playing.stderr.on('data', (bytes: Buffer) => void errors.push(String(bytes)));
      const ended = new Promise((resolve) => playing.once('close', resolve));
      // npm passes a signal on to a process that has it already.
      playing.stdout.once('data', () => {
        for (const signal of signals) playing.kill(signal as NodeJS.Signals);
      });
      expect([await ended, errors.join('')]).toEqual([1, 'ended before the last step\n']);
      const { banks } = (await bank.control('GET', '/sandbox/banks')).body as { banks: { name: string }[] };
      expect(banks.map(({ name }) => name)).toEqual(left);
    },
    30_000,
  );
});
