import { mkdtempSync, readFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { BankFiles, inMemory } from '../../api/hosting/bank-files.ts';
import type { BankRecord } from '../../api/hosting/bank-store.ts';
import { Visits } from '../../api/hosting/callers.ts';
import type { HostedBank } from '../../api/hosting/hosted-bank.ts';
import { NamedBank } from '../../api/hosting/named-bank.ts';
import { StorageLimit } from '../../api/pipeline/storage-limit.ts';
import { readConfig } from '../../api/start/config.ts';
import { LedgerDamaged, LedgerUnavailable, openBank } from '../../engine/bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { at, calendar, knownState } from '../lab/bank.ts';

const instant = (text: string) => at(`${text}+01:00`);
const used = instant('2027-01-01T12:00:00.000');
const parts = {
  tenant: null,
  store: inMemory,
  knownState: null,
  wall: systemClock,
  visits: new Visits({ perSecond: null, clock: systemClock, strangers: null, issued: () => null }),
  make: () => Promise.reject(new Error('it is not opened')),
};

/** `warned`: when the log warned that the bank expires; null: not yet. */
function recordWarned(warned: Instant | null) {
  return {
    config: readConfig({}, ['--ledger=:memory:']),
    asked: null,
    knownState: '',
    since: used,
    used,
    warned,
    clock: null,
    faults: [],
  };
}

/* docs/spec/control-plane.md, SANDBANK_BANKS_EXPIRE: when a bank that nobody has used since noon of 1 January expires after 30 days. */
test.each<[what: string, warned: string | null, now: string, expires: string | null, warnedAfter?: string]>([
  ['more than a day before', null, '2027-01-30T11:59:59.999', null],
  ['a day before', null, '2027-01-30T12:00:00.000', '2027-01-31T12:00:00.000', '2027-01-30T12:00:00.000'],
  ['warned late', null, '2027-02-10T12:00:00.000', '2027-02-11T12:00:00.000', '2027-02-10T12:00:00.000'],
  ['warned in time, before its end', '2027-01-30T12:00:00.000', '2027-01-31T11:59:59.999', null],
  ['warned in time, at its end', '2027-01-30T12:00:00.000', '2027-01-31T12:00:00.000', 'now'],
  ['warned early, before its end', '2027-01-20T12:00:00.000', '2027-01-31T11:59:59.999', null],
  ['warned late, less than a day ago', '2027-02-10T12:00:00.000', '2027-02-11T11:59:59.999', null],
  ['warned late, a day ago', '2027-02-10T12:00:00.000', '2027-02-11T12:00:00.000', 'now'],
  ['warned before it was used', '2026-12-31T12:00:00.000', '2027-01-30T11:59:59.999', null],
  [
    'warned when it was used',
    '2027-01-01T12:00:00.000',
    '2027-03-01T12:00:00.000',
    '2027-03-02T12:00:00.000',
    '2027-03-01T12:00:00.000',
  ],
])('an unused bank, %s', (_, warned, now, expires, warnedAfter = warned ?? undefined) => {
  const expiry = parseDuration('P30D');
  if (expiry === null) throw new Error('P30D is a duration');
  const warnedAt = warned === null ? null : instant(warned);
  const bank = new NamedBank('unused', recordWarned(warnedAt), parts);
  const found = bank.checkExpiry(expiry, instant(now));
  const text = found === null || found === 'now' ? found : formatInstant(found).slice(0, 23);
  expect(text).toBe(expires);
  expect(bank.record.warned).toBe(warnedAfter === undefined ? null : instant(warnedAfter));
});

test('T7: the clock of a bank is kept, even if its record is replaced while it is being written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-banks-'));
  const { config, ...record } = recordWarned(null);
  const log = pino({ level: 'silent' });
  const store = await BankFiles.open({ folder, config, knownState, address: '', log });
  await store.make('kept', { config, ...record }, knownState);
  const clock = { mode: 'frozen', base: used, since: used, rate: 1 } as never;
  const keepLater = store.keepLater.bind(store);
  const faults = [{ id: '1', code: 'FORMAT_ERROR', times: 1, remaining: 1 }] as never;
  let writes = 0;
  store.keepLater = (name, next) => {
    const kept = keepLater(name, next);
    if ((writes += 1) === 1) bank.keepFaults(faults);
    return kept;
  };
  const make = () => Promise.resolve({ clock: () => Promise.resolve(clock) } as unknown as HostedBank);
  const bank = new NamedBank('kept', { config, ...record }, { ...parts, store, make });
  await bank.open();
  await bank.keepState();
  const written = JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8')) as BankRecord;
  expect([written.clock, written.faults]).toEqual([clock, faults]);
  store.close();
});

