import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import type { CreateBankOptions } from '../../api/harness/index.ts';
import { unpackBundle } from '../../api/hosting/bundle/bundle-file.ts';
import { requireNode } from '../../api/harness/create-bank.ts';
import { knownState } from '../lab/bank.ts';
import { anne, harnessBank, nora, stranger, wednesday } from './harness-bank.ts';

const held = harnessBank();

describe('a bank for a test', () => {
  test('its clock stands still at the instant asked for', async () => {
    expect(await held.bank.clock.now()).toBe('2027-03-24T12:00:00.000+01:00');
  });

  test('what is left out by undefined is as if it were not there', async () => {
    await using bank = await createBank({ now: wednesday, mode: undefined } as unknown as CreateBankOptions);
    expect(await bank.clock.set({ now: wednesday })).toMatchObject({ mode: 'frozen' });
  });

  test('two banks of one process know nothing of each other', async () => {
    const [one, other] = await Promise.all([createBank({ now: wednesday }), createBank({ now: '2030-01-02' })]);
    const paymentId = await one.tpp().pay({ from: nora.bban, to: stranger, amount: '1.00' });
    await one.clock.advance({ runs: 2 });
    expect((await one.payments(paymentId)).status).toBe('ACSC');
    await expect(other.payments(paymentId)).rejects.toThrow('There is no payment');
    expect(await other.clock.now()).toBe('2030-01-02T00:00:00.000+01:00');
    await Promise.all([one.close(), other.close()]);
  });

  test('without a port it is reached by its own fetch alone, at an address that leads nowhere', async () => {
    expect(held.bank.url).toBe('http://sandbank.test');
    const info = await held.bank.fetch('/sandbox/info');
    expect(info.status).toBe(200);
    expect(await info.json()).toMatchObject({ addresses: { control: 'http://sandbank.test/sandbox' } });
    expect((await held.bank.fetch('/ready')).ok).toBe(true);
  });

  test('with a port any client reaches it, until it is closed', async () => {
    const bank = await createBank({ now: wednesday, port: 0 });
    const answer = await fetch(`${bank.url}/sandbox/clock`);
    expect(await answer.json()).toMatchObject({ now: '2027-03-24T12:00:00.000+01:00', mode: 'frozen' });
    const port = Number(new URL(bank.url).port);
    const refused = await createBank({ port }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refused).toContain(`createBank: cannot listen on port ${port} (EADDRINUSE). Port `);
    const free = Number(/ Port (\d+) is free\. Port 0 takes a free one\.$/.exec(refused)?.[1]);
    const there = await createBank({ now: wednesday, port: free });
    expect(there.url).toBe(`http://127.0.0.1:${free}`);
    await there.close();
    await bank.close();
    await expect(fetch(`${bank.url}/sandbox/clock`)).rejects.toThrow();
  });

  test('once closed it says so, and closing it again does nothing', async () => {
    const bank = await createBank({ now: wednesday });
    await bank.close();
    await bank.close();
    await expect(bank.fetch('/v1/accounts')).rejects.toThrow(
      'The bank was closed, and then asked for GET /v1/accounts.',
    );
  });

  test('fixtures may be an object, which is not changed', async () => {
    const [customer] = knownState.customers.filter(({ customerNumber }) => customerNumber === anne.psu);
    const fixtures = {
      $schema: './seed.json',
      customers: [customer],
      agreements: [],
    } as unknown as CreateBankOptions['fixtures'];
    const before = JSON.stringify(fixtures);
    await using bank = await createBank({ now: wednesday, ...(fixtures !== undefined && { fixtures }) });
    expect((await bank.account(anne.bban)).balance).toEqual({ amount: '12.00', currency: 'NOK' });
    await expect(bank.account(nora.bban)).rejects.toThrow('This bank has no account');
    expect(JSON.stringify(fixtures)).toBe(before);
  });

  test('quirks and settlement times are its own', async () => {
    await using bank = await createBank({
      now: wednesday,
      quirks: ['signature-401'],
      settlementTimes: ['10:00', '14:00'],
    });
    expect((await bank.fetch('/v1/accounts')).status).toBe(401);
    expect((await bank.clock.advance({ runs: 1 })).to).toBe('2027-03-24T14:00:00.000+01:00');
  });

  test('a running clock carries out the runs of the way at the next look, with nothing that ticks', async () => {
    await using bank = await createBank({ now: '2027-03-24T12:00:00+01:00', mode: 'running' });
    const paymentId = await bank.tpp().pay({ from: nora.bban, to: stranger, amount: '1.00' });
    await bank.clock.set({ rate: 86_400 });
    let { status } = await bank.payments(paymentId);
    for (let look = 0; status !== 'ACSC' && look < 200; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      ({ status } = await bank.payments(paymentId));
    }
    expect(status).toBe('ACSC');
  });
});

