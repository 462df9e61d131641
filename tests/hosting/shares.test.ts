import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { asBank, FairQueue, waitsOf } from '../../engine/time/fair-queue.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { withSandboxCa } from '../../api/control/certificates.ts';
import { inFairTurns } from '../../api/hosting/http-server.ts';
import { unpackBundle } from '../../api/hosting/bundle/bundle-file.ts';
import { MoveMemory } from '../../api/console/clock/moves.ts';
import { attempt } from '../lab/exchange.ts';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { type Reply, startTestBank, type TestBank } from '../lab/server.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { as, certified, hostToken, make, now } from './credentials.ts';

/* docs/spec/control-plane.md H Shares: what one bank asks for takes nothing from the others but a turn. */

let server: TestBank | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

test('work of banks is done in turns, one piece of a bank at a time; 50 pieces wait, and one more is told when to come again', async () => {
  const queue = new FairQueue('pieces');
  const done: string[] = [];
  const [busy, other] = [{}, {}];
  const piece = (bank: object, name: string): Promise<void> =>
    asBank(bank, () =>
      queue.run(async () => {
        await Promise.resolve();
        done.push(name);
      }),
    );
  const all = Array.from({ length: 51 }, (_, index) => piece(busy, `busy ${index}`));
  const refused = await piece(busy, 'one more').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect((refused as Refusal).faults[0]).toMatchObject({ code: 'ACCESS_EXCEEDED', retryAfter: expect.any(Number) });
  expect([waitsOf(busy).waiting, waitsOf(other).waiting]).toEqual([50, 0]);
  const before = done.length;
  await Promise.all([piece(other, 'other 0'), piece(other, 'other 1')]);
  expect(done.indexOf('other 0') - before).toBeLessThanOrEqual(2);
  expect(done.indexOf('other 1') - done.indexOf('other 0')).toBeLessThanOrEqual(2);
  await Promise.all(all);
  expect([done.length, waitsOf(busy).waiting]).toEqual([53, 0]);
});

test('too many waiting keys are 429 where a CA signs too, and no trouble with the CA', async () => {
  const full = new Refusal({
    code: 'ACCESS_EXCEEDED',
    text: '50 keys of this bank are already waiting.',
    retryAfter: 3,
  });
  await expect(withSandboxCa(() => Promise.reject(full))).rejects.toBe(full);
  await expect(withSandboxCa(() => Promise.reject(new Error('no file')))).rejects.toMatchObject({
    facts: { status: 503 },
  });
});

test('work that gives way runs for many banks at once, and once for each', async () => {
  const queue = new FairQueue('pieces', Infinity);
  const running = new Map<object, number>();
  let most = 0;
  const piece = (bank: object) =>
    asBank(bank, () =>
      queue.run(async () => {
        running.set(bank, (running.get(bank) ?? 0) + 1);
        most = Math.max(most, running.size);
        expect(running.get(bank)).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running.delete(bank);
      }),
    );
  const banks = [{}, {}, {}];
  await Promise.all(banks.flatMap((bank) => [piece(bank), piece(bank), piece(bank)]));
  expect(most).toBe(3);
});

test('new TPPs at the door of one bank: another gets its certificate after one or two of their keys', async () => {
  server = await startTestBank(now, ['--control-token', hostToken]);
  const bank = server;
  const [token, other] = [await make(bank, 'many'), await make(bank, 'few')];
  await certified(bank, 'few', other);
  const ended: string[] = [];
  const names = Array.from({ length: 70 }, (_, index) => `tpp-${index}`);
  const many = names.map(async (name) => {
    const { status } = await bank.raw('GET', `/banks/many/sandbox/as/${name}/v1/sandbox/customers`, as(token));
    ended.push(name);
    return status;
  });
  while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await certified(bank, 'few', other);
  const before = ended.length;
  const statuses = await Promise.all(many);
  expect(before).toBeLessThan(40);
  // Those that found 50 waiting are told when to come again.
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
}, 60_000);

test('a bank that fills the memory of the journals keeps what others have', async () => {
  server = await startTestBank(now, ['--control-token', hostToken]);
  const bank = server;
  const [token, other] = [await make(bank, 'loud'), await make(bank, 'quiet')];
  const entries = async (name: string, given: string) =>
    (await bank.raw('GET', `/banks/${name}/sandbox/requests`, as(given))).body.requests.length as number;
  const send = (name: string, given: string, body: string) =>
    bank.raw('POST', `/banks/${name}/sandbox/as/shop/v1/consents`, as(given), Buffer.from(JSON.stringify({ body })));
  for (let index = 0; index < 20; index += 1) await send('quiet', other, 'small');
  for (let index = 0; index < 300; index += 1) await send('loud', token, randomBytes(45_000).toString('base64'));
  expect(await entries('quiet', other)).toBe(20);
  expect(await entries('loud', token)).toBeGreaterThan(100);
  // A bundle is as large as the journal that it has: what random bodies say cannot be packed.
  const packed = async (name: string, given: string) => {
    const answer = await fetch(`${bank.address}/banks/${name}/sandbox/bundle`, { headers: as(given) });
    const file = Buffer.from(await answer.arrayBuffer());
    const { json, ledger } = await unpackBundle(file);
    return { file: file.length, requests: json.length, ledger: ledger.length };
  };
  const [loud, quiet] = [await packed('loud', token), await packed('quiet', other)];
  expect(loud.ledger - quiet.ledger).toBeLessThan(1_000_000);
  expect(quiet.file).toBeLessThan(150_000);
  expect(loud.requests).toBeGreaterThan(10_000_000);
  expect(loud.file - quiet.file).toBeGreaterThan(0.7 * (loud.requests - quiet.requests));
}, 60_000);

