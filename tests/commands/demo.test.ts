import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { withCurl } from '../support/test-with.ts';

const run = promisify(execFile);
const now = '2027-03-24T12:00:00.000+01:00';
const [firstPayment] = catalogue();
const bank = testBank(now);

interface Told {
  readonly bank: string;
  readonly ends: string;
  readonly steps: readonly { readonly curl: string; readonly status: number; readonly answer: unknown }[];
}

async function told(...args: string[]): Promise<Told> {
  const { code, lines, errors } = await runMain(['demo', '--json', ...args], { env: { BANK: bank.address } });
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return JSON.parse(lines.join('\n')) as Told;
}

test('each request is a curl line with its answer; 250 kroner are gone, and nothing of another bank has moved', async () => {
  const before = (await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body;
  const { code, lines, errors } = await runMain(['demo'], { env: { BANK: bank.address } });
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
  const asked = lines.filter((line) => line.startsWith('curl '));
  expect(asked).toHaveLength(firstPayment?.steps.length ?? 0);
  for (const line of asked) expect(line).toContain(`'${bank.address}/banks/demo-1/sandbox/`);
  expect(lines.filter((line) => /^20[01] [{]/.test(line))).toHaveLength(firstPayment?.steps.length ?? 0);
  expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(now);
  expect((await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body).toEqual(before);
});

test('a second one, two at once, and one of a name of its own have banks of their own', async () => {
  const all = await Promise.all([told(), told(), told('--bank', 'mine')]);
  expect(all.map(({ ends }) => ends)).toEqual(all.map(() => 'The account had 18000.00 NOK and has 17750.00 NOK.'));
  const names = all.map(({ bank: address }) => address.split('/').at(-1));
  expect(names.toSorted()).toEqual(['demo-2', 'demo-3', 'mine']);
  expect(await runMain(['demo', '--bank', 'mine'], { env: { BANK: bank.address } })).toMatchObject({
    code: 1,
    lines: [],
    errors: [
      'refused (409): There is a bank mine already. DELETE /sandbox/banks/mine, or sandbank bank remove mine, takes it away.',
    ],
  });
});

withCurl('the lines can be repeated in a shell, but for what ends: an SCA, and a payment that was booked', async () => {
  const { steps } = await told();
  const ended = (curl: string): string | null =>
    /\/sandbox\/sca\//.test(curl) ? '400' : /\/status'/.test(curl) ? '403' : null;
  for (const { curl, status } of steps) {
    const { stdout } = await run('sh', ['-c', `${curl} -o /dev/null -w '%{http_code}'`]);
    expect([curl, stdout]).toEqual([curl, ended(curl) ?? String(status)]);
  }
});

withCurl(
  'a server with a control token, other settings and a public address plays it too; the line has no token',
  async () => {
    await using other = await startTestBank(now, [
      '--control-token=a-secret-of-the-server',
      '--public-url=http://bank.example',
      '--quirks=strict-signing',
      '--settlement-times=12:00',
      '--tpp-trust=ca',
    ]);
    const env = { BANK: other.address, SANDBANK_CONTROL_TOKEN: 'a-secret-of-the-server' };
    const { code, lines, errors } = await runMain(['demo'], { env });
    const refused = await runMain(['demo'], { env: { BANK: other.address } });
    const [line = ''] = lines.filter((one) => one.startsWith('curl '));
    const repeated = await run('sh', ['-c', line], { env: { ...process.env, ...env } });
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
    expect(lines.join()).not.toContain('a-secret-of-the-server');
    // An answer of several lines is printed as such: C7 escapes the line breaks within one line.
    expect(lines.filter((one) => /\\u000a|\n/.test(one))).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}"_links"|^ {2,}"accounts"/));
    expect(repeated.stdout).toContain('scaRedirect');
    expect(refused).toMatchObject({ code: 1, errors: [expect.stringMatching(/^refused \(401\)/)] });
  },
);

describe('where no server runs', () => {
  test('it starts one, which ends with it', async () => {
    const { code, lines, errors } = await runMain(['demo'], { env: { PORT: '1' } });
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
    const address = /http:\/\/[\d.:]+/.exec(lines[0] ?? '')?.[0] ?? '';
    await expect(fetch(`${address}/health`)).rejects.toThrow();
  });

  test.each([
    [['--port', '1'], {}, 'leave out --port, --host and BANK'],
    [[], { BANK: 'http://127.0.0.1:1' }, 'leave out --port, --host and BANK'],
  ])('it does not when one is named: %j %j', async (args, env, advice) => {
    const { code, lines, errors } = await runMain(['demo', ...args], { env });
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors).toEqual([expect.stringContaining(advice)]);
  });
});

test.each([
  [['x'], '"x" is one word too many'],
  [['--bank', '..'], '".." is no name'],
])('%j ends in 2', async (args, problem) => {
  const { code, errors } = await runMain(['demo', ...args], { env: { BANK: bank.address } });
  expect([code, errors]).toEqual([2, [expect.stringContaining(problem)]]);
});

test('an answer that is not the expected one ends the story with 1, and says what differs', async () => {
  // The only bank that it can make is armed to refuse: the fault is taken by the first payment.
  const playing = runMain(['demo', '--bank', 'armed'], { env: { BANK: bank.address } });
  while (!(await banks()).includes('armed'));
  const body = { code: 'PAYMENT_FAILED', path: '/v1/payments', method: 'POST' };
  const armed = await bank.control('POST', '/banks/armed/sandbox/faults', body);
  const { code, errors } = await playing;
  expect(armed.status).toBe(200);
  expect([code, errors[0]]).toEqual([1, 'step 4 went otherwise: the status is 400, expected 201']);
  expect(await banks()).not.toContain('armed');
});

async function banks(): Promise<readonly string[]> {
  const { body } = await bank.control('GET', '/sandbox/banks');
  return body.banks.map(({ name }: { name: string }) => name);
}
