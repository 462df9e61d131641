import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { readConfig } from '../../api/start/config.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { memoryBank } from '../lab/bank.ts';
import { BankClient } from '../lab/server.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* rules.md Q3d: the key of ids on the wire is drawn with the ledger, and kept in it. */

const quirks = { 'id-lengths': 'payment:69', 'reissued-ids': 'P60D' };
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const folder = tempFolder();
let servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function start(ledger: string, seed = ''): Promise<BankClient> {
  const own = ['--port=0', `--ledger=${ledger}`, '--log-level=silent', '--clock-mode=frozen', '--clock-now=2027-03-24'];
  const server = await startServer(readConfig({ SANDBANK_ID_SEED: seed }, own));
  servers.push(server);
  return new BankClient(server.address);
}

async function stopAll(): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
}

const withQuirks = async (bank: BankClient): Promise<BankClient> => {
  expect((await bank.control('PUT', '/sandbox/quirks', { quirks })).status).toBe(200);
  return bank;
};
const pay = async (bank: BankClient): Promise<string> => {
  const { status, body } = await bank.signed('POST', `${singlePath}?allowLogicalDuplicate=true`, {
    body: singlePayment(),
    headers: psu,
  });
  expect(status).toBe(201);
  return body.paymentId;
};
const statusOf = async (bank: BankClient, id: string): Promise<number> =>
  (await bank.signed('GET', `${singlePath}/${id}`, { headers: psu })).status;
const hashOf = async (bank: BankClient, ids = ''): Promise<string> =>
  (await bank.control('GET', `/sandbox/ledger/hash${ids}`)).body.hash;

describe('an id that was shown is read back', () => {
  test('Q3d: after a restart', async () => {
    const ledger = join(folder, 'restart.sqlite');
    const id = await pay(await withQuirks(await start(ledger)));
    await stopAll();
    expect(await statusOf(await start(ledger), id)).toBe(200);
  });

  test('Q3d: after an initialize, which draws another key, and a restart', async () => {
    const ledger = join(folder, 'initialized.sqlite');
    const bank = await withQuirks(await start(ledger));
    const before = await pay(bank);
    expect((await bank.signed('POST', '/v1/sandbox/initialize')).status).toBe(200);
    const id = await pay(bank);
    expect(await statusOf(bank, before)).toBe(403);
    await stopAll();
    expect(await statusOf(await start(ledger), id)).toBe(200);
  });

  test('Q3d: after a snapshot was restored, and not after a reset, which removes the payment', async () => {
    const bank = await withQuirks(await start(':memory:'));
    const id = await pay(bank);
    await bank.control('POST', '/sandbox/snapshots', { name: 'kept' });
    await bank.control('POST', '/sandbox/reset', {});
    await withQuirks(bank);
    expect(await statusOf(bank, id)).toBe(403);
    await bank.control('POST', '/sandbox/snapshots/kept/restore', {});
    expect(await statusOf(bank, id)).toBe(200);
  });

  test('Q3d: in another server, from a bundle', async () => {
    const bank = await withQuirks(await start(':memory:'));
    const id = await pay(bank);
    const bundle = Buffer.from(await (await fetch(`${bank.address}/sandbox/bundle`)).arrayBuffer());
    const server = await openSaved(bundle);
    servers.push(server);
    const opened = new BankClient(server.address);
    expect((await opened.control('GET', '/sandbox/quirks')).body.quirks).toEqual(quirks);
    const read = await opened.control('GET', `/sandbox/payments/${encodeURIComponent(id)}`);
    expect([read.status, read.body.wirePaymentId, await statusOf(opened, id)]).toEqual([200, id, 200]);
  });
});

test('Q3d: another ledger has another key, and writes another id for the same transaction', async () => {
  const [one, other] = await Promise.all([start(':memory:'), start(':memory:')]);
  const ids: { transactionId: string; wireTransactionId: string }[] = [];
  for (const bank of [one, other]) {
    await withQuirks(bank);
    const amount = { amount: '1.00', currency: 'NOK' };
    await bank.control('POST', `/sandbox/accounts/${debtorBban}/top-up`, { amount });
    const { entries } = (await bank.control('GET', `/sandbox/accounts/${debtorBban}`)).body;
    ids.push(entries.at(-1));
  }
  expect(ids[0]?.transactionId).toBe(ids[1]?.transactionId);
  expect(ids[0]?.wireTransactionId).not.toBe(ids[1]?.wireTransactionId);
  expect(await statusOf(other, await pay(one))).toBe(403);
});

describe('the hash', () => {
  test('Q3d: counts the key with ids=included only', async () => {
    const banks = await Promise.all([start(':memory:', 'a'), start(':memory:', 'a')]);
    const other = await start(':memory:', 'b');
    const [one, same] = await Promise.all(banks.map((bank) => hashOf(bank, '?ids=included')));
    expect(one).toBe(same);
    expect(await hashOf(other, '?ids=included')).not.toBe(one);
    expect(new Set(await Promise.all([...banks, other].map((bank) => hashOf(bank)))).size).toBe(1);
  });

  test('Q3d: differs with ids=included between ledgers that differ in the key alone', async () => {
    await using bank = await memoryBank('2027-03-24');
    const hashes = async () => [await hashLedger(bank, 'left-out'), await hashLedger(bank, 'included')];
    const [leftOut, included] = await hashes();
    await bank.ledger.write((tx) =>
      tx
        .updateTable('bank_state')
        .set({ wire_key: 'f'.repeat(64) })
        .execute(),
    );
    const [leftOutAfter, includedAfter] = await hashes();
    expect(leftOutAfter).toBe(leftOut);
    expect(includedAfter).not.toBe(included);
  });

  test('Q3d: is not changed by the quirk, nor by what is asked under it', async () => {
    const bank = await start(':memory:');
    const before = await hashOf(bank, '?ids=included');
    await withQuirks(bank);
    await bank.signed('GET', '/v1/sandbox/accounts');
    expect(await hashOf(bank, '?ids=included')).toBe(before);
  });
});
