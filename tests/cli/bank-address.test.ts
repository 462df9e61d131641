import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commands } from '../../scripts/commands/index.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const nobody = 'http://127.0.0.1:1';
const home = process.cwd();
const folder = tempFolder();
const bank = testBank(now);
let demo: string;
let port: string;

beforeAll(async () => {
  demo = `${bank.address}/banks/demo`;
  ({ port } = new URL(bank.address));
  await bank.control('POST', '/sandbox/banks', { name: 'demo', now: '2028-01-01' });
  await bank.control('POST', '/sandbox/banks', { name: 'other', now: '2029-01-01' });
  // Where data/tpp is made.
  process.chdir(folder);
});
beforeEach(async () => {
  for (const base of ['', '/banks/demo', '/banks/other']) await bank.control('POST', `${base}/sandbox/reset`);
});
afterAll(async () => {
  process.chdir(home);
});

/** The year of the bank that a command reached. */
async function yearReached(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, lines, errors } = await runMain(['snapshot', 'list', ...args], { env });
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return /^ {2}seeded {2}(\d{4})/m.exec(lines.join('\n'))?.[1] ?? '';
}

describe('which bank a command asks: --port and --host, else $BANK, else PORT and HOST', () => {
  test.each([
    ['$BANK', () => [[], { BANK: bank.address }], '2027'],
    ['$BANK with the path of a bank', () => [[], { BANK: demo }], '2028'],
    ['a slash at its end', () => [[], { BANK: `${demo}/` }], '2028'],
    ['the path of the interface at its end', () => [[], { BANK: `${demo}/v1` }], '2028'],
    ['/api-sandbox/v1/ at its end', () => [[], { BANK: `${bank.address}/api-sandbox/v1/` }], '2027'],
    ['$BANK before PORT', () => [[], { BANK: demo, PORT: '1' }], '2028'],
    ['a flag before $BANK', () => [['--port', port], { BANK: nobody }], '2027'],
    ['an empty $BANK is none', () => [[], { BANK: '', PORT: port }], '2027'],
    ['--bank in the server of $BANK', () => [['--bank', 'demo'], { BANK: bank.address }], '2028'],
    ['--bank instead of the path of $BANK', () => [['--bank', 'other'], { BANK: demo }], '2029'],
    ['--bank default is the root', () => [['--bank', 'default'], { BANK: demo }], '2027'],
    ['dots on the way are gone before it is read', () => [[], { BANK: `${bank.address}/x/../banks/demo` }], '2028'],
    ['/banks/default is the root', () => [[], { BANK: `${bank.address}/banks/default` }], '2027'],
  ] satisfies [string, () => [string[], Record<string, string>], string][])('%s', async (_what, given, year) => {
    expect(await yearReached(...given())).toBe(year);
  });
});

describe('each command that asks a server obeys $BANK', () => {
  test.each([
    [['advance', 'P1D'], 'from 2028-01-01T00:00:00.000+01:00 to 2028-01-02'],
    [['forecast', 'P1D'], 'From  2028-01-01'],
    [['snapshot', 'save', 'here'], 'Now   2028-01-01'],
    [['reset'], 'The bank at http'],
    [['ready'], 'ready'],
    [['bank', 'list'], 'other '],
    [['sign', 'POST', '/v1/bank-offered-consents', '--print'], '/banks/demo/v1/bank-offered-consents'],
    [['sign', 'GET', '/v1/accounts', '--bank', 'other', '--print'], '/banks/other/v1/accounts'],
  ])('%j', async (args, told) => {
    const { code, lines } = await runMain(args, { env: { BANK: demo } });
    expect([code, lines.join('\n')]).toEqual([0, expect.stringContaining(told)]);
  });

  test.each(['advance', 'forecast', 'snapshot', 'bank', 'reset', 'ready', 'sign'])(
    '%s --help says so',
    async (name) => {
      expect((await commands.get(name)?.())?.notes.join(' ')).toMatch(/[wW]ithout (?:them|it) \$BANK|or \$BANK/);
    },
  );

  test('a bank is made in the server of $BANK, whichever bank that names', async () => {
    const { lines } = await runMain(['bank', 'create', 'third'], { env: { BANK: demo } });
    expect(lines).toContain(`Interface  ${bank.address}/banks/third/v1`);
    await bank.control('DELETE', '/sandbox/banks/third');
  });
});

describe('$BANK that leads nowhere', () => {
  test('nothing answers there: 1, and where to turn', async () => {
    for (const args of [
      ['advance', 'P1D'],
      ['snapshot', 'list'],
    ]) {
      const { code, errors } = await runMain(args, { env: { BANK: nobody } });
      expect([code, errors]).toEqual([
        1,
        [expect.stringMatching(/^nothing answers at http:.*or by the variable BANK$/)],
      ]);
    }
  });

  test('C26: a setting that does not exist is told all the same', async () => {
    const { code, errors } = await runMain(['ready'], { env: { BANK: bank.address, SANDBANK_PROT: '1' } });
    expect([code, errors]).toEqual([2, [expect.stringContaining('the nearest is PORT')]]);
  });

  test.each(['nope', 'localhost:7263', 'ftp://a.example', 'http://a.example/?x=1'])(
    '%s is no address: 2',
    async (text) => {
      for (const args of [['reset'], ['advance', 'P1D'], ['sign', 'GET', '/v1/accounts']]) {
        const { code, errors } = await runMain(args, { env: { BANK: text } });
        expect([code, errors]).toEqual([2, [expect.stringContaining(`BANK is "${text}": expected an address`)]]);
      }
    },
  );

  test.each([
    [['reset'], { BANK: 'http://me:secret@a.example' }, 'BANK is "http://***@a.example": expected an address'],
    [['reset'], { BANK: 'me:secret@a.example' }, 'BANK is "***@a.example": expected an address'],
    [['reset'], { BANK: 'http://me:sec@ret@a.example' }, 'BANK is "http://***@a.example": expected an address'],
    [['proxy', '--target', 'http://me:secret@a.example'], {}, '--target is "http://***@a.example": expected'],
    [['serve', '--public-url', 'http://me:secret@a.example'], {}, '--public-url is "http://***@a.example": expected'],
    [['sign', 'GET', 'http://me:secret@a.example/v1'], {}, 'http://***@a.example/v1 is no address of a bank'],
    [['sign', 'GET', 'http://secret@a.example/v1'], {}, 'http://***@a.example/v1 is no address of a bank'],
  ])('%j %j: an address with a password is refused, and the password is not told', async (args, env, told) => {
    const { code, lines, errors } = await runMain(args, { env });
    expect([code, lines, errors]).toEqual([2, [], [expect.stringContaining(told)]]);
  });

  test.each(['/banks', '/banks/', '/x/banks/'])('%s has no name of a bank: 2', async (path) => {
    const given = bank.address + path;
    for (const args of [['reset'], ['status', '--bank', 'demo']]) {
      const { code, errors } = await runMain(args, { env: { BANK: given } });
      expect([code, errors]).toEqual([
        2,
        [
          expect.stringContaining(
            `BANK is "${given.replace(/[/]$/, '')}": the name of a bank is missing, as in /banks/demo`,
          ),
        ],
      ]);
    }
  });
});
