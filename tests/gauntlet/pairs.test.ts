import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Bank, createBank, type CreateBankOptions } from '../../api/harness/index.ts';
import { startServer } from '../../api/hosting/server.ts';
import { type Config, readConfig } from '../../api/start/config.ts';
import { trialOfNextBank } from '../../api/gauntlet/own-trial.ts';
import { readRecording, type Recording } from '../../scripts/gauntlet/recording.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* Trials beside snapshots, saved banks, forecasts, named banks and the console, in banks of this process. */

const folder = tempFolder();
const [nora, account, outside, inside] = ['13039319955', '09232911044', '90491105991', '74712699947'];
let count = 0;

interface Tried extends AsyncDisposable {
  readonly bank: Bank;
  recorded(): Recording;
}

/** A bank under a trial, or one that hears all trials. */
async function under(trial: string | null, options: CreateBankOptions = {}): Promise<Tried> {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  writeFileSync(join(own, 'trial.json'), JSON.stringify({ version: 1, trial, late: 'PT1S' }));
  process.env['SANDBANK_TRIAL'] = join(own, 'trial.json');
  try {
    const bank = await createBank({ now: '2027-04-13T12:00:00+02:00', ...options });
    return { bank, recorded: () => readRecording(own), [Symbol.asyncDispose]: () => bank.close() };
  } finally {
    delete process.env['SANDBANK_TRIAL'];
  }
}

/** The amounts that the account has got. */
async function credits(bank: Bank): Promise<readonly string[]> {
  const { transactions } = await bank.account(account);
  return transactions.flatMap(({ amount: { amount }, booked }) => (booked && !amount.startsWith('-') ? [amount] : []));
}

const pay = (bank: Bank, to: string, amount = '40.00'): Promise<string> =>
  bank.tpp().pay({ from: account, to, amount });

test('GA2, S12: what has left the bank comes back once; a payment that stays inside leaves the turn to the next', async () => {
  await using tried = await under('returned');
  const { bank, recorded } = tried;
  await pay(bank, inside, '10.00');
  const [paid] = [await pay(bank, outside, '20.00'), await pay(bank, outside, '30.00')];
  await bank.clock.advance('2027-04-13T23:00:00+02:00');
  // It is on its way, and has changed nothing yet.
  expect(recorded().isApplied).toBe(false);
  await bank.clock.advance('P7D');
  expect(await credits(bank)).toEqual(['20.00']);
  expect((await bank.payments(paid)).status).toBe('ACSC');
  expect(recorded().isApplied).toBe(true);
});

test('GA1: a payment that settles hears it, one that waits does not', async () => {
  await using tried = await under(null);
  await pay(tried.bank, outside);
  expect(tried.recorded().heard.has('returned')).toBe(false);
  await tried.bank.clock.advance('P7D');
  expect(tried.recorded().heard.has('returned')).toBe(true);
});

test('GA2, S12, J1: a snapshot holds what is to come back, and the forecast tells of it', async () => {
  await using tried = await under('returned');
  const { bank } = tried;
  await pay(bank, outside);
  await bank.clock.advance('2027-04-13T23:00:00+02:00');
  await bank.snapshot();
  for (let times = 0; times < 2; times += 1) {
    const forecast = await bank.forecast('P7D');
    expect(JSON.stringify(forecast)).toContain('returned');
    await bank.clock.advance('P7D');
    expect(await credits(bank)).toHaveLength(1);
    await bank.restore();
    expect(await credits(bank)).toHaveLength(0);
  }
});

test('GA2: what happens once in a bank happens again after a reset', async () => {
  await using tried = await under('gateway@GET/accounts+sca-cancelled+returned');
  const { bank } = tried;
  const tpp = bank.tpp();
  for (let times = 0; times < 2; times += 1) {
    const { headers } = await tpp.consent({ psu: nora });
    const statuses: number[] = [];
    for (let calls = 0; calls < 2; calls += 1) statuses.push((await tpp.fetch('/v1/accounts', { headers })).status);
    expect(statuses).toEqual([503, 200]);
    const redirects: boolean[] = [];
    for (let consents = 0; consents < 2; consents += 1) {
      const asked = await tpp.fetch('/v1/bank-offered-consents', { method: 'POST' });
      const { _links: links } = (await asked.json()) as { readonly _links: { readonly scaRedirect: { href: string } } };
      const redirect = await bank.psu(nora).approve(links.scaRedirect.href);
      redirects.push(redirect.searchParams.has('psu-id'));
    }
    expect(redirects).toEqual([false, true]);
    await pay(bank, outside, '20.00');
    await bank.clock.advance('P9D');
    expect(await credits(bank)).toEqual(['20.00']);
    await bank.reset();
  }
});

test('GA6: a snapshot and a restore stay in the world', async () => {
  await using tried = await under('same-bank-at-once+status-lag+gateway-second@GET/accounts');
  const { bank } = tried;
  const tpp = bank.tpp();
  await bank.snapshot();
  for (let times = 0; times < 2; times += 1) {
    const { headers } = await tpp.consent({ psu: nora });
    const payment = await pay(bank, inside);
    const path = `/v1/payments/norwegian-domestic-credit-transfers/${encodeURIComponent(payment)}/status`;
    const read = async (): Promise<unknown> =>
      ((await (await tpp.fetch(path)).json()) as { readonly transactionStatus: string }).transactionStatus;
    const early = await read();
    await bank.clock.advance('PT30S');
    expect([early, await read()]).toEqual(['RCVD', 'ACSC']);
    const calls = [await tpp.fetch('/v1/accounts', { headers }), await tpp.fetch('/v1/accounts', { headers })];
    expect(calls.map(({ status }) => status)).toEqual([200, 503]);
    await bank.restore();
  }
});