test('T7: a state that is kept twice at once is written once', async () => {
  const clock = { mode: 'frozen', base: used, since: used, rate: 1 } as never;
  const make = () => Promise.resolve({ clock: () => Promise.resolve(clock) } as unknown as HostedBank);
  let writes = 0;
  const keepLater = () => {
    writes += 1;
    return Promise.resolve(true);
  };
  const store = { ...inMemory, isLasting: true, keepLater };
  const bank = new NamedBank('kept', recordWarned(null), { ...parts, store, make });
  await bank.open();
  await Promise.all([bank.keepState(), bank.keepState()]);
  expect(writes).toBe(1);
  expect(bank.record.clock).toEqual(clock);
});

test('H Lasting: when a bank was last used is kept once that is more than ten minutes later than before', async () => {
  let now: number = used;
  const clock = { ...systemClock, now: () => now as Instant };
  const make = () => Promise.resolve({ clock: () => Promise.resolve(null) } as unknown as HostedBank);
  const kept: number[] = [];
  const keepLater = (_name: string, record: BankRecord) => {
    kept.push(record.used - used);
    return Promise.resolve(true);
  };
  const bank = new NamedBank('used', recordWarned(null), {
    ...parts,
    store: { ...inMemory, isLasting: true, keepLater },
    visits: new Visits({ perSecond: null, clock, strangers: null, issued: () => null }),
    make,
  });
  await bank.open();
  for (const later of [600_000, 600_001, 1_200_001, 1_200_002]) {
    now = used + later;
    bank.visits.take({ headers: {}, socket: {}, app: { get: () => false } } as never);
    await bank.keepState();
  }
  expect(kept).toEqual([600_001, 1_200_002]);
});

test('H Lasting: a bank whose record is lost was last used when its ledger was last written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-banks-'));
  const { config } = recordWarned(null);
  const store = await BankFiles.open({ folder, config, knownState, address: '', log: pino({ level: 'silent' }) });
  const ledger = join(folder, 'old.sqlite');
  await (await openBank({ ledger, wall: systemClock, ids: { seed: 'old' }, calendar, knownState })).close();
  utimesSync(ledger, new Date(used), new Date(used + 3_600_000_000_000));
  expect((await store.find('old'))?.used).toBe(used + 3_600_000_000_000);
  store.close();
});

test('Q9: a fault more that cannot be kept fails its call, and one that has struck does not', () => {
  const keep = () => {
    throw new LedgerUnavailable({ kind: 'unwritable', reason: 'the disk is full' });
  };
  const armed = [{ id: '1', code: 'FORMAT_ERROR', times: 1, remaining: 1 }] as never;
  const record = { ...recordWarned(null), faults: armed };
  const bank = new NamedBank('kept', record, { ...parts, store: { ...inMemory, keep } });
  expect(() => bank.keepFaults([...record.faults, ...record.faults])).toThrow('the disk is full');
  bank.keepFaults([]);
  expect(bank.record.faults).toEqual([]);
});

test('H Lasting: a suspended bank whose file has changed is told so when it is opened again', async () => {
  let stamp = 'a';
  let changes = 0;
  const done = () => Promise.resolve();
  const fileChanged = () => Promise.resolve((changes += 1));
  const hosted = { suspend: done, clock: () => Promise.resolve(null), fileChanged } as unknown as HostedBank;
  const store = { ...inMemory, stamp: () => stamp };
  const bank = new NamedBank('kept', recordWarned(null), { ...parts, store, make: () => Promise.resolve(hosted) });
  const found: number[] = [];
  for (const next of ['a', 'b', 'b']) {
    await bank.open();
    await bank.suspend();
    stamp = next;
    await bank.open();
    found.push(changes);
  }
  expect(found).toEqual([0, 1, 1]);
});

