import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient } from '../lab/server.ts';

const token = 'a-long-token-of-ours';
const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent'];
const frozen = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
let server: RunningServer;
let bank: BankClient;

beforeAll(async () => {
  server = await startServer(readConfig({}, [...flags, ...frozen, '--metrics-port', '0']));
  bank = new BankClient(server.address);
});
afterAll(() => server.stop());

/** The values of the metrics, by name and labels. */
async function values(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(server.metrics ?? '')).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('K2: requests by operation and status, commits, their wait, runs; no name of a bank, no path of a client', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'team-blue' });
  const before = await values();
  const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  for (const base of ['', '/banks/team-blue']) {
    const { body } = await bank.signed('POST', base + singlePath, { headers, body: singlePayment() });
    await bank.signed('GET', `${base}${singlePath}/${body.paymentId}/status`);
    await bank.control('GET', `${base}/sandbox/payments/${encodeURIComponent(body.paymentId)}`);
    const sca = new URL(body._links.scaRedirect.href).pathname.split('/').at(-1);
    await bank.control('POST', `${base}/sandbox/sca/${sca}`, {
      outcome: 'approve',
      psu: '13039319955',
      context: 'PRIVATE',
    });
    await bank.control('POST', `${base}/sandbox/clock/advance`, { runs: 1 });
  }
  await bank.raw('GET', '/v1/accounts');
  for (const path of ['/made-up', '/v1/made-up', '/sandbox/made-up', '/banks/made-up/v1/accounts'])
    await bank.raw('GET', path);
  const after = await values();
  const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const ofRequests = (operation: string, status: string): number =>
    grown(`sandbank_requests_total{operation="${operation}",status="${status}"}`);
  expect(ofRequests('POST /v1/payments/{product}', '2xx')).toBe(2);
  expect(ofRequests('GET /v1/payments/{product}/{paymentId}/status', '4xx')).toBe(2);
  expect(ofRequests('GET /sandbox/payments/{paymentId}', '2xx')).toBe(2);
  expect(ofRequests('GET /v1/accounts', '4xx')).toBe(1);
  expect(ofRequests('other', '4xx')).toBe(4);
  expect(grown('sandbank_request_duration_seconds_count{operation="POST /v1/payments/{product}"}')).toBe(2);
  expect(grown('sandbank_runs_total')).toBe(2);
  expect(grown('sandbank_commits_total')).toBeGreaterThanOrEqual(6);
  expect(grown('sandbank_commit_wait_seconds_count')).toBeGreaterThanOrEqual(4);
  expect(after.get('sandbank_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  const names = [...after.keys()];
  expect(names.filter((name) => !name.startsWith('sandbank_'))).toEqual([]);
  expect(names.filter((name) => /team-blue|made-up|enc!!|13039319955/.test(name))).toEqual([]);
});

test('K2: the port of the metrics has nothing else, and the main port has none without a token', async () => {
  const own = (server.metrics ?? '').replace('/metrics', '/elsewhere');
  expect((await fetch(own)).status).toBe(404);
  expect((await bank.raw('GET', '/metrics')).status).toBe(404);
});

test('K2: with a token the main port has them, for who has it', async () => {
  const guarded = await startServer(readConfig({}, [...flags, '--control-token', token]));
  const ask = (given: string): Promise<Response> =>
    fetch(`${guarded.address}/metrics`, { headers: { authorization: `Bearer ${given}` } });
  expect(guarded.metrics).toBeNull();
  expect((await fetch(`${guarded.address}/metrics`)).status).toBe(401);
  const right = await ask(token);
  expect([right.status, right.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=/),
  ]);
  expect((await ask('wrong')).status).toBe(401);
  await guarded.stop();
});

test('a port of the metrics that is taken, or is none, is an error at start', async () => {
  const taken = new URL(server.metrics ?? '').port;
  const start = startServer(readConfig({}, [...flags, '--metrics-port', taken]));
  await expect(start).rejects.toThrow(`127.0.0.1:${taken} is taken: choose another with --metrics-port, such as `);
  expect(() => readConfig({}, ['--metrics-port', 'x'])).toThrow('--metrics-port is "x": expected a port');
});