test('GA2, B5: a saved bank has the quirk of the trial, and is under no trial when it is opened', async () => {
  await using tried = await under('fee-indicator');
  const file = join(folder, 'saved.sandbank');
  await tried.bank.save(file);
  const bundle = readFileSync(file);
  await using server = await openSaved(bundle);
  const before = tried.recorded().calls.length;
  const { quirks } = (await (await fetch(`${server.address}/sandbox/info`)).json()) as {
    readonly quirks: readonly { readonly name: string; readonly on: boolean }[];
  };
  await fetch(`${server.address}/sandbox/as/shop/v1/accounts`);
  expect(quirks.filter(({ on }) => on).map(({ name }) => name)).toEqual(['fee-indicator']);
  expect(tried.recorded().calls).toHaveLength(before);
});

test('GA2, B10: a bank that begins from a saved one is under the trial: quirk, wire and what comes back, also after a reset', async () => {
  const file = join(folder, 'prepared.sandbank');
  await using prepared = await createBank({ now: '2027-04-12T12:00:00+02:00' });
  await pay(prepared, inside, '10.00');
  await prepared.clock.advance('P1D');
  await prepared.save(file);
  await using tried = await under('fee-indicator+gateway@GET/accounts+returned', { from: file });
  const { bank, recorded } = tried;
  const { headers } = await bank.tpp().consent({ psu: nora });
  await bank.snapshot('consented');
  const struck: (readonly number[])[] = [];
  for (const goBack of [() => bank.restore('consented'), () => bank.reset()]) {
    expect((await bank.info()).quirks.filter(({ on }) => on).map(({ name }) => name)).toEqual(['fee-indicator']);
    const statuses: number[] = [];
    for (let calls = 0; calls < 2; calls += 1)
      statuses.push((await bank.tpp().fetch('/v1/accounts', { headers })).status);
    struck.push(statuses);
    await pay(bank, outside, '20.00');
    await bank.clock.advance('P9D');
    expect(await credits(bank)).toEqual(['20.00']);
    await goBack();
    expect(await credits(bank)).toEqual([]);
  }
  expect([struck, recorded().isApplied]).toEqual([
    [
      [503, 200],
      [503, 200],
    ],
    true,
  ]);
  // Without a trial the same file is a bank as it was saved.
  await using free = await createBank({ from: file });
  expect((await free.info()).quirks.filter(({ on }) => on)).toEqual([]);
});

test('GA2: the console shows the quirk of the trial and the call that the wire struck; its own pages are no calls', async () => {
  await using tried = await under('fee-indicator');
  const page = async (bank: Bank, path: string): Promise<string> => {
    const answer = await bank.fetch(`/console${path}`);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  expect(await page(tried.bank, '/quirks')).toContain('1 quirk is');
  await using struck = await under('gateway');
  const { headers } = await struck.bank.tpp().consent({ psu: nora });
  expect((await struck.bank.tpp().fetch('/v1/accounts', { headers })).status).toBe(503);
  expect((await struck.bank.tpp().fetch('/v1/accounts', { headers })).status).toBe(200);
  expect(await page(struck.bank, '/requests')).toContain('answered 503');
  expect(struck.recorded().calls.filter(({ call }) => call.includes('/console'))).toEqual([]);
  expect(
    struck
      .recorded()
      .calls.filter(({ did }) => did)
      .map(({ call }) => call),
  ).toEqual(['GET /v1/accounts']);
});

test('GA2, GA6: named banks carry the quirks of a world', async () => {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  const trial = { version: 1, trial: 'status-lag+leap-day+fee-indicator', late: 'PT1S' };
  writeFileSync(join(own, 'trial.json'), JSON.stringify(trial));
  process.env['SANDBANK_TRIAL'] = join(own, 'trial.json');
  const settings = await trialOfNextBank();
  delete process.env['SANDBANK_TRIAL'];
  const flags = ['--port=0', '--ledger=:memory:', '--log-level=silent', '--clock-now=2027-04-13'];
  const config = settings?.read((beneath, profile) => readConfig({}, flags, profile, beneath));
  const server = await startServer(config as Config, undefined, { trial: settings });
  const body = JSON.stringify({ now: '2027-05-03' });
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${server.address}/sandbox/banks/demo`, { method: 'PUT', headers, body });
  expect([made.status, await made.text()]).toEqual([201, expect.anything()]);
  const { quirks } = (await (await fetch(`${server.address}/banks/demo/sandbox/info`)).json()) as {
    readonly quirks: readonly { readonly name: string; readonly on: boolean }[];
  };
  await server.stop();
  expect(quirks.flatMap(({ name, on }) => (on ? [name] : [])).toSorted()).toEqual(['fee-indicator', 'status-lag']);
});

test('GA2: five seconds after a late answer no bank of the process is late', async () => {
  await using one = await under('late');
  await using other = await under('late');
  const both = [one, other].map(async ({ bank }) => ({ bank, ...(await bank.tpp().consent({ psu: nora })) }));
  const ready = await Promise.all(both);
  await Promise.all(ready.map(({ bank, headers }) => bank.tpp().fetch('/v1/accounts', { headers })));
  const late = [one, other].filter(({ recorded }) => recorded().calls.some(({ did }) => did));
  expect(late).toHaveLength(1);
});
