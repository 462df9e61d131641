import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Reply } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBank(now);

function make(index: number, more: object = {}): Promise<Reply> {
  return bank.control('POST', '/sandbox/banks', { name: `bank-${index}`, now, mode: 'frozen', ...more });
}

function counted(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('F12: of 1,050 banks made at once 1,000 are there, the others a 429 that says what to do', async () => {
  // Some are opened as they are made, which takes turns: their places count meanwhile.
  const opened = (index: number): object => (index % 100 === 0 ? { fixtures: 'known-state' } : {});
  const made = await Promise.all(Array.from({ length: 1_050 }, (_, index) => make(index, opened(index))));
  expect(counted(made)).toEqual({ 200: 1_000, 429: 50 });
  const refused = made.find(({ status }) => status === 429);
  expect(refused?.headers.get('content-type')).toContain('application/problem+json');
  expect(refused?.body).toMatchObject({
    title: 'Too Many Requests',
    detail: 'There are 1000 banks beside default, which is the most. DELETE /sandbox/banks/{name} takes one away.',
    allowed: { banks: '1000' },
  });
  expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1_001);
}, 60_000);

test('F12: a name that is taken is told as ever, and one that is taken away makes room for one', async () => {
  const { banks } = (await bank.control('GET', '/sandbox/banks')).body as { banks: { name: string }[] };
  const name = banks.at(-1)?.name ?? '';
  expect((await bank.control('POST', '/sandbox/banks', { name })).status).toBe(409);
  await bank.control('DELETE', `/sandbox/banks/${name}`);
  const made = await Promise.all([make(2_000), make(2_001), make(2_002, { fixtures: 'nope' })]);
  expect(made.map(({ status }) => status).sort()).toEqual([200, 400, 429]);
}, 60_000);

test('F12: a hundred banks that are opened at once let others in between', async () => {
  const { banks } = (await bank.control('GET', '/sandbox/banks')).body as { banks: { name: string }[] };
  const targets = banks.slice(101, 201).map(({ name }) => `/banks/${name}/sandbox/clock`);
  const sockets = await Promise.all(targets.map(connected));
  const other = await connected();
  let answered = 0;
  // In one turn of the event loop, so that the server reads them together.
  const answers = sockets.map(async (socket, index) => {
    const status = await ask(socket, targets[index] ?? '');
    answered += 1;
    return status;
  });
  await Promise.race(answers);
  expect(await ask(other, '/sandbox/clock')).toBe('200');
  expect(answered).toBeLessThan(50);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['200']));
  for (const socket of [...sockets, other]) socket.destroy();
}, 60_000);

/** A connection that the server has: an answer shows it. */
async function connected(): Promise<Socket> {
  const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
  await ask(socket, '/health');
  return socket;
}

/** Returns the status of the answer. */
async function ask(socket: Socket, target: string): Promise<string> {
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().slice(9, 12);
}