test('H Lasting: a bank whose ledger could not be closed is not removed, and is opened again', async () => {
  const hosted = { close: () => Promise.reject(new Error('the disk is full')) } as unknown as HostedBank;
  const bank = new NamedBank('kept', recordWarned(null), { ...parts, make: () => Promise.resolve(hosted) });
  await bank.open();
  await expect(bank.close()).rejects.toThrow('the disk is full');
  expect([bank.isRemoved, await bank.open()]).toEqual([false, hosted]);
});

test('a request that two handlers take counts once', () => {
  const visits = new Visits({
    perSecond: 1,
    clock: { ...systemClock, monotonic: () => 0 },
    strangers: null,
    issued: () => null,
  });
  const request = { headers: {}, socket: {}, app: { get: () => false } } as never;
  visits.take(request);
  visits.take(request);
  expect(visits.counted.requests).toBe(1);
});

test('H Lasting: a bank that cannot be opened is tried again after ten seconds, or when its file has changed, whatever the reason', async () => {
  let [monotonic, stamp, tries] = [0, 'a', 0];
  let cause: Error = new LedgerDamaged('its pages are wrong');
  const bank = new NamedBank('damaged', recordWarned(null), {
    ...parts,
    store: { ...inMemory, stamp: () => stamp },
    wall: { now: systemClock.now, monotonic: () => monotonic },
    make: () => {
      tries += 1;
      // A try writes to the file.
      stamp += tries;
      return Promise.reject(new LedgerUnavailable({ kind: 'broken', reason: 'damaged', cause }));
    },
  });
  const triesAt = async (at: number): Promise<number> => {
    monotonic = at;
    await expect(bank.open()).rejects.toThrow(LedgerUnavailable);
    return tries;
  };
  expect([await triesAt(0), await triesAt(9_999), await triesAt(10_000), await triesAt(10_001)]).toEqual([1, 1, 2, 2]);
  stamp = 'b';
  expect([await triesAt(10_002), await triesAt(10_003), bank.damage]).toEqual([3, 3, 'damaged']);
  cause = new Error('it has other settlement times');
  expect([await triesAt(30_000), await triesAt(30_001), bank.damage]).toEqual([4, 4, 'damaged']);
});

test('H Hosting: a bank whose changed file could not be checked is asked again by the next request', async () => {
  let [stamp, fails] = ['a', true];
  const hosted = {
    clock: () => Promise.resolve(null),
    suspend: () => Promise.resolve(),
    fileChanged: () => (fails ? Promise.reject(new Error('no process could be started')) : Promise.resolve()),
  } as unknown as HostedBank;
  const store = { ...inMemory, stamp: () => stamp };
  const bank = new NamedBank('changed', recordWarned(null), { ...parts, store, make: () => Promise.resolve(hosted) });
  await bank.open();
  await bank.suspend();
  stamp = 'b';
  await expect(bank.open()).rejects.toThrow('no process could be started');
  fails = false;
  expect(await bank.open()).toBe(hosted);
});

describe('H Limits: a bank of 100 bytes', () => {
  let bytes = 0;
  const limitOf = () => new StorageLimit(100, () => bytes);
  const isRefused = (work: () => void): boolean => {
    try {
      work();
      return false;
    } catch {
      return true;
    }
  };

  test.each([
    [99, 0, false, false],
    [99, 1, false, false],
    [99, 2, false, true],
    [100, 0, true, true],
  ])('that takes %i is asked for %i more: it is full: %s, and refuses: %s', (taken, more, isFull, refuses) => {
    bytes = taken;
    expect([limitOf().isFull(), isRefused(() => limitOf().requireFor(more))]).toEqual([isFull, refuses]);
  });

  test('a call that adds waits for the one before it, and is refused if that one filled the bank', async () => {
    bytes = 99;
    const limit = limitOf();
    const add = () =>
      limit.adding(async () => {
        await Promise.resolve();
        bytes += 1;
      });
    const ends = await Promise.allSettled([add(), add()]);
    expect([ends.map(({ status }) => status), bytes]).toEqual([['fulfilled', 'rejected'], 100]);
  });
});
