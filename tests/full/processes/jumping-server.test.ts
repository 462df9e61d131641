import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseInstant, type Instant } from '../../../engine/values/instant.ts';
import { signHeaders } from '../../../api/signing/signature/sign-request.ts';
import { openDays } from '../../lab/simulation/days.ts';
import { slowness } from '../../support/cpu-time.ts';
import { compileCache } from '../../support/kept.ts';
import type { Order, Told } from './jumping-server.ts';
import { BankClient, validCertificate, type Reply } from '../../lab/server.ts';

const program = fileURLToPath(new URL('./jumping-server.ts', import.meta.url));
const [second, hour] = [1_000, 3_600_000];
/** No answer may come later than this on an idle machine, in ms (rules.md T5). */
const longestWait = 1_000;
/** In ms: leaves the processor to the tests beside this one. */
const betweenLooks = 20;
/** Of the server, in ms. */
const heartbeat = 100;
/** In ms: some heartbeats. */
const aWhile = 5 * heartbeat;

let child: ChildProcess;
let bank: BankClient;
let paymentId: string;
/** How far the machine's wall clock is from that of this process, in ms. */
let offset: number;
let output: string;

beforeAll(() => {
  child = fork(program, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: compileCache });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
});
afterAll(async () => {
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
});

async function start(now: string): Promise<void> {
  const flags = ['--port', '0', '--ledger', ':memory:', '--clock-mode', 'running', '--clock-now', now];
  const asked: Order = { start: flags, heartbeat };
  child.send(asked);
  const [told] = (await once(child, 'message')) as [Told];
  [offset, output] = [0, ''];
  bank = new BankClient(told.address);
  paymentId = encodeURIComponent(told.paymentId);
}

async function jump(by: number): Promise<void> {
  offset += by;
  const asked: Order = { jump: by };
  child.send(asked);
  await once(child, 'message');
}

interface Watched {
  readonly longest: number;
  readonly times: readonly number[];
}

/** Asks for the clock and the readiness again and again until `isOver`: how long an answer took at most, and every time. */
async function watch(isOver: (clock: { lastRun: { id: string }; now: string }) => boolean): Promise<Watched> {
  const times: number[] = [];
  let longest = 0;
  for (const end = performance.now() + 30 * second; performance.now() < end;) {
    const began = performance.now();
    const [clock, ready] = await Promise.all([bank.control('GET', '/sandbox/clock'), bank.control('GET', '/ready')]);
    longest = Math.max(longest, performance.now() - began);
    expect([clock.status, ready.status]).toEqual([200, 200]);
    times.push(instant(clock.body.now));
    if (isOver(clock.body)) return { longest, times };
    await wait(betweenLooks);
  }
  throw new Error(`not within 30 s; output:\n${output}`);
}

/** A signed GET, dated by the wall clock of the server. */
function signedNow(target: string, headers: Record<string, string>): Promise<Reply> {
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const date = (Date.now() + offset) as Instant;
  const signing = { method: 'GET', target, headers, body: new Uint8Array(), certificate, key, date };
  const signed = signHeaders({ ...signing, requestId: crypto.randomUUID() });
  return bank.raw('GET', target, { ...headers, ...signed });
}

const instant = (text: string): number => parseInstant(text) ?? NaN;
const during = (ms: number): (() => boolean) => {
  const end = performance.now() + ms;
  return () => performance.now() > end;
};
const logLines = (): string[] => output.split('\n').filter((line) => line !== '');
const jumpLines = (): { jump: number }[] =>
  logLines()
    .map((line): { jump?: number } => JSON.parse(line))
    .filter((line): line is { jump: number } => line.jump !== undefined);

/** The run of each attempt, as the bank tells them. */
async function executedRuns(): Promise<string[]> {
  const { body } = await bank.control('GET', `/sandbox/payments/${paymentId}`);
  return body.attempts.map(({ run }: { run: string }) => run);
}