test.each<[string, unknown, string]>([
  ['no instant', { now: 'noon' }, 'createBank: now is "noon": expected an ISO 8601 instant with offset'],
  ['an unknown mode', { mode: 'slow' }, 'createBank: mode is "slow": expected one of running, frozen'],
  [
    'an unknown quirk',
    { quirks: ['strict'] },
    'createBank: quirks is "strict": there is no quirk strict; the nearest is strict-signing',
  ],
  [
    'an unknown option',
    { fixture: 'x' },
    'createBank has no option fixture; the nearest is fixtures. It has port, now, mode,',
  ],
  [
    'unknown fixtures',
    { fixtures: 'x' },
    'createBank: There are no fixtures "x". There are a-year-of-life, known-state, twins, or give a path',
  ],
  ['a file that is not there', { fixtures: './x.json' }, 'the fixtures ./x.json cannot be used: '],
  [
    'fixtures that are none',
    { fixtures: { customers: 1, agreements: [] } },
    'createBank: the fixtures cannot be used: customers: 1 is a number: expected a list of customers.',
  ],
])('%s is told in one line, and where the test asked for it', async (_what, options, text) => {
  let told: unknown;
  try {
    await createBank(options as CreateBankOptions);
  } catch (error) {
    told = error;
  }
  expect(told).toMatchObject({
    message: expect.stringMatching(/^createBank/),
    stack: expect.stringContaining(ownFile),
  });
  expect((told as Error).message).toContain(text);
});
const ownFile = 'harness/create-bank.test.ts';

test.each([
  [undefined, 'known-state'],
  ['./fixtures/twins.json', './fixtures/twins.json'],
  [knownState, 'an object'],
])('its information names the fixtures: %#', async (fixtures, name) => {
  await using bank = await createBank({ now: wednesday, ...(fixtures !== undefined && { fixtures }) });
  expect((await bank.info()).ledger.fixtures).toBe(name);
  await bank.reset();
  expect((await bank.info()).ledger.fixtures).toBe(name);
});

test('bank.save writes the file that sandbank open opens', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sandbank-save-'));
  const file = join(folder.path, 'one.sandbank');
  await held.bank.topUp(nora.bban, '1.23');
  await held.bank.save(file);
  const answer = await held.bank.fetch('/sandbox/bundle');
  const [saved, fetched] = [readFileSync(file), Buffer.from(await answer.arrayBuffer())];
  expect((await unpackBundle(saved)).ledger).toEqual((await unpackBundle(fetched)).ledger);
  await expect(held.bank.save(undefined as never)).rejects.toThrow(
    'bank.save takes the path of a file, and got undefined.',
  );
});

test('an older Node is told what is needed, before anything is loaded that would crash it', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('^22.15 || >=24');
  expect(() => requireNode('20.20.2')).toThrow(
    /^sandbank needs Node 22\.15, or 24 or newer, and these tests run on 20\.20\.2\. .*node@24/,
  );
  expect(() => requireNode('22.14.0')).toThrow('sandbank needs Node 22.15');
  expect(() => requireNode('22.15.0')).not.toThrow();
  expect(() => requireNode('23.11.0')).toThrow('these tests run on 23.11.0');
  expect(() => requireNode('24.0.0')).not.toThrow();
});
