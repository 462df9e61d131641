import { expect, test } from '@jest/globals';
import { controlForEach } from '../control/control-client.ts';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import type { Answer } from '../control/control-client.ts';
import { paySigned } from '../lab/payments.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const control = controlForEach(now);

async function signed(on: string, amount: string): Promise<void> {
  await paySigned(control.bank, { from: 'nora', to: 'even', amount }, localDate(on));
}

/** From now on no attempt can be kept on that day, whatever the run did before. */
async function breakRunsOf(date: string): Promise<void> {
  const trigger = `create trigger broken after insert on attempt when new.run_date = '${date}'
    begin select raise(abort, 'no attempts today'); end`;
  await control.bank.ledger.write(async (tx) => void (await sql.raw(trigger).execute(tx)));
}

async function mend(): Promise<void> {
  await control.bank.ledger.write(async (tx) => void (await sql`drop trigger broken`.execute(tx)));
}

const advance = (body: unknown): Promise<Answer> => control.post('/sandbox/clock/advance', body);

/** A run on 30 March, the run that books it, and one on 31 March. */
async function layThreeRuns(): Promise<void> {
  await signed('2027-03-30', '10.00');
  await signed('2027-03-31', '20.00');
}

test('a failing run stops the advance there, and is named; what was done before is kept', async () => {
  await layThreeRuns();
  await breakRunsOf('2027-03-31');
  const { status, headers, body } = await advance({ to: '2027-04-05' });
  expect([status, headers['content-type']]).toEqual([500, 'application/problem+json; charset=utf-8']);
  expect(body.run).toEqual({ id: '2027-03-31/1', at: '2027-03-31T05:30:00.000+02:00' });
  expect(body.detail).toContain('2027-03-31/1 at 2027-03-31T05:30:00.000+02:00 failed');
  expect(body.detail).toContain('no attempts today');
  expect(body.detail).toContain('2 runs before it are kept');
  expect(JSON.stringify(body)).not.toContain('.ts:');
  const clock = (await control.get('/sandbox/clock')).body;
  expect([clock.now, clock.lastRun.id, clock.nextRun.id]).toEqual([
    // The midnight before it has passed, on which its payment became due.
    '2027-03-31T00:00:00.000+02:00',
    '2027-03-30/5',
    '2027-03-31/1',
  ]);
  expect((await control.get('/sandbox/ledger/proof')).body.ok).toBe(true);
});

test('the log has the reason, and the bank stays ready: its books are those before the run', async () => {
  control.readiness.ready(control.bank.ledger);
  await layThreeRuns();
  await breakRunsOf('2027-03-31');
  await advance({ to: '2027-04-05' });
  expect(control.logged.join('')).toContain('no attempts today');
  expect((await control.get('/ready')).status).toBe(200);
});

test('as long as it fails the next advance ends there too; then it resumes, and the ledger is as if nothing had been', async () => {
  await layThreeRuns();
  await breakRunsOf('2027-03-31');
  await advance({ to: '2027-04-05' });
  expect((await advance({ to: '2027-04-05' })).body.run.id).toBe('2027-03-31/1');
  await mend();
  const resumed = await advance({ to: '2027-04-05' });
  expect(resumed.body.runs.map(({ id }: { id: string }) => id)).toEqual(['2027-03-31/1', '2027-03-31/2']);
  const hash = await hashLedger(control.bank, 'left-out');
  await control.post('/sandbox/reset');
  await layThreeRuns();
  await advance({ to: '2027-04-05' });
  expect(await hashLedger(control.bank, 'left-out')).toBe(hash);
});

test('an update of many rows that fails at the second one leaves nothing of the first', async () => {
  await signed('2027-03-30', '10.00');
  await signed('2027-03-30', '20.00');
  await advance({ to: '2027-03-30' });
  const before = await hashLedger(control.bank, 'left-out');
  const only = sql`create unique index only_one on payment (leaves_at) where leaves_at is not null`;
  await control.bank.ledger.write(async (tx) => void (await only.execute(tx)));
  const { body } = await advance({ to: '2027-04-05' });
  expect([body.run.id, body.detail]).toEqual(['2027-03-30/1', expect.stringContaining('UNIQUE')]);
  expect(await hashLedger(control.bank, 'left-out')).toBe(before);
  await control.bank.ledger.write(async (tx) => void (await sql`drop index only_one`.execute(tx)));
  expect((await advance({ to: '2027-04-05' })).body.runs).toMatchObject([{ settled: 2 }, { booked: 2 }]);
  expect((await control.get('/sandbox/ledger/proof')).body.ok).toBe(true);
});

test('PUT now forwards stops at a failing run too', async () => {
  await layThreeRuns();
  await breakRunsOf('2027-03-30');
  const { status, body } = await control.send('PUT', '/sandbox/clock', { body: { now: '2027-04-05' } });
  expect([status, body.run.id]).toEqual([500, '2027-03-30/1']);
  expect((await control.get('/sandbox/clock')).body.now).toBe('2027-03-30T00:00:00.000+02:00');
});