describe('T5, T7: the machine’s wall clock jumps under a running server', () => {
  test('T1b: at rate 3600 back, ahead to where it was, and beyond', async () => {
    const rate = 3_600;
    await start('2027-04-12T12:00:00+02:00');
    await bank.control('PUT', '/sandbox/clock', { rate });
    const jumps = [-72 * hour, -hour / 6, 8 * hour, 72 * hour, 72 * hour];
    let [off, highest] = [0, 0];
    for (const by of jumps) {
      off += by;
      const ahead = Math.max(0, off - highest);
      highest += ahead;
      const before = instant((await bank.control('GET', '/sandbox/clock')).body.now);
      const began = performance.now();
      await jump(by);
      const { longest, times } = await watch(during(aWhile));
      expect(longest).toBeLessThan(longestWait * slowness());
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const gone = ((times.at(-1) ?? NaN) - before - rate * ahead) / rate;
      // The time that this test took, and nothing of a step back or of a way back. The last answer was read while it was under way.
      expect(gone).toBeGreaterThanOrEqual(0.9 * aWhile - longest);
      expect(gone).toBeLessThan(performance.now() - began + second);
    }
    // All runs are caught up with: as long as that takes, everything is answered.
    const through = '2029-04-12';
    const { longest } = await watch(({ lastRun }) => lastRun.id >= through);
    expect(longest).toBeLessThan(longestWait * slowness());
    expect(jumpLines().map((line) => Math.round(line.jump / second) * second)).toEqual(jumps);
    // Nothing else is told, and nobody writes past the log.
    expect(logLines().length).toBeLessThan(jumps.length + 5);

    const runs = await executedRuns();
    expect(runs).toEqual(runs.toSorted());
    const settled = new Set(runs.map((run) => run.slice(0, 10)));
    expect([...settled]).toEqual(openDays('2027-04-13', through));
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  }, 90_000);

  test('a run that is due after a step back of three days takes place on time', async () => {
    await start('2027-04-13T05:29:58+02:00');
    await jump(-72 * hour);
    const { longest } = await watch(({ lastRun }) => lastRun.id >= '2027-04-13/1');
    expect(longest).toBeLessThan(longestWait * slowness());
    expect(jumpLines()).toHaveLength(1);
  }, 40_000);

  test('while years of runs are caught up with, a reset does not wait for their end', async () => {
    await start('2027-04-12T12:00:00+02:00');
    await bank.control('PUT', '/sandbox/clock', { rate: 86_400 });
    await jump(72 * hour);
    await watch(({ lastRun }) => lastRun.id > '2027-06');
    const began = performance.now();
    expect((await bank.reset()).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(longestWait * slowness());
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toMatch(/^2027-04-12T12:00:0/);
  }, 40_000);

  test('a bank of many is caught up with by the alarm, and answers meanwhile', async () => {
    await start('2027-04-12T12:00:00+02:00');
    await bank.control('POST', '/sandbox/banks', { name: 'demo' });
    const clock = async () => (await bank.control('GET', '/banks/demo/sandbox/clock')).body;
    await clock();
    await jump(-72 * hour);
    await watch(during(aWhile));
    await jump(72 * hour);
    await watch(during(aWhile));
    await jump(72 * hour);
    await watch(during(aWhile));
    const { now, lastRun } = await clock();
    expect(now).toMatch(/^2027-04-15T12:00:/);
    expect(lastRun.id).toBe('2027-04-15/3');
  }, 40_000);

  test('S6: account information is read after the runs of the way, at once after a jump too', async () => {
    await start('2027-04-12T12:00:00+02:00');
    const nora = '13039319955';
    const { 'psu-id': psuId } = await bank.consents(nora);
    const list = await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });
    const { resourceId } = list.body.accounts.find((each: { bban: string }) => each.bban === '09232911044');
    const path = `/v1/accounts/${resourceId}/transactions?bookingStatus=both&dateFrom=2027-04-12`;
    for (const [by, days] of [
      [72 * hour, ['2027-04-15', '2027-04-14', '2027-04-13']],
      [24 * hour, ['2027-04-16', '2027-04-15', '2027-04-14', '2027-04-13']],
    ] as const) {
      await jump(by);
      const headers = { 'psu-id': psuId, 'psu-ip-address': '192.0.2.10', 'x-accept-fix': 'longer-names' };
      const { body } = await signedNow(path, headers);
      expect(body.transactions.booked.map(({ bookingDate }: { bookingDate: string }) => bookingDate)).toEqual(days);
      expect(body.transactions.pending).toEqual([]);
    }
  }, 30_000);
});