test('H Shares: a bulk payment of 7 MB keeps the event loop at most three times as long as JSON.parse takes for it', async () => {
  server = await startTestBank(now, ['--control-token', hostToken]);
  const token = await make(server, 'large');
  const items = Array.from({ length: 48_000 }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
  const body = Buffer.from(JSON.stringify(bulkPayment(items)));
  const headers = { ...as(token), 'psu-context': 'PRIVATE', 'x-psu-identity': '13039319955' };
  const send = (): Promise<Reply> | undefined =>
    server?.raw('POST', `/banks/large/sandbox/as/shop${bulkPath}`, headers, body);
  // Compiles the schemas, and is refused.
  expect(
    (await server.raw('POST', `/banks/large/sandbox/as/shop${bulkPath}`, headers, Buffer.from('{"payments":[{}]}')))
      .status,
  ).toBe(400);
  const parsing = cpuTimeOf(() => JSON.parse(body.toString()));
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, 1);
  const sent = await send();
  clearInterval(look);
  expect(sent?.status).toBe(201);
  expect(longest / parsing).toBeLessThan(3);
}, 60_000);

test('H Shares: 200 connections that ask one bank without a pause keep no new connection waiting', async () => {
  server = await startTestBank(now);
  const bank = server;
  for (const name of ['busy', 'quiet']) await bank.control('POST', '/sandbox/banks', { name });
  let isOver = false;
  let answered = 0;
  const client = async (): Promise<void> => {
    while (!isOver) {
      await bank.raw('GET', '/banks/busy/sandbox/clock');
      answered += 1;
    }
  };
  const clients = Array.from({ length: 200 }, client);
  while (answered === 0) await new Promise((resolve) => setImmediate(resolve));
  const quiet = await attempt(`${bank.address}/banks/quiet/sandbox/clock`, { method: 'GET', headers: {} });
  const before = answered;
  isOver = true;
  await Promise.all(clients);
  expect(quiet.status).toBe(200);
  expect(before).toBeLessThan(6_000);
}, 60_000);

/** Fair turns of requests: the URLs of those that have begun, and ways to ask and to wait. `/banks/gone` has closed its connection. */
function fairTurns(isBank: (name: string) => boolean) {
  const begun: string[] = [];
  const take = inFairTurns(({ url = '' }) => void begun.push(url), isBank);
  const ask = (url: string): void => take({ url } as never, { destroyed: url === '/banks/gone' } as never);
  const hasBegun = async (count: number): Promise<void> => {
    while (begun.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, ask, hasBegun };
}

test('H Shares: requests that come at once wait in a line of their bank, and the banks take turns', async () => {
  const { begun, ask, hasBegun } = fairTurns((name) => name !== 'nobody');
  for (let index = 0; index < 50; index += 1) ask(`/banks/busy/${index}`);
  const first = begun.length;
  expect(first).toBeLessThan(50);
  for (const url of ['/banks/gone', '/banks/quiet/a', '/health', '/banks/quiet/b']) ask(url);
  await hasBegun(53);
  const later = begun.slice(first);
  expect(later.slice(0, 5)).toEqual([
    `/banks/busy/${first}`,
    '/banks/quiet/a',
    '/health',
    `/banks/busy/${first + 1}`,
    '/banks/quiet/b',
  ]);
  expect(later.filter((url) => url.includes('busy'))).toEqual(
    Array.from({ length: 50 - first }, (_, index) => `/banks/busy/${first + index}`),
  );
});

test('H Shares: requests for names that no bank has share one line, so a bank waits for one of them', async () => {
  const { begun, ask, hasBegun } = fairTurns((name) => name === 'team');
  for (let index = 0; index < 1_000; index += 1) ask(`/banks/none-${index}/v1`);
  const first = begun.length;
  for (const url of ['/banks/team/v1', '/health']) ask(url);
  await hasBegun(1_002);
  expect(begun.slice(first, first + 3)).toEqual([`/banks/none-${first}/v1`, '/banks/team/v1', '/health']);
});

test('moves to undo of one bank go before those of another that has fewer', () => {
  const memory = new MoveMemory(1_000);
  const [few, many] = [memory.open(), memory.open()];
  const keep = (moves: typeof few, length: number) => moves.add({ image: Buffer.alloc(length) } as never);
  keep(few, 400);
  for (let index = 0; index < 20; index += 1) keep(many, 100);
  expect([few.bytes(), many.bytes()]).toEqual([400, 600]);
});

test('a bank with ten moves to undo drops its own oldest one for the next, and none of a bank with larger ones', () => {
  const memory = new MoveMemory(1_000);
  const [large, full] = [memory.open(), memory.open()];
  const keep = (moves: typeof large, length: number) => moves.add({ image: Buffer.alloc(length) } as never);
  for (let index = 0; index < 2; index += 1) keep(large, 300);
  for (let index = 0; index < 20; index += 1) keep(full, 40);
  expect([large.bytes(), full.bytes()]).toEqual([600, 400]);
});
