import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { psuHeaders, startTestBank, type TestBank } from '../lab/server.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const folder = tempFolder();
const ledger = join(folder, 'data/l.sqlite');
const kept = join(folder, 'kept.sqlite');
let bank: TestBank;

const serve = (): Promise<TestBank> => startTestBank(now, ['--ledger', ledger]);

beforeAll(async () => {
  mkdirSync(join(folder, 'data'));
  bank = await serve();
});
afterAll(async () => {
  await bank.stop();
});

let count = 0;

async function initiate(): Promise<string> {
  const headers = { ...psuHeaders(), 'x-request-id': crypto.randomUUID() };
  const amount = (1 + (count += 1) / 100).toFixed(2);
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const answer = await bank.signed('POST', singlePath, { headers, body });
  expect(answer.status).toBe(201);
  return String(answer.body.paymentId);
}

test('B8: the snapshot of a bank under load is a whole ledger; a restore is the file in its place', async () => {
  const before = await initiate();
  let isDone = false;
  const load = (async () => {
    while (!isDone) await initiate();
  })();
  expect((await runMain(['snapshot', 'save', 'kept'], { env: { BANK: bank.address } })).code).toBe(0);
  isDone = true;
  await load;
  const [name = ''] = readdirSync(`${ledger}.snapshots`).filter((file) => /^kept@\d+\.sqlite$/.test(file));
  copyFileSync(join(`${ledger}.snapshots`, name), kept);
  if (process.platform !== 'win32') expect(statSync(kept).mode & 0o777).toBe(0o600);

  const later = await initiate();
  await bank.stop();
  copyFileSync(kept, ledger);
  bank = await serve();
  expect((await bank.control('GET', `/sandbox/payments/${before}`)).status).toBe(200);
  expect((await bank.control('GET', `/sandbox/payments/${later}`)).status).toBe(404);
  expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  expect((await bank.control('POST', '/sandbox/reset')).status).toBe(200);
}, 60_000);
