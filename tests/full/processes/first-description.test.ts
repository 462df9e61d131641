import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { connectOverHttp } from '../../../api/harness/connect-bank.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { program } from '../../support/program.ts';
import { runMain } from '../../support/recorded-terminal.ts';

/** Easter 2027: Maundy Thursday is 25 March, Easter Monday is 29 March. All days from one to the other are closed. */
const wednesday = '2027-03-24T12:00:00+01:00';
const payer = '09232911044';
const poorPayer = '34300000012';
const shop = '90491105991';

const folder = tempFolder();
let server: ReturnType<typeof spawn>;
let address: string;

beforeAll(async () => {
  // The environment of the image, on a port and in a folder of its own.
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', SANDBANK_LEDGER: join(folder, 'ledger.sqlite') };
  server = spawn(process.execPath, [program, 'serve', '--clock-mode', 'frozen', '--clock-now', wednesday], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  address = await greetedAddress(server.stdout as NonNullable<typeof server.stdout>);
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
async function control(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(address + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

test('T3, P3, R5, S4, D1: five runs a day, a payment over Easter, MonthlyVariable, a fifth attempt that rejects, a reset', async () => {
  const bank = await connectOverHttp(address, {});
  const tpp = bank.tpp();
  const order = { from: payer, to: shop };
  const moved = await tpp.pay({ ...order, amount: '250.00', on: '2027-03-26' });
  const short = await tpp.pay({ from: poorPayer, to: shop, amount: '100.00', on: '2027-03-26' });
  const variable = await tpp.pay({
    ...order,
    amount: '75.00',
    on: '2027-03-25',
    every: 'MonthlyVariable',
    dayOfExecution: 1,
    monthsOfExecution: [4, 6],
  });

  // A day a second: the heartbeat carries out the runs.
  await control('PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
  for (let now = ''; now < '2027-04-03';) {
    ({ now } = await control('GET', '/sandbox/clock'));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await control('PUT', '/sandbox/clock', { mode: 'frozen' });

  const { runs } = await control('GET', '/sandbox/runs');
  const easterTuesday = runs.filter(({ id }: { id: string }) => id.startsWith('2027-03-30')).toReversed();
  expect(easterTuesday).toMatchObject([
    { id: '2027-03-30/1', at: '2027-03-30T05:30:00.000+02:00', settled: 1, retried: 1 },
    { id: '2027-03-30/2', at: '2027-03-30T09:30:00.000+02:00', booked: 1, retried: 1 },
    { id: '2027-03-30/3', at: '2027-03-30T11:30:00.000+02:00', retried: 1 },
    { id: '2027-03-30/4', at: '2027-03-30T13:30:00.000+02:00', retried: 1 },
    { id: '2027-03-30/5', at: '2027-03-30T15:30:00.000+02:00', rejected: 1 },
  ]);
  expect(await control('GET', `/sandbox/payments/${moved}`)).toMatchObject({
    status: 'ACSC',
    initiation: { requestedExecutionDate: '2027-03-26' },
    executionDate: '2027-03-30',
    attempts: [{ run: '2027-03-30/1', outcome: 'settle' }],
  });
  const rejected = await control('GET', `/sandbox/payments/${short}`);
  expect(rejected).toMatchObject({ status: 'RJCT', why: expect.stringContaining('the fifth attempt') });
  expect(rejected.attempts.map((each: { outcome: string }) => each.outcome)).toEqual([
    ...['retry', 'retry', 'retry', 'retry', 'reject'],
  ]);
  const { attempts, nextAttempt } = await control('GET', `/sandbox/payments/${variable}`);
  expect(attempts).toMatchObject([{ run: '2027-04-01/1', outcome: 'settle' }]);
  expect(nextAttempt).toMatchObject({ id: '2027-06-01/1' });

  expect(await runMain(['reset', '--port', new URL(address).port])).toMatchObject({ code: 0, errors: [] });
  expect((await control('GET', '/sandbox/runs')).runs).toEqual([]);
  expect(await control('GET', '/sandbox/clock')).toMatchObject({
    now: '2027-03-24T12:00:00.000+01:00',
    mode: 'frozen',
  });
  await bank.close();
}, 120_000);
