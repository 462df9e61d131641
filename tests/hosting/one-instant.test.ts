import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openPlatform } from '../../api/harness/create-bank.ts';
import { platformIds } from '../../api/start/platform.ts';
import { moveTogether } from '../../api/control/clock/one-instant.ts';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { goOn, newStory } from '../support/story.ts';

const now = '2027-03-24T12:00:00+01:00';
const [one, other, last] = ['one', 'other', 'the-last'];
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

interface Moved {
  readonly name: string;
  readonly to: string;
  readonly runs: readonly { readonly settled: number }[];
}

/* rules.md Q12c: one instant for named banks. */
describe('POST /sandbox/banks/clock/advance', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank(now);
  });
  afterAll(() => bank.stop());

  const clockOf = async (name: string) =>
    (await bank.control('GET', `/banks/${name}/sandbox/clock`)).body.now as string;
  const move = (body: object) => bank.control('POST', '/sandbox/banks/clock/advance', body);

  test('Q12c: without a named bank it says so', async () => {
    const { status, body } = await move({ by: 'P1D' });
    expect([status, body.detail]).toEqual([409, 'There is no named bank. POST /sandbox/banks makes one.']);
  });

  test('Q12c: moves every named bank, says what the runs of each did, and leaves the root', async () => {
    for (const name of [other, one, last]) await bank.control('POST', '/sandbox/banks', { name });
    const paid = await bank.signed('POST', `/banks/${one}${singlePath}`, {
      headers: psu,
      body: singlePayment({ requestedExecutionDate: '2027-03-30' }),
    });
    await bank.control('POST', `/banks/${one}/sandbox/sca/${paid.body._links.scaRedirect.href.split('/').pop()}`, {
      outcome: 'approve',
      psu: psu['x-psu-identity'],
      context: 'PRIVATE',
    });
    const { status, body } = await move({ to: '2027-03-31' });
    expect([status, body.to]).toEqual([200, '2027-03-31T00:00:00.000+02:00']);
    const banks = body.banks as Moved[];
    expect(banks.map(({ name }) => name)).toEqual([one, other, last]);
    expect(new Set(banks.map(({ to }) => to))).toEqual(new Set([body.to]));
    expect(banks[0]?.runs.map(({ settled }) => settled)).toEqual([1, 0]);
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe('2027-03-24T12:00:00.000+01:00');
  });

  test('Q12c: a duration counts from the clock that is furthest ahead, and the others come along; or those named', async () => {
    await bank.control('POST', `/banks/${other}/sandbox/reset`);
    expect((await move({ by: 'P1D' })).body.to).toBe('2027-04-01T00:00:00.000+02:00');
    expect(await clockOf(other)).toBe('2027-04-01T00:00:00.000+02:00');
    const { body } = await move({ by: 'PT1H', banks: [last, last] });
    expect(body.banks.map(({ name }: Moved) => name)).toEqual([last]);
    expect(await clockOf(one)).toBe('2027-04-01T00:00:00.000+02:00');
  });

  test('Q12c: a bank that is past the instant is named, and none moves', async () => {
    await bank.control('POST', `/banks/${last}/sandbox/clock/advance`, { to: '2027-04-05' });
    const { status, body } = await move({ to: '2027-04-02' });
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining(`The clock of ${last} shows 2027-04-05T00:00:00.000+02:00 and is past 2027-04-02`),
    ]);
    expect(await Promise.all([one, other].map(clockOf))).toEqual(Array(2).fill('2027-04-01T00:00:00.000+02:00'));
  });

  test.each([
    [{ by: 'P11Y' }, 400, '10 years'],
    [{ by: 'P1D', to: '2027-05-01' }, 400, 'exactly one of to, by; received to and by'],
    [{ by: 'P1D', banks: ['nobody'] }, 404, 'nobody'],
    [{ by: 'P1D', banks: ['default'] }, 404, 'at the root'],
    [{ by: 'P1D', banks: [] }, 400, 'banks'],
  ])('Q12c: %j moves none', async (body, status, said) => {
    const before = await Promise.all([one, other, last].map(clockOf));
    const refused = await move(body);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.stringContaining(said)]);
    expect(await Promise.all([one, other, last].map(clockOf))).toEqual(before);
  });

  test('Q12c: while another call moves one of the clocks, none is moved', async () => {
    const both = await Promise.all([move({ by: 'P1D' }), move({ by: 'P1D' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.detail).toContain('Another call is moving the clock of');
  });
});

test('Q12c: a bank that fails on the way is named, with those that moved; the one after it stays', async () => {
  const banks = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const bank = await memoryBank(now);
      return { name, hosted: { bank, turn: oneAtATime(() => undefined) } };
    }),
  );
  const broken = banks[1]?.hosted.bank;
  if (broken === undefined) throw new Error('there are three banks');
  await goOn(
    newStory(broken),
    `pay  rent 20.00 nora -> shop
     sign rent`,
  );
  await broken.ledger.write((tx) =>
    sql`create trigger broken before insert on settlement_run begin select raise(fail, 'the disk is gone'); end`.execute(
      tx,
    ),
  );
  const moving = moveTogether(banks, { to: at('2027-03-31T12:00:00+02:00') });
  await expect(moving).rejects.toMatchObject({
    facts: {
      status: 500,
      detail: expect.stringMatching(/^The clock of b did not reach the instant: .*the disk is gone.* Moved: a\.$/),
    },
  });
  const clocks = await Promise.all(banks.map(async ({ hosted }) => (await readClock(hosted.bank)).now));
  expect([clocks[0], clocks[2]]).toEqual([at('2027-03-31T12:00:00+02:00'), at(now)]);
  for (const { hosted } of banks) await hosted.bank.close();
});

test('Q12c: the banks of openPlatform move to one instant; one that is past it is named, and none moves', async () => {
  await using platform = await openPlatform({ now });
  const clocks = async () => new Set(await Promise.all(platform.map(({ clock }) => clock.now())));
  const moved = await platform.advance('P7D');
  expect(moved.banks.map(({ name }) => name)).toEqual(platformIds());
  expect(await clocks()).toEqual(new Set(['2027-03-31T12:00:00.000+02:00']));
  const ahead = platform[3];
  await ahead?.clock.advance('P1D');
  await expect(platform.advance('2027-04-01')).rejects.toThrow(
    `The clock of ${ahead?.profile.id} shows 2027-04-01T12:00`,
  );
  expect((await clocks()).size).toBe(2);
});
