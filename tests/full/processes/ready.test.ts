import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { freePort } from '../../support/free-port.ts';
import { program } from '../../support/program.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { startTestBank } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
let port: string;
const folder = tempFolder();
beforeAll(async () => {
  ({ port } = new URL(bank.address));
});

describe('ready', () => {
  test('a server that is ready: 0, on standard output', async () => {
    expect(await runMain(['ready', '--port', port])).toMatchObject({ code: 0, lines: ['ready'], errors: [] });
    const { lines } = await runMain(['ready', '--json', '--port', port]);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ status: 'ready' });
  });

  test('what is not ready: 1, on standard error', async () => {
    const nobody = 'nothing answers at http://127.0.0.1:1';
    expect(await runMain(['ready', '--port', '1'])).toMatchObject({
      code: 1,
      lines: [],
      errors: [`not ready: ${nobody}`],
    });
    const { code, lines, errors } = await runMain(['ready', '--port', '1', '--json']);
    expect([code, lines, JSON.parse(errors.join('\n'))]).toEqual([1, [], { status: null, detail: nobody }]);
    expect(await runMain(['ready', '--port', port, '--bank', 'nope'])).toMatchObject({
      code: 1,
      lines: [],
      errors: [`not ready: the server at ${bank.address} has no bank nope`],
    });
  });

  test('a bank that is broken says why', async () => {
    const broken = createServer((_request, response) => void response.end('{"status":"broken","detail":"for a test"}'));
    broken.listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const { port: at } = broken.address() as AddressInfo;
    expect(await runMain(['ready', '--port', String(at)])).toMatchObject({
      code: 1,
      lines: [],
      errors: ['not ready: broken: for a test'],
    });
    broken.close();
  });
});

describe('ready --wait', () => {
  test.each([['--wait'], ['--wait=30s'], ['--wait=2m']])('%s waits for a server that starts later', async (wait) => {
    const later = String(await freePort());
    const waiting = runMain(['ready', wait, '--port', later]);
    expect(await runMain(['ready', '--port', later])).toMatchObject({ code: 1 });
    const server = await startTestBank('2027-03-24T12:00:00+01:00', ['--port', later]);
    expect(await waiting).toMatchObject({ code: 0, lines: ['ready'], errors: [] });
    await server.stop();
  });

  test('it waits for a bank that is made later', async () => {
    const waiting = runMain(['ready', '--wait', '10s', '--bank', 'later', '--port', port]);
    await bank.control('POST', '/sandbox/banks', { name: 'later' });
    expect(await waiting).toMatchObject({ code: 0, lines: ['ready'] });
  });

  test.each([['--wait=0s'], ['--wait=300ms'], ['--wait=1']])('%s ends, with 1', async (wait) => {
    expect(await runMain(['ready', wait, '--port', '1'])).toMatchObject({
      code: 1,
      lines: [],
      errors: ['not ready: nothing answers at http://127.0.0.1:1'],
    });
  });

  test.each(['soon', '-1s', '1h', '3.5s', '12345678'])('--wait=%s is a wrong command', async (text) => {
    expect(await runMain(['ready', `--wait=${text}`, '--port', port])).toMatchObject({
      code: 2,
      errors: [expect.stringContaining(`--wait is "${text}": expected a time, such as 30s, 500ms or 2m`)],
    });
  });
});

describe('the file in which a server leaves its address', () => {
  test('commands beside the server ask it, whatever its flags are; it is gone with the server', async () => {
    const file = join(folder, 'address');
    const env = { SANDBANK_ADDRESS_FILE: file, PORT: '1' };
    const flags = ['--port', '0', '--host', '0.0.0.0', '--ledger', ':memory:', '--control-token', 'a-token-of-ours-1'];
    const server = spawn(process.execPath, [program, 'serve', ...flags], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const address = await greetedAddress(server.stdout);
    expect(await runMain(['ready', '--wait'], { env })).toMatchObject({ code: 0, lines: ['ready'] });
    expect(readFileSync(file, 'utf8')).toBe(`${address}\n`);
    const token = ['--control-token', 'a-token-of-ours-1'];
    expect(await runMain(['snapshot', 'list', ...token], { env })).toMatchObject({ code: 0 });
    // Whoever names a server means that one.
    expect(await runMain(['ready', '--port', '1'], { env })).toMatchObject({ code: 1 });
    expect(await runMain(['ready'], { env: { ...env, BANK: 'http://127.0.0.1:1' } })).toMatchObject({ code: 1 });
    server.kill('SIGTERM');
    await once(server, 'exit');
    expect(await runMain(['ready'], { env: { ...env, PORT: port } })).toMatchObject({ code: 0 });
  }, 30_000);

  test.each([
    ['nothing', ''],
    ['no address', 'hello'],
  ])('a file with %s is none', async (_what, content) => {
    const file = join(folder, 'other');
    writeFileSync(file, content);
    expect(await runMain(['ready'], { env: { SANDBANK_ADDRESS_FILE: file, PORT: port } })).toMatchObject({ code: 0 });
  });

  test('a server that cannot write it starts all the same', async () => {
    const env = { SANDBANK_ADDRESS_FILE: '/proc/nowhere/address' };
    const flags = ['--port', '0', '--ledger', ':memory:'];
    const server = spawn(process.execPath, [program, 'serve', ...flags], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    server.stdout.on('data', (data) => (said += String(data)));
    const told = ['Sandbank  ', 'cannot be left in /proc/nowhere/address'];
    while (!told.every((part) => said.includes(part))) await once(server.stdout, 'data');
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  }, 30_000);
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['0', '127.0.0.1'],
  ['::', '[::1]'],
  ['0:0:0:0:0:0:0:0', '[::1]'],
])(
  'the greeting of a server on %s has an address that opens',
  async (host, opened) => {
    const flags = ['--port', '0', '--host', host, '--ledger', ':memory:'];
    const server = spawn(process.execPath, [program, 'serve', ...flags], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors = once(server.stderr, 'data');
    const address = await greetedAddress(server.stdout);
    expect(address).toMatch(new RegExp(`^http://${opened.replace(/[[\]]/g, '\\$&')}:\\d+$`));
    expect((await fetch(`${address}/sandbox/info`)).status).toBe(200);
    expect(String(await errors)).toContain('can be reached from outside and SANDBANK_CONTROL_TOKEN is not set');
    server.kill('SIGTERM');
    await once(server, 'exit');
  },
  30_000,
);
