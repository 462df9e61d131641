import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { bytesBeside } from '../../api/hosting/bank-files.ts';
import { readConfig } from '../../api/start/config.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { systemClock } from '../../engine/time/clock.ts';

/* docs/spec/control-plane.md H Limits, H2: the limits of a named bank. */

const now = '2027-03-24T12:00:00.000+01:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
let server: TestBank | null = null;
let folder: string | null = null;

afterEach(async () => {
  await server?.stop();
  server = null;
  if (folder !== null) rmSync(folder, { recursive: true });
  folder = null;
});

test('H Limits: a request too many is 429 in the form of its API, counts for no other bank, and passes after Retry-After', async () => {
  let monotonic = 0;
  const wall = { now: () => systemClock.now(), monotonic: () => monotonic };
  server = await startTestBank(now, ['--bank-rate', '3'], { wall });
  const bank = server;
  for (const name of ['one', 'other']) await bank.control('POST', '/sandbox/banks', { name });
  const clockOf = async (name: string) => bank.control('GET', `/banks/${name}/sandbox/clock`);
  const statuses = async (count: number): Promise<number[]> => {
    const answers = [];
    for (let index = 0; index < count; index += 1) answers.push((await clockOf('one')).status);
    return answers;
  };

  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  const refused = await clockOf('one');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body).toMatchObject({ status: 429, code: 'ACCESS_EXCEEDED' });
  const ofInterface = await bank.signed('GET', '/banks/one/v1/accounts', { headers: psu });
  expect([ofInterface.status, ofInterface.headers.get('retry-after')]).toEqual([429, '1']);
  expect(ofInterface.body.tppMessages[0].code).toBe('ACCESS_EXCEEDED');
  expect((await clockOf('other')).status).toBe(200);
  expect((await bank.control('GET', '/sandbox/clock')).status).toBe(200);

  monotonic += 334;
  expect(await statuses(2)).toEqual([200, 429]);
  monotonic += 10_000;
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
});

test('H Limits: a full bank refuses what begins something, and takes reads, deletions, the end of an SCA and a reset', async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-limits-'));
  server = await startTestBank(now, ['--banks', folder, '--bank-size', '16000000']);
  const bank = server;
  for (const name of ['one', 'other']) await bank.control('POST', '/sandbox/banks', { name });
  const control = (method: string, path: string, body?: object) =>
    bank.control(method, `/banks/one/sandbox${path}`, body);
  const pay = (name = 'one', amount = '100.00') => {
    const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
    return bank.signed('POST', `/banks/${name}${singlePath}`, { headers: psu, body });
  };
  const paid = await pay();
  expect(paid.status).toBe(201);

  const kept: number[] = [];
  for (let index = 0; kept.at(-1) !== 409 && index < 50; index += 1) {
    kept.push((await control('POST', '/snapshots', { name: `copy-${index}` })).status);
  }
  // The copy that would go beyond the limit is not made; the bank itself is not full yet.
  expect([kept[0], kept.at(-1)]).toEqual([200, 409]);
  expect((await pay('one', '101.00')).status).toBe(201);
  const items = Array.from({ length: 6_000 }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
  const bulk = await bank.signed('POST', `/banks/one${bulkPath}`, { headers: psu, body: bulkPayment(items) });
  expect(bulk.status).toBe(201);
  // The size that was measured before holds for 100 ms.
  await setTimeout(150);

  const refused = {
    payment: await pay('one', '102.00'),
    advance: await control('POST', '/clock/advance', { runs: 1 }),
    snapshot: await control('POST', '/snapshots', { name: 'more' }),
  };
  for (const { status } of Object.values(refused)) expect(status).toBe(409);
  expect(refused.payment.body.tppMessages[0]).toMatchObject({ code: 'CONFLICT' });
  expect(refused.advance.body.detail).toMatch(
    /^This bank may take 16,000,000 bytes with its snapshots, and would take /,
  );
  expect((await pay('other')).status).toBe(201);

  const scaId = new URL(bulk.body._links.scaRedirect.href).pathname.split('/').at(-1);
  const approval = { outcome: 'approve', psu: psu['x-psu-identity'], context: 'PRIVATE' };
  const works = {
    read: await control('GET', '/payments'),
    sca: await control('POST', `/sca/${scaId}`, approval),
    deletion: await control('DELETE', '/snapshots/copy-0'),
    reset: await control('POST', '/reset', {}),
    after: await control('POST', '/clock/advance', { runs: 1 }),
  };
  expect(Object.entries(works).filter(([, { status }]) => status !== 200)).toEqual([]);
  expect((await pay()).status).toBe(201);
});

