import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const home = process.cwd();
const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'demo' });
  // Where data/tpp is made.
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(home);
});

const consent = ['sign', 'POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'];

describe('where a path is taken from', () => {
  const none = (): string[] => [];
  const atServer = (): string[] => ['--port', new URL(bank.address).port, '--host', '127.0.0.1'];
  test.each([
    ['$BANK', () => ({ BANK: bank.address }), none, ''],
    ['the settings of the server', () => ({ PORT: new URL(bank.address).port, HOST: '0.0.0.0' }), none, ''],
    ['a bank in the server', () => ({ BANK: bank.address }), () => ['--bank', 'demo'], '/banks/demo'],
    ['--port and --host before $BANK', () => ({ BANK: 'http://127.0.0.1:1' }), atServer, ''],
    ['--port with --bank', () => ({}), () => [...atServer(), '--bank', 'demo'], '/banks/demo'],
    ['a base with a path', () => ({ BANK: `${bank.address}/banks/demo/` }), none, '/banks/demo'],
  ])('%s', async (_what, env, more, base) => {
    const { code, lines, errors } = await runMain([...consent, ...more()], { env: env() });
    expect({ code, errors }).toEqual({ code: 0, errors: ['201 Created'] });
    expect(lines[0]).toContain(`${base}/sca/`);
  });
});

async function sign(...args: string[]): Promise<Ended> {
  return runMain(['sign', ...args], { env: { BANK: bank.address } });
}

test('a refusal of the bank is 1, with its answer', async () => {
  const refused = await sign('GET', '/v1/accounts');
  expect([refused.code, refused.errors]).toEqual([1, ['401 Unauthorized']]);
  expect(JSON.parse(refused.lines.join('\n'))).toHaveProperty('tppMessages');
});

const nobody = 'http://127.0.0.1:2';
const advice = `nothing answers at ${nobody} (ECONNREFUSED): start the bank, or name its server by --port and --host, or by the variable BANK`;
test.each([
  [['--port', '2'], {}],
  [[], { PORT: '2' }],
  [[], { BANK: nobody }],
  [['--fault', 'expired', '--port', '2'], {}],
])('%j %j, and nothing answers there: 1, and what to do, as of the other commands', async (flags, env) => {
  const ended = await runMain(['sign', 'GET', '/v1/accounts', ...flags], { env });
  expect(ended).toMatchObject({ code: 1, lines: [], errors: [advice] });
});

test('a whole address where nothing answers', async () => {
  const { code, errors } = await sign('GET', `${nobody}/v1/accounts`);
  expect([code, errors]).toEqual([1, [advice]]);
});

describe('the throw-away TPP', () => {
  const [key, certificate] = [join(folder, 'own/tpp/kept.key.pem'), join(folder, 'own/tpp/kept.cert.pem')];
  const env = () => ({ BANK: bank.address, SANDBANK_LEDGER: join(folder, 'own/ledger.sqlite') });

  test('is kept beside the ledger, and made anew when its files do not fit together', async () => {
    const words = [...consent, '--tpp', 'kept'];
    expect((await runMain(words, { env: env() })).code).toBe(0);
    const made = [key, certificate].map((file) => readFileSync(file, 'utf8'));
    expect((await runMain(words, { env: env() })).code).toBe(0);
    expect([key, certificate].map((file) => readFileSync(file, 'utf8'))).toEqual(made);
    await runMain([...consent, '--tpp', 'other'], { env: env() });
    writeFileSync(key, readFileSync(join(folder, 'own/tpp/other.key.pem')));
    expect((await runMain(words, { env: env() })).code).toBe(0);
    writeFileSync(certificate, 'none');
    expect((await runMain(words, { env: env() })).code).toBe(0);
  });

  test('is made for the request where nothing can be kept', async () => {
    writeFileSync(join(folder, 'file'), '');
    const ledger = { SANDBANK_LEDGER: join(folder, 'file/ledger.sqlite') };
    const { code, errors } = await runMain(consent, { env: { ...env(), ...ledger } });
    expect({ code, errors }).toEqual({ code: 0, errors: ['201 Created'] });
    expect(existsSync(join(folder, 'file/tpp'))).toBe(false);
  });
});

test.each([
  [['GET'], 'something is missing: sign METHOD URL'],
  [['GET', 'http://a.example/v1', '--bank', 'demo'], '--bank is for a path'],
  [['GET', 'http://a.example/v1', '--port', '1'], '--port is for a path'],
  [['GET', 'http://a.example/v1', '--host', 'a'], '--host is for a path'],
  [['GET', '/v1/accounts', '--bank', '..'], '".." is no name'],
  [['GET', 'localhost:7263/v1/accounts'], 'localhost:7263/v1/accounts is no address of a bank'],
  [['GET', '/v1/accounts', '-d', '@absent'], '--data @absent cannot be read: there is no such file'],
  [['GET', '/v1/accounts', '-H', 'Date: now'], 'the signer sets this header'],
])('%j is a wrong command', async (args, problem) => {
  const { code, lines, errors } = await sign(...args);
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  expect(errors).toEqual([expect.stringContaining(problem)]);
});

test.each([{ close: true }, { cut: true }])(
  'C23: %j by an armed fault is told, with what was carried out',
  async (fault) => {
    await bank.control('POST', '/sandbox/faults', fault);
    const { code, errors } = await runMain(consent, { env: { BANK: bank.address } });
    expect([code, errors.join(' ')]).toEqual([
      1,
      expect.stringMatching(
        /Armed fault \d+ (closed the connection|ended .*), after the commit. The request was carried out.$/,
      ),
    ]);
  },
);
