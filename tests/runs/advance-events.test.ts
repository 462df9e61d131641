import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { paySigned, orderSigned } from '../lab/payments.ts';
import { testBankForEach } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBankForEach(now);

interface SentEvent {
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of events whose shape they assert
  readonly data: any;
}

function follow(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${bank.address}/sandbox/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

/** The events as the HTML standard has a client read them. */
function eventsIn(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

async function signed(on: string, amount: string, from: 'nora' | 'anne' = 'nora'): Promise<string> {
  const { payment } = await paySigned(bank.bank, { from, to: 'even', amount }, localDate(on));
  return payment.resource_id;
}

async function orderDaily(): Promise<void> {
  const plan = { startDate: localDate('2027-03-26'), frequency: 'Daily' } as const;
  await orderSigned(bank.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
}

test('K4b: progress, each run as it happens, and at the end the answer that JSON would have been', async () => {
  await signed('2027-03-30', '10.00');
  const answer = await follow({ to: '2027-04-03T12:00:00+02:00' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const events = eventsIn(await answer.text());
  expect(events.map(({ event }) => event)).toEqual(['progress', 'run', 'progress', 'run', 'progress', 'done']);
  const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data);
  expect(progress[0]).toEqual({ at: now, done: 0 });
  expect(progress[2].at).toBe('2027-03-30T09:30:00.000+02:00');
  expect(progress[1].done).toBeGreaterThan(0.5);
  expect(progress[2].done).toBeGreaterThan(progress[1].done);
  const runs = events.filter(({ event }) => event === 'run').map(({ data }) => data);
  expect(events.at(-1)?.data).toEqual({ from: now, to: '2027-04-03T12:00:00.000+02:00', runs, skippedEmptyRuns: 20 });
});

test('until a status: done counts to the end of the payment, never beyond 1', async () => {
  const id = await signed('2027-03-30', '1000.00', 'anne');
  const events = eventsIn(await (await follow({ until: { paymentId: id, status: 'RJCT' } })).text());
  const done = events.filter(({ event }) => event === 'progress').map(({ data }) => data.done);
  expect(done).toEqual([...done].sort((one, other) => one - other));
  expect([done.length, done[0], done.at(-1) > 0.9, done.at(-1) <= 1]).toEqual([6, 0, true, true]);
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { reached: true } });
});

test('no way to go is done at once', async () => {
  const events = eventsIn(await (await follow({ by: 'PT0S' })).text());
  expect(events.map(({ event, data }) => [event, data.done])).toEqual([
    ['progress', 0],
    ['done', undefined],
  ]);
});

test.each([
  ['backwards', { to: '2021-01-01' }, 409],
  ['beyond 10 years', { by: 'P11Y' }, 400],
  ['malformed', { by: 'soon' }, 400],
  ['an unknown payment', { until: { paymentId: 'enc!!x=', status: 'ACSC' } }, 404],
])('what is refused is an ordinary problem: %s', async (_what, body, status) => {
  const answer = await follow(body);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
});

test('a run that fails is the event error, with the problem; the runs before it were told', async () => {
  await signed('2027-03-30', '10.00');
  const trigger = `create trigger broken after insert on settlement_run when new.number = 2
    begin select raise(abort, 'no second run'); end`;
  await bank.bank.ledger.write(async (tx) => void (await sql.raw(trigger).execute(tx)));
  const events = eventsIn(await (await follow({ by: 'P10D' })).text());
  expect(events.map(({ event }) => event)).toEqual(['progress', 'run', 'progress', 'error']);
  expect(events.at(-1)?.data).toMatchObject({ status: 500, run: { id: '2027-03-30/2' } });
});

test.each(['application/json', '*/*', 'text/*', 'text/event-streams'])(
  'accept: %s is answered with JSON',
  async (accept) => {
    const answer = await follow({ by: 'P1D' }, { accept });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  },
);

test('a client that goes away ends it between two runs; the next advance goes on there', async () => {
  await orderDaily();
  const client = new AbortController();
  const answer = await follow({ by: 'P9Y' }, {}, client.signal);
  await answer.body?.getReader().read();
  client.abort();
  while ((await bank.advance({ by: 'PT0S' })).status === 409);
  const { now: stopped, lastRun } = (await bank.control('GET', '/sandbox/clock')).body;
  expect(stopped < '2036').toBe(true);
  expect([now, lastRun.at]).toContain(stopped);
  const next = await bank.advance({ by: 'P30D' });
  expect([next.status, next.body.from, next.body.runs.length > 20]).toEqual([200, stopped, true]);
}, 30_000);

test('a second one meanwhile is refused with 409, as any', async () => {
  await orderDaily();
  const client = new AbortController();
  const first = await follow({ by: 'P9Y' }, {}, client.signal);
  expect((await follow({ by: 'P1D' })).status).toBe(409);
  client.abort();
  expect(first.status).toBe(200);
});
