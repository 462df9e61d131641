import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const id = randomUUID();
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'other' });
  await bank.control('POST', '/sandbox/banks', { name: 'demo', now: '2028-01-01' });
  await bank.raw('GET', '/banks/demo/v1/accounts', { 'x-request-id': id });
});

const sandbank = (...args: string[]): Promise<Ended> => runMain(args, { env: { BANK: bank.address } });

test.each(['--version', '-V', '-v'])('%s is one line with both versions', async (flag) => {
  const { code, lines, errors } = await runMain([flag]);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([`sandbank 0.1.0 (node ${process.version})`]);
});

describe('--bank and settings stand anywhere', () => {
  test.each([
    [['--bank', 'demo', 'snapshot', 'list']],
    [['--bank=demo', 'snapshot', 'list']],
    [['snapshot', '--bank', 'demo', 'list']],
    [['snapshot', 'list', '--bank', 'demo']],
    [['--json', '--bank', 'demo', 'snapshot', 'list']],
  ])('%j', async (args) => {
    const { code, lines } = await sandbank(...args);
    expect([code, lines.join('\n')]).toEqual([0, expect.stringMatching(/2028-01-01[T ]00:00/)]);
  });

  test('a port before the command', async () => {
    const { port } = new URL(bank.address);
    expect(await runMain(['--port', port, 'ready'])).toMatchObject({ code: 0, lines: ['ready'] });
  });

  test.each([
    [['--bank', 'demo', 'snapshto'], 'There is no command "snapshto"; the nearest is snapshot.'],
    [
      ['--bank', 'demo'],
      '--bank goes with a command for a running bank, as in "sandbank status --bank demo" (sandbank serve --help shows how to use this)',
    ],
    [['--runs', '1', 'advance'], '--runs is no flag here (sandbank serve --help shows how to use this)'],
  ])('%j', async (args, text) => {
    const { code, errors } = await sandbank(...args);
    expect([code, errors[0]]).toEqual([2, text]);
  });
});

describe('requests ID of a named bank', () => {
  test('with --bank', async () => {
    const args = [id, '--bank', 'demo'];
    const ended = await sandbank('requests', ...args);
    expect(ended).toMatchObject({ code: 0, errors: [] });
    expect(ended.lines[0]).toContain(id);
    const json = await sandbank('requests', ...args, '--json');
    expect(JSON.parse(json.lines.join('\n'))).toEqual(
      (await bank.control('GET', `/banks/demo/sandbox/requests/${id}`)).body,
    );
    expect(json.errors).toEqual([]);
  });

  test('one that no bank knows, and one that the bank of --bank does not know', async () => {
    expect(await sandbank('requests', 'nothing')).toMatchObject({ code: 1, lines: [] });
    const { code, errors } = await sandbank('requests', id, '--bank', 'other');
    expect([code, errors[0]]).toEqual([1, expect.stringMatching(/^refused \(404\)/)]);
  });
});

describe('--json', () => {
  test.each<[string[], string]>([
    [['snapshot', 'save', 'here'], 'name'],
    [['snapshot', 'list'], 'snapshots'],
    [['snapshot', 'restore', 'here'], 'clock'],
    [['snapshot', 'remove', 'here'], 'removed'],
    [['bank', 'create', 'third'], 'clock'],
    [['bank', 'list'], 'banks'],
    [['bank', 'remove', 'third'], 'removed'],
    [['ready'], 'status'],
    [['reset'], 'clock'],
    [['forecast', 'P1D'], 'executions'],
    [['advance', 'P1D'], 'runs'],
    [['requests'], 'requests'],
    [['certificate'], 'certificate'],
  ])('%j is one document', async (args, member) => {
    const { code, lines, errors } = await sandbank(...args, '--json');
    expect([code, errors]).toEqual([0, []]);
    expect(JSON.parse(lines.join('\n'))).toHaveProperty(member);
  });

  test('a refusal is the problem document of the bank', async () => {
    const { code, lines, errors } = await sandbank('snapshot', 'restore', 'nope', '--json');
    expect([code, lines]).toEqual([1, []]);
    const asked = await bank.control('POST', '/sandbox/snapshots/nope/restore');
    expect(JSON.parse(errors.join('\n'))).toEqual(asked.body);
  });

  test('an unknown command too', async () => {
    const { code, errors } = await sandbank('nope', '--json');
    expect([code, JSON.parse(errors.join(''))]).toEqual([2, { detail: expect.stringMatching(/^There is no command/) }]);
  });

  test('what is no Sandbank', async () => {
    const { errors, code } = await runMain(['ready', '--json'], { env: { BANK: `${bank.address}/nowhere` } });
    expect([code, JSON.parse(errors.join(''))]).toEqual([1, { status: null, detail: expect.stringContaining('404') }]);
  });
});
