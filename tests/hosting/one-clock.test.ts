import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPlatform } from '../../api/harness/create-bank.ts';
import { platformIds } from '../../api/start/platform.ts';
import { moveTogether } from '../../api/hosting/one-clock.ts';
import { UnaskedClock } from '../../api/hosting/unasked-clock.ts';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { StorageLimit } from '../../api/pipeline/storage-limit.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00+01:00';
const ids = platformIds();
const [asked, other, last] = ['bien-sparebank', 'fana-sparebank', 'klp-banken'];
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

interface Moved {
  readonly id: string;
  readonly asked: boolean;
  readonly from: string;
  readonly to: string;
  readonly runs: readonly { readonly settled: number }[];
}

/* rules.md Q12c: one clock for all banks of the platform. */
describe('a server of the platform', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank(now, [], { platform: ids });
  });
  afterAll(() => bank.stop());

  const clockOf = async (id: string) => (await bank.control('GET', `/banks/${id}/sandbox/clock`)).body.now as string;
  const opened = async () =>
    (await bank.control('GET', '/sandbox/banks')).body.banks.map(({ name }: { name: string }) => name).slice(1);
  const move = (body: object) => bank.control('POST', '/platform/clock/advance', body);

  test('Q12c: an advance moves every bank, says what the runs of each did, and opens none', async () => {
    const paid = await bank.signed('POST', `/banks/${asked}${singlePath}`, {
      headers: psu,
      body: singlePayment({ requestedExecutionDate: '2027-03-30' }),
    });
    await bank.control('POST', `/banks/${asked}/sandbox/sca/${paid.body._links.scaRedirect.href.split('/').pop()}`, {
      outcome: 'approve',
      psu: psu['x-psu-identity'],
      context: 'PRIVATE',
    });
    const { status, body } = await move({ to: '2027-03-31' });
    expect([status, body.to]).toEqual([200, '2027-03-31T00:00:00.000+02:00']);
    const banks = body.banks as Moved[];
    expect(banks.map(({ id }) => id)).toEqual(ids);
    expect(banks.filter((each) => each.asked).map(({ id }) => id)).toEqual([asked]);
    expect(new Set(banks.map(({ to }) => to))).toEqual(new Set([body.to]));
    const { runs = [] } = banks.find(({ id }) => id === asked) ?? {};
    expect(runs.map(({ settled }) => settled)).toEqual([1, 0]);
    expect(await opened()).toEqual([asked]);
  });

  test('Q12c: a bank that nobody had asked opens at the instant, and a reset goes back to the start of the server', async () => {
    expect(await clockOf(other)).toBe('2027-03-31T00:00:00.000+02:00');
    await bank.control('POST', `/banks/${other}/sandbox/reset`);
    expect(await clockOf(other)).toBe('2027-03-24T12:00:00.000+01:00');
  });

  test('Q12c: a duration counts from the clock that is furthest ahead, and the others come along', async () => {
    expect((await move({ by: 'P1D' })).body.to).toBe('2027-04-01T00:00:00.000+02:00');
    expect(await clockOf(other)).toBe('2027-04-01T00:00:00.000+02:00');
  });

  test('Q12c: a bank that is past the instant is named, and none moves', async () => {
    await bank.control('POST', `/banks/${last}/sandbox/clock/advance`, { to: '2027-04-05' });
    for (const call of [
      () => move({ to: '2027-04-02' }),
      () => bank.control('PUT', '/platform/clock', { now: '2027-04-02' }),
    ]) {
      const { status, body } = await call();
      expect([status, body.detail]).toEqual([
        409,
        expect.stringContaining(`The clock of ${last} shows 2027-04-05T00:00:00.000+02:00 and is past 2027-04-02`),
      ]);
    }
    expect(await Promise.all([asked, other].map(clockOf))).toEqual(Array(2).fill('2027-04-01T00:00:00.000+02:00'));
    const { body } = await move({ to: '2027-04-02' });
    expect(body.status).toBe(409);
    // Neither did the instant that the unasked ones remember.
    expect(await clockOf('obos-banken')).toBe('2027-04-01T00:00:00.000+02:00');
  });

  test('Q12c: one call moves all clocks ten years at most, and else none', async () => {
    await bank.control('GET', `/banks/${asked}/sandbox/clock`);
    const before = await clockOf(asked);
    const { status, body } = await move({ by: 'P11Y' });
    expect([status, body.detail, await clockOf(asked)]).toEqual([400, expect.stringContaining('10 years'), before]);
  });

  test('Q12c: PUT stops and starts all clocks at the instant of the furthest one', async () => {
    const at = '2027-04-05T00:00:00.000+02:00';
    expect((await bank.control('PUT', '/platform/clock', { mode: 'running', rate: 60 })).body.to >= at).toBe(true);
    expect((await bank.control('GET', '/banks/skue-sparebank/sandbox/clock')).body).toMatchObject({
      mode: 'running',
      rate: 60,
    });
    await bank.control('PUT', '/platform/clock', { rate: 30 });
    expect((await bank.control('GET', `/banks/${asked}/sandbox/clock`)).body.rate).toBe(30);
    const { to } = (await bank.control('PUT', '/platform/clock', { mode: 'frozen' })).body;
    expect(to >= at).toBe(true);
    expect(new Set(await Promise.all([asked, other, last, 'skue-sparebank', 'obos-banken'].map(clockOf)))).toEqual(
      new Set([to]),
    );
  });

  test('Q12c: a bank that is first asked while the others move is at their instant afterwards', async () => {
    const before = await opened();
    const fresh = ids.filter((id) => !before.includes(id)).slice(0, 40);
    for (let day = 10; fresh.length > 0; day += 1) {
      const some = fresh.splice(0, 4);
      const first = some.map(async (id, at) => {
        await new Promise((resolve) => setTimeout(resolve, 4 * at));
        return clockOf(id);
      });
      const { status, body } = await bank.control('PUT', '/platform/clock', { now: `2027-04-${day}`, mode: 'frozen' });
      await Promise.all(first);
      // While a bank that was just made goes to the instant, none is moved.
      if (status !== 200) expect(body.status).toBe(409);
      else
        expect(await Promise.all(some.map(async (id) => [id, await clockOf(id)]))).toEqual(
          some.map((id) => [id, body.to]),
        );
    }
  });

  test('Q12c: as events: each bank that has moved, then the whole answer; while one clock is being moved, none is', async () => {
    const stream = await fetch(`${bank.address}/platform/clock/advance`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: '{"by":"P1D"}',
    });
    const events = (await stream.text()).trim().split('\n\n');
    const names = events.map((event) => /^event: (\w+)/.exec(event)?.[1]);
    expect(names).toEqual([...(await opened()).map(() => 'bank'), 'done']);
    expect((await move({ by: 'P1D', to: '2027-05-01' })).body.detail).toContain(
      'exactly one of to, by; received to and by',
    );
    const both = await Promise.all([move({ by: 'P1D' }), move({ by: 'P1D' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

test('Q12c: once the client is gone, no further bank moves', async () => {
  const asked = await Promise.all(
    ['a', 'b'].map(async (id) => {
      const turn = oneAtATime(() => undefined);
      return { id, hosted: { bank: await memoryBank(now), turn, storage: new StorageLimit(null, () => 0) } };
    }),
  );
  const moved: string[] = [];
  const clock = new UnaskedClock(systemClock, { now: at(now), mode: 'frozen' });
  const told = { moved: ({ id }: { readonly id: string }) => void moved.push(id), isGone: () => moved.length === 1 };
  const done = await moveTogether({ asked, unasked: [], clock, ...told }, { to: at('2027-03-31T12:00:00+02:00') });
  expect([moved, done?.banks.map(({ id }) => id)]).toEqual([['a'], ['a']]);
  const clocks = await Promise.all(asked.map(async ({ hosted }) => (await readClock(hosted.bank)).now));
  expect(clocks).toEqual([at('2027-03-31T12:00:00+02:00'), at(now)]);
});

test('Q12c: the banks of openPlatform move to one instant; one that is past it is named, and none moves', async () => {
  await using platform = await openPlatform({ now });
  const clocks = async () => new Set(await Promise.all(platform.map(({ clock }) => clock.now())));
  const moved = await platform.advance('P7D');
  expect(moved.banks.map(({ id }) => id)).toEqual(ids);
  expect(await clocks()).toEqual(new Set(['2027-03-31T12:00:00.000+02:00']));
  const ahead = platform[3];
  await ahead?.clock.advance('P1D');
  await expect(platform.advance('2027-04-01')).rejects.toThrow(
    `The clock of ${ahead?.profile.id} shows 2027-04-01T12:00`,
  );
  expect((await clocks()).size).toBe(2);
  expect((await platform.freeze()).to).toBe('2027-04-01T12:00:00.000+02:00');
  expect((await clocks()).size).toBe(1);
});