test('H Limits: a size without files, and limits that are none, are refused at the start', () => {
  const problem = (flags: readonly string[]): string => {
    try {
      readConfig({}, flags);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(problem(['--bank-size', '20000000'])).toBe(
    '--bank-size is for banks in files: give their folder with --banks',
  );
  expect(problem(['--bank-rate', '0'])).toMatch('expected a number from 1 to 100000');
  expect(problem(['--banks', 'banks', '--bank-size', '10MB'])).toMatch('expected a number from 16000000 to');
});

test('H Size: 12 calls at once pass the size by one of them at most, at the root too', async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-limits-'));
  const size = 16_000_000;
  const flags = ['--banks', join(folder, 'banks'), '--bank-size', String(size), '--root-size', String(size)];
  const ofHost = { 'sandbank-control-token': 'a-token-of-the-host' };
  const more = [
    '--ledger',
    join(folder, 'root', 'ledger.sqlite'),
    '--control-token',
    'a-token-of-the-host',
    '--tpp-trust',
    'any',
  ];
  server = await startTestBank(now, [...flags, ...more]);
  const bank = server;
  const bytes = (ledger: string) => bytesBeside(join(folder ?? '', ledger));
  await bank.raw(
    'POST',
    '/sandbox/banks',
    { authorization: 'Bearer a-token-of-the-host', 'content-type': 'application/json' },
    Buffer.from('{"name":"one"}'),
  );
  const items = Array.from({ length: 3_000 }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
  for (const [base, ledger] of [
    ['/banks/one', 'banks/one.sqlite'],
    ['', 'root/ledger.sqlite'],
  ] as const) {
    const before = bytes(ledger);
    const send = async () =>
      (
        await bank.signed('POST', `${base}${bulkPath}?allowLogicalDuplicate=true`, {
          headers: { ...psu, ...ofHost },
          body: bulkPayment(items),
        })
      ).status;
    expect(await send()).toBe(201);
    const ofOne = bytes(ledger) - before;
    const statuses = await Promise.all(Array.from({ length: 12 }, send));
    expect([...new Set(statuses)].toSorted()).toEqual([201, 409]);
    expect(bytes(ledger)).toBeLessThan(size + 1.5 * ofOne);
  }
});

test('H Size: what is in the log counts twice, as it is when the log is written back to the ledger', async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-limits-'));
  const size = 16_000_000;
  server = await startTestBank(now, ['--banks', folder, '--bank-size', String(size)]);
  const bank = server;
  const bytes = () => bytesBeside(join(folder ?? '', 'one.sqlite'));
  await bank.control('POST', '/sandbox/banks', { name: 'one' });
  // So that the limit is near when the log is long enough to be written back.
  for (const name of ['first', 'second', 'third'])
    expect((await bank.control('POST', '/banks/one/sandbox/snapshots', { name })).status).toBe(200);
  const items = Array.from({ length: 4_500 }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
  const pay = () => {
    const path = `/banks/one${bulkPath}?allowLogicalDuplicate=true`;
    return bank.signed('POST', path, { headers: psu, body: bulkPayment(items) });
  };
  const before = bytes();
  expect((await pay()).status).toBe(201);
  const ofOne = 2 * (bytes() - before);
  let last = 201;
  for (let count = 0; last === 201 && count < 10; count += 1) last = (await pay()).status;
  expect([last, bytes() < size + ofOne]).toEqual([409, true]);
});
