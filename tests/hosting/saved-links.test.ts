import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findBankState } from '../../engine/bank/rows/bank-state.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { rowsOf } from '../lab/rows.ts';
import { startTestBank, TestBank } from '../lab/server.ts';
import { oneOf } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openSaved } from '../lab/saved-bank.ts';
import { taken } from '../lab/forged-bundle.ts';

/* B6: a link that opens something by itself opens it in one place. */

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();
const nora = '13039319955';

interface Links {
  readonly sca: string;
  readonly access: string;
}

/** Path of the page of access as the bank tells it now. */
async function accessIn(bank: TestBank): Promise<string> {
  return new URL((await bank.control('GET', `/sandbox/access/${nora}`)).body.address).pathname;
}

/** Paths of the open SCAs as the bank tells them now. */
async function openIn(bank: TestBank): Promise<readonly string[]> {
  const { scas } = (await bank.control('GET', '/sandbox/sca')).body;
  return scas.map(({ address }: { readonly address: string }) => new URL(address).pathname);
}

async function begun(bank: TestBank): Promise<Links> {
  const told = await bank.initiates(singlePath, singlePayment());
  await bank.consents();
  return { sca: new URL(told._links.scaRedirect.href).pathname, access: await accessIn(bank) };
}

const statusesOf = (bank: TestBank, { sca, access }: Links): Promise<readonly number[]> =>
  Promise.all([sca, access].map(async (path) => (await bank.raw('GET', path)).status));

async function savedOf(source: TestBank): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${source.address}/sandbox/bundle`)).arrayBuffer());
}

async function opened(source: TestBank): Promise<TestBank> {
  const server = await openSaved(await savedOf(source));
  return new TestBank(server.address, server.bank, server.stop);
}

const saved = [
  ['in memory', ':memory:', 1],
  ['on a file', join(folder, 'small.sqlite'), 1],
  ['on a large file', join(folder, 'large.sqlite'), 10_000_000],
] as const;
test.each(oneOf('saved banks', saved))(
  'B5: a bank %s that is saved has no link that opens a page of the bank',
  async (_, file, characters) => {
    await using source = await startTestBank(now, [`--ledger=${file}`]);
    const links = await begun(source);
    // Many rows more, so that SQLite moves the first ones to other pages.
    for (let count = 0; count < 40; count += 1)
      await source.initiates(`${singlePath}?allowLogicalDuplicate=true`, singlePayment());
    expect(await statusesOf(source, links)).toEqual([200, 200]);
    await source.signed('GET', '/v1/accounts', { headers: { note: encodeURIComponent(links.sca) } });
    const live = [...(await openIn(source)), links.access].map((path) => path.slice(path.lastIndexOf('/') + 1));
    expect(live.length).toBeGreaterThan(42);
    await source.bank.ledger.write((tx) =>
      rowsOf(tx, `update status_change set cause = hex(zeroblob(${characters / 2})) where id = 1`),
    );

    const { json, ledger } = taken(await savedOf(source));
    const texts = [JSON.stringify(json), ledger.toString('latin1')];
    expect(texts[0]).toContain('/sca/***');
    expect(live.filter((id) => texts.some((text) => text.includes(id)))).toEqual([]);
    const key = (await source.bank.ledger.read((reader) => findBankState(reader)))?.access_key ?? '';
    expect([key.length, texts[1]?.includes(key)]).toEqual([64, false]);
    expect(ledger.length).toBeGreaterThan(characters);
    // Nothing changes at the bank itself.
    expect(await statusesOf(source, links)).toEqual([200, 200]);
  },
);

test('B5: a call that is repeated at an opened bank answers with the link of that bank', async () => {
  await using source = await startTestBank(now);
  const headers = { 'x-request-id': 'b0e5a1a6-2a1c-4d5e-9c7e-0a1b2c3d4e5f' };
  const linkOf = async (bank: TestBank): Promise<string> => {
    const told = await bank.initiates(singlePath, singlePayment(), nora, { headers });
    return new URL(told._links.scaRedirect.href).pathname;
  };
  const link = await linkOf(source);
  await using bank = await opened(source);
  const own = await linkOf(bank);
  expect(own).not.toBe(link);
  expect(await openIn(bank)).toEqual([own]);
  expect((await bank.raw('GET', own)).status).toBe(200);
  expect((await source.raw('GET', own)).status).toBe(404);
});

test('B6: a saved bank that is opened has other links, which work; those of the bank that was saved go on', async () => {
  const source = await startTestBank(now);
  const links = await begun(source);
  const first = await opened(source);
  const second = await opened(source);
  expect(await statusesOf(source, links)).toEqual([200, 200]);
  const seen = new Set([links.sca, links.access]);
  for (const bank of [first, second]) {
    expect(await statusesOf(bank, links)).toEqual([404, 404]);
    const [sca = ''] = await openIn(bank);
    const own = { sca, access: await accessIn(bank) };
    expect(await statusesOf(bank, own)).toEqual([200, 200]);
    for (const path of [own.sca, own.access]) expect(seen.has(path)).toBe(false);
    seen.add(own.sca).add(own.access);
    // The snapshot of the opened bank has them too.
    await bank.control('POST', '/sandbox/snapshots/opened/restore');
    expect(await statusesOf(bank, own)).toEqual([200, 200]);
    await bank.approve(bank.address + own.sca);
    expect(await openIn(bank)).toEqual([]);
  }
  expect((await source.control('GET', '/sandbox/ledger/hash')).status).toBe(200);
  for (const bank of [source, first, second]) await bank.stop();
});

test('B6: a restart and a restore keep the links', async () => {
  const ledger = join(folder, 'ledger.sqlite');
  const flags = [`--ledger=${ledger}`];
  const before = await startTestBank(now, flags);
  const links = await begun(before);
  await before.control('POST', '/sandbox/snapshots', { name: 'kept' });
  await before.stop();
  await using after = await startTestBank(now, flags);
  expect(await statusesOf(after, links)).toEqual([200, 200]);
  await after.control('POST', '/sandbox/snapshots/kept/restore');
  expect(await statusesOf(after, links)).toEqual([200, 200]);
});
