import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, TestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openSaved } from '../lab/saved-bank.ts';

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

async function opened(source: TestBank): Promise<TestBank> {
  const saved = await fetch(`${source.address}/sandbox/bundle`);
  const server = await openSaved(Buffer.from(await saved.arrayBuffer()));
  return new TestBank(server.address, server.bank, server.stop);
}

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
  const after = await startTestBank(now, flags);
  expect(await statusesOf(after, links)).toEqual([200, 200]);
  await after.control('POST', '/sandbox/snapshots/kept/restore');
  expect(await statusesOf(after, links)).toEqual([200, 200]);
  await after.stop();
});
