import { afterEach, expect, test } from '@jest/globals';
import { BankClient, startTestBank } from '../lab/server.ts';
import { now } from './lived-banks.ts';
import { openSaved } from '../lab/saved-bank.ts';

const family = '09232911044';

async function told(bank: BankClient, base: string) {
  const hash = (await bank.control('GET', `${base}/ledger/hash`)).body as object;
  const truth = (await bank.control('GET', `${base}/life/${family}/truth?from=2026-11-20`)).body as {
    readonly truth: readonly { readonly event: string | null }[];
  };
  return { hash, truth: truth.truth.length, named: truth.truth.filter(({ event }) => event !== null).length };
}

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

test('L2, B2, C5: a named bank with seven lives goes on from a snapshot and from its bundle as it did', async () => {
  const server = await startTestBank(now);
  stops.push(() => server.stop());
  expect((await server.control('POST', '/sandbox/banks', { name: 'lived', fixtures: 'a-year-of-life' })).status).toBe(
    200,
  );
  const base = '/banks/lived/sandbox';
  await server.control('POST', `${base}/snapshots`, { name: 'before' });
  const bytes = Buffer.from(await (await fetch(`${server.address}${base}/bundle`)).arrayBuffer());
  const step = (bank: BankClient, path: string) => bank.control('POST', `${path}/clock/advance`, { by: 'P9D' });
  const advanced = await step(server, base);
  expect(advanced.body.lives).toHaveLength(7);
  const first = await told(server, base);
  expect(first.named).toBeGreaterThan(15);
  await server.control('POST', `${base}/snapshots/before/restore`);
  await step(server, base);
  expect(await told(server, base)).toEqual(first);
  const bundle = bytes;
  const opened = await openSaved(bundle);
  stops.push(() => opened.stop());
  const copy = new BankClient(opened.address);
  await step(copy, '/sandbox');
  expect(await told(copy, '/sandbox')).toEqual(first);
}, 30_000);
