import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { SteadyClock } from '../../engine/time/clock.ts';
import { osloDate, type Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { lastRunAtOrBefore } from '../../engine/time/rules/settlement-run.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { bankState } from '../../engine/bank/rows/bank-state.ts';
import { runSettlement } from '../../engine/runs/run-settlement.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { saveTppContact } from '../../engine/tpps/tpps.ts';
import { openDays } from '../lab/simulation/days.ts';
import { at, manualClock, memoryBank, type ManualClock } from '../lab/bank.ts';
import { pay, tpp, paySigned, orderSigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
// Monday.
const begin = '2027-04-12T12:00:00.000+02:00';

const folder = tempFolder();

const later = (wall: ManualClock, ms: number) => wall.set((wall.now() + ms) as Instant);
const shown = async (bank: Bank): Promise<number> => (await readClock(bank)).now;
const running = (wall: ManualClock, ledger = ':memory:') =>
  memoryBank(begin, { wall, ledger, start: { mode: 'running', now: at(begin) } });

describe('T1: the steady clock', () => {
  test('is as exact after 100,000 looks in a second as after one', () => {
    let passed = 0;
    // The wall clock has whole milliseconds, the monotonic one fractions.
    const wall = { now: () => Math.floor(at(begin) + passed) as Instant, monotonic: () => 7.3 + passed };
    const [often, once] = [new SteadyClock(wall, at(begin)), new SteadyClock(wall, at(begin))];
    for (let look = 0; look <= 100_000; look += 1) {
      passed = look / 100;
      often.now();
    }
    expect([often.now(), once.now()]).toEqual([at(begin) + second, at(begin) + second]);
  });

  test.each([
    ['a sleep of 8 h', [8 * hour], [8 * hour], 8 * hour],
    ['a sleep of 72 h', [72 * hour], [72 * hour], 72 * hour],
    ['a step back of 10 min', [-10 * minute], [-10 * minute], 0],
    ['a step back of 3 days', [-3 * day], [-3 * day], 0],
    ['a second either way', [second, -second, -second], [0, 0, 0], 0],
    ['parts of a second that add up to more', [600, 600], [0, 1_200], 1_200],
    ['T1b: a step back and the same forward', [-3 * day, 3 * day], [-3 * day, 3 * day], 0],
    ['T1b: back and forward, twice', [-hour, hour, -hour, hour], [-hour, hour, -hour, hour], 0],
    ['T1b: back in two steps, forward in one', [-hour, -hour, 2 * hour], [-hour, -hour, 2 * hour], 0],
    ['T1b: a step back, and forward by 8 h more', [-hour, 9 * hour], [-hour, 9 * hour], 8 * hour],
    ['T1b: a sleep that ends before the highest time seen', [-3 * day, 8 * hour], [-3 * day, 8 * hour], 0],
    ['a step back after a sleep', [8 * hour, -8 * hour], [8 * hour, -8 * hour], 8 * hour],
  ])('%s', (_, jumps, told, ahead) => {
    const wall = manualClock(at(begin));
    const steady = new SteadyClock(wall, at(begin));
    const heard = jumps.map((jump) => {
      wall.jump(jump);
      const [first, again] = [steady.jumped(), steady.jumped()];
      expect(again).toBe(0);
      later(wall, minute);
      return first;
    });
    expect(heard).toEqual(told);
    expect(steady.now()).toBe(at(begin) + jumps.length * minute + ahead);
  });

  test('starts where it is told, or later', () => {
    const wall = manualClock(at(begin));
    expect(new SteadyClock(wall, (at(begin) - hour) as Instant).now()).toBe(at(begin));
    expect(new SteadyClock(wall, (at(begin) + hour) as Instant).now()).toBe(at(begin) + hour);
  });
});

describe('T5, T7: the wall clock jumps', () => {
  const jumps = [-3 * day, -10 * minute, 8 * hour, 72 * hour];
  const cases = [1, 3600].flatMap((rate) => jumps.map((jump) => [rate, jump] as const));

  test.each(cases)(
    'at rate %i by %i ms: every run once, in order, and the clock never goes back',
    async (rate, jump) => {
      const wall = manualClock(at(begin));
      await using bank = await running(wall);
      const [startDate, endDate] = [localDate('2027-04-13'), localDate('2028-04-12')];
      const plan = { startDate, endDate, frequency: 'Daily' } as const;
      await orderSigned(bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
      await setClock(bank, { now: null, mode: null, rate });
      const { catchUp: tick } = followClock(bank);
      let last = at(begin);
      // Four days of bank time before the jump, and ten after.
      for (let step = 0; step < 140; step += 1) {
        if (step === 40) wall.jump(jump);
        later(wall, (2.4 * hour) / rate);
        await tick();
        const { now, nextRun } = await readClock(bank);
        expect(now).toBeGreaterThan(last);
        expect(nextRun.at).toBeGreaterThan(now);
        last = now;
      }
      const expected = at(begin) + 14 * day + rate * Math.max(0, jump);
      expect(Math.abs(last - expected)).toBeLessThan(rate);
      const done = await rowsIn(bank, 'select run_date, run_number from attempt order by execution_id');
      const runs = done.map((row) => `${String(row['run_date'])}/${String(row['run_number'])}`);
      expect(runs).toEqual(runs.toSorted());
      const through = [osloDate(last), plan.endDate].toSorted()[0] ?? '';
      expect([...new Set(runs)]).toEqual(openDays(plan.startDate, through).map((date) => `${date}/1`));
      expect(await brokenProofs(bank)).toEqual({});
    },
  );

  test.each([['again open'], ['stopped'], ['killed']])(
    'T1b: a wall clock that goes back, and comes back after the bank was %s, adds nothing',
    async (how) => {
      const wall = manualClock(at(begin));
      const ledger = join(folder, `back-and-forth-${how}.sqlite`);
      let bank = await running(wall, ledger);
      await pay(bank, { from: 'nora', to: 'even', amount: '1.00' });
      wall.jump(-3 * day);
      later(wall, hour);
      await pay(bank, { from: 'nora', to: 'even', amount: '2.00' });
      if (how !== 'again open') {
        await (how === 'killed' ? bank.ledger : bank).close();
        bank = await running(wall, ledger);
      }
      later(wall, hour);
      wall.jump(3 * day);
      expect(await shown(bank)).toBe(at(begin) + 2 * hour);
      // Beyond what it has seen the bank clock goes with the wall clock.
      wall.jump(8 * hour);
      expect(await shown(bank)).toBe(at(begin) + 10 * hour);
      await bank.close();
    },
  );

  test('a frozen clock stands', async () => {
    const wall = manualClock(at(begin));
    await using bank = await memoryBank(begin, { wall });
    for (const jump of jumps) {
      wall.jump(jump);
      expect(await shown(bank)).toBe(at(begin));
    }
  });

  test('reset and restore go back to their own instants, and a restart after them does not come back', async () => {
    const wall = manualClock(at(begin));
    const ledger = join(folder, 'restored.sqlite');
    const bank = await running(wall, ledger);
    later(wall, hour);
    await saveSnapshot(bank, 'one');
    wall.jump(72 * hour);
    await advanceClock(bank, 'now');
    expect(await shown(bank)).toBe(at(begin) + 73 * hour);
    await restoreSnapshot(bank, 'one');
    expect(await shown(bank)).toBe(at(begin) + hour);
    wall.jump(-3 * day);
    await bank.close();
    await using again = await running(wall, ledger);
    expect(await shown(again)).toBe(at(begin) + hour);
    await resetBank(again);
    expect(await shown(again)).toBe(at(begin));
    later(wall, minute);
    expect(await shown(again)).toBe(at(begin) + minute);
  });
});

describe('T7: after a restart the clock is not behind', () => {
  /** A process that is killed writes nothing any more: another one opens the file. */
  async function afterKill(wall: ManualClock, name: string, before: (bank: Bank) => Promise<unknown>): Promise<number> {
    const ledger = join(folder, `${name}.sqlite`);
    const killed = await running(wall, ledger);
    await before(killed);
    wall.jump(-3 * day);
    const bank = await running(wall, ledger);
    const now = await shown(bank);
    await bank.close();
    await killed.close();
    return now;
  }
  const transfer = { from: 'nora', to: 'even', amount: '1.00' } as const;

  test('what a writing transaction saw', async () => {
    const wall = manualClock(at(begin));
    const seen = await afterKill(wall, 'written', async (bank) => {
      later(wall, hour);
      await pay(bank, transfer);
      later(wall, hour);
      await shown(bank);
      await saveTppContact(bank, tpp.id, tpp.id, 'someone@tpp.example');
    });
    // What only a read showed, or a transaction that asked for no time, may come again.
    expect(seen).toBe(at(begin) + hour);
  });

  test('a run, at rate 3600 too', async () => {
    const wall = manualClock(at(begin));
    const seen = await afterKill(wall, 'run', async (bank) => {
      await paySigned(bank, transfer);
      await setClock(bank, { now: null, mode: null, rate: 3600 });
      wall.set((wall.now() + 1_502) as Instant);
      await advanceClock(bank, 'now');
      await advanceClock(bank, at('2027-04-12T15:30:00+02:00'));
    });
    expect(seen).toBe(at('2027-04-12T15:30:00+02:00'));
  });

  test('a clean stop', async () => {
    const wall = manualClock(at(begin));
    const ledger = join(folder, 'stopped.sqlite');
    const bank = await running(wall, ledger);
    later(wall, hour);
    await bank.close();
    wall.jump(-3 * day);
    await using again = await running(wall, ledger);
    expect(await shown(again)).toBe(at(begin) + hour);
  });
});

describe('T5: what an alarm calls', () => {
  /** A bank that counts how often its ledger is asked. */
  async function counting(wall: ManualClock): Promise<{ bank: Bank; asked: () => number }> {
    const bank = await running(wall);
    let times = 0;
    const count = (): void => {
      times += 1;
    };
    const ledger: Bank['ledger'] = {
      ...bank.ledger,
      read: (work) => (count(), bank.ledger.read(work)),
      write: (work) => (count(), bank.ledger.write(work)),
    };
    return { bank: { ...bank, ledger }, asked: () => times };
  }

  test('T6: idle, it reads no database; it advances when a run or a midnight has passed', async () => {
    const wall = manualClock(at(begin));
    const { bank, asked } = await counting(wall);
    const { catchUp: tick } = followClock(bank);
    const asksIn = async (ms: number): Promise<number> => {
      const before = asked();
      for (const end = wall.now() + ms; wall.now() < end; later(wall, minute)) await tick();
      return asked() - before;
    };
    await tick();
    await tick();
    expect(await asksIn(89 * minute)).toBe(0);
    // 13:30: an advance reads once and writes once, and then the ledger is looked at once.
    expect(await asksIn(3 * minute)).toBe(3);
    // 15:30.
    expect(await asksIn(2 * hour)).toBe(3);
    expect(await asksIn(8 * hour)).toBe(0);
    // Midnight.
    expect(await asksIn(30 * minute)).toBe(3);
    await bank.close();
  });

  test('another setting of the clock is followed at once, whoever made it', async () => {
    const wall = manualClock(at(begin));
    await using bank = await running(wall);
    const { catchUp: tick } = followClock(bank);
    await tick();
    await setClock(bank, { now: null, mode: null, rate: 3600 });
    later(wall, 2 * second);
    await tick();
    expect((await readClock(bank)).lastRun.at).toBe(at('2027-04-12T13:30:00+02:00'));
    await resetBank(bank);
    await tick();
    later(wall, 89 * minute);
    await tick();
    expect((await readClock(bank)).lastRun.at).toBe(at('2027-04-12T11:30:00+02:00'));
  });
});

// A bank for each: a failed assertion breaks its ledger, and every later write fails with that error.
test.each([
  ['come twice', '2027-04-13T11:30:00+02:00'],
  ['go back', '2027-04-12T13:30:00+02:00'],
])('T4: a run that would %s is an error and changes nothing', async (_, instant) => {
  await using bank = await memoryBank(begin);
  await advanceClock(bank, at('2027-04-13T12:00:00+02:00'));
  const done = (await readClock(bank)).lastRun;
  expect(done.at).toBe(at('2027-04-13T11:30:00+02:00'));
  const run = lastRunAtOrBefore(at(instant), bank.schedule.booking);
  expect(run.at).toBe(at(instant));
  const again = bank.ledger.write(async (tx) => {
    const started = { ...run, trigger: 'advance', lateMs: null } as const;
    return runSettlement(bank, tx, started, { state: await bankState(tx), firstWork: null });
  });
  await expect(again).rejects.toThrow('runs go forward only');
  expect((await readClock(bank)).lastRun).toEqual(done);
});
