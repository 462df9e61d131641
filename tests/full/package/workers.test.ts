import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { noCompileCache } from '../../support/kept.ts';
import { builtDist } from './built.ts';
import { pageBlocks } from '../../support/markdown.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

/* Jest's workers side by side, each in a process of its own, each with its own bank. WORKERS=8 is the size of docs/tests/banks.md. */

const workers = Number(process.env['WORKERS'] ?? 2);
const start = '2027-03-24T12:00:00.000+01:00';
let server: TestBank;
const folder = tempFolder();
let harness: string;
beforeAll(async () => {
  harness = join(await builtDist(), 'api/harness');
  server = await startTestBank('2026-06-01T12:00:00+02:00');
}, 120_000);
afterAll(() => server.stop());

/** `bank.js` of docs/tests/banks.md. */
function bankOfPage(): string {
  const [block] = pageBlocks('docs/tests/banks.md').filter(({ text }) => text.includes('JEST_WORKER_ID'));
  return block?.text ?? '';
}

/** `bank.js` of the page. */
const namedBank = (): string => bankOfPage().replace("'sandbank'", `'${harness}/index.mjs'`);

/** The same export, a bank that the worker's own process has. */
const bankOfProcess = () => `
import { afterAll, beforeEach } from '@jest/globals';
import { createBank } from '${harness}/index.mjs';
export const bank = await createBank({ now: '${start}' });
beforeEach(() => bank.reset());
afterAll(() => bank.close());
`;

/**
 * A test file, to be run beside others: it waits for them, and then pays its own amounts, moves its own clock by its own
 * number of days, and looks at payments and clock after each step, and at the balance.
 */
const story = (index: number, rounds: readonly number[]): string => `
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { bank as own } from './bank.mjs';

const nora = '09232911044';
const worker = ${index} + 1;
const psu = '13039319955';

const bank = own.url;
const tpp = bank + '/sandbox/as/worker/v1';

async function sign(links) {
  const sca = links.scaRedirect.href.split('/').at(-1);
  const { redirect } = await call('POST', bank + '/sandbox/sca/' + sca, { outcome: 'approve', psu, context: 'PRIVATE' });
  return new URL(redirect).searchParams.get('psu-id');
}

/** Sends JSON and returns the answer; throws if the bank refuses. */
async function call(method, address, body, headers = {}) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await own.fetch(address, { method, headers: { 'content-type': 'application/json', ...headers }, ...json });
  if (!answer.ok) throw new Error(method + ' ' + address + ': ' + answer.status + ' ' + await answer.text());
  return answer.json();
}

/** Nora's balance in ore, as a reader sees it. */
async function balance() {
  const id = await sign((await call('POST', tpp + '/bank-offered-consents'))._links);
  const { accounts } = await call('GET', tpp + '/accounts?withBalance=true', undefined, { 'PSU-ID': id });
  const { balances } = accounts.find(({ bban }) => bban === nora);
  return Math.round(100 * balances.find(({ balanceType }) => balanceType === 'interimAvailable').balanceAmount.amount);
}

async function look(paid, now) {
  const { payments } = await call('GET', bank + '/sandbox/payments');
  expect(payments.map(({ amount }) => amount.amount)).toEqual(paid.toReversed());
  expect((await call('GET', bank + '/sandbox/clock')).now.slice(0, 10)).toBe(now);
}

/** One step of all at the same time. */
async function together(step) {
  mkdirSync(step, { recursive: true });
  writeFileSync(step + '/' + worker, process.env.JEST_WORKER_ID);
  while (readdirSync(step).length < ${workers}) {
    if (existsSync('failed')) throw new Error('another worker has failed');
    await new Promise((done) => setTimeout(done, 5));
  }
}

let passed = false;
afterEach(() => {
  if (!passed) writeFileSync('failed', '');
});

test.each([${rounds}])('round %i is its own', async (round) => {
  passed = false;
  await together('round-' + round);
  const paid = [];
  await look(paid, '2027-03-24');
  for (const part of [1, 2, 3]) {
    const amount = worker + '0' + part + '.' + round + '0';
    const order = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount: { bban: nora, currency: 'NOK' },
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      creditorName: 'Company 123',
    };
    const path = '/payments/norwegian-domestic-credit-transfers';
    const { _links } = await call('POST', tpp + path, order, { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' });
    await sign(_links);
    paid.push(amount);
    await look(paid, '2027-03-24');
  }
  await together('paid-' + round);
  await call('POST', bank + '/sandbox/clock/advance', { by: 'P' + worker + 'D' });
  await look(paid, new Date(Date.UTC(2027, 2, 24 + worker)).toISOString().slice(0, 10));
  expect(await balance()).toBe(1_800_000 - paid.reduce((sum, amount) => sum + Math.round(100 * amount), 0));
  expect((await call('GET', bank + '/sandbox/ledger/proof')).ok).toBe(true);
  await together('ended-' + round);
  passed = true;
}, 60_000);
`;

/** Runs the story once in each worker, and gives what jest says. */
async function run(name: string, bank: string, rounds = [1, 2, 3]): Promise<{ said: string; ids: string[] }> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'bank.mjs'), bank);
  for (let index = 0; index < workers; index += 1)
    writeFileSync(join(project, `${index}.test.mjs`), story(index, rounds));
  writeFileSync(
    join(project, 'jest.config.json'),
    JSON.stringify({
      rootDir: project,
      testMatch: ['<rootDir>/*.test.mjs'],
      transform: {},
      moduleNameMapper: { '^@jest/globals$': resolve('node_modules/@jest/globals') },
    }),
  );
  const jest = [
    resolve('node_modules/jest/bin/jest.js'),
    '--maxWorkers',
    String(workers),
    '--config',
    'jest.config.json',
  ];
  const options = {
    cwd: project,
    env: {
      ...process.env,
      ...noCompileCache,
      BANK: server.address,
      FORCE_COLOR: '0',
      NODE_OPTIONS: '--experimental-vm-modules',
    },
  };
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, jest, options, (_error, out, err) => done(out + err));
  });
  const ids = Array.from({ length: workers }, (_, index) => join(project, 'round-1', `${index + 1}`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  return { said, ids };
}

describe(`${workers} jest workers at the same time`, () => {
  const names = Array.from({ length: workers }, (_, index) => `${index + 1}`);

  test('on one server, each in its named bank, see their own payments, balances and time', async () => {
    const { said, ids } = await run('named', namedBank());
    expect(said).toContain(`Tests:       ${3 * workers} passed, ${3 * workers} total`);
    expect(ids.toSorted()).toEqual(names);
    const { banks } = (await server.control('GET', '/sandbox/banks')).body;
    expect(banks.map((each: { name: string }) => each.name).toSorted()).toEqual([
      'default',
      ...names.map((id) => `worker-${id}`),
    ]);
    expect((await server.control('GET', '/sandbox/payments')).body.total).toBe(0);
    expect((await server.control('GET', '/sandbox/clock')).body.now).toBe('2026-06-01T12:00:00.000+02:00');
  }, 120_000);

  test('with createBank each, see their own payments, balances and time', async () => {
    const { said, ids } = await run('own', bankOfProcess());
    expect(said).toContain(`Tests:       ${3 * workers} passed, ${3 * workers} total`);
    expect(ids.toSorted()).toEqual(names);
  }, 120_000);

  test('in one bank they would cross', async () => {
    const shared = namedBank().replaceAll('process.env.JEST_WORKER_ID', "'all'");
    await server.control('POST', '/sandbox/banks', { name: 'worker-all', now: start, mode: 'frozen' });
    const { said } = await run('crossing', shared, [1]);
    expect(said).toMatch(/Tests: +\d+ failed/);
    // They see each other's payments, or their resets meet.
    expect(said).toMatch(/> \d+ \| +await look\(paid|> \d+ \| +expect\(|Another call is moving the clock/);
  }, 120_000);
});
