import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { imageToSave, type Bank } from '../../../engine/open-bank.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { forecast } from '../../../engine/runs/forecast.ts';
import { hashLedger } from '../../../engine/bank/change-state.ts';
import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { restoreSnapshot } from '../../../engine/reset-and-restore.ts';
import { saveSnapshot, takeLedgerImage } from '../../../engine/bank/snapshots.ts';
import { fillLarge, largeRun, openEmpty } from '../../support/large-run.ts';
import { brokenProofs } from '../../lab/proof.ts';
import { oneOf } from '../../support/sample.ts';

const inFile = 'a file';
/** Of a run; both under `SAMPLE=all`. */
const places = oneOf('place of a large run', [':memory:', inFile]);
/** How many payments are due: a run leaves the turn every few hundred. */
const due = 6_000;
let folder: string;
let bank: Bank;
let other: Bank;
let stopping: AbortController;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-large-run-'));
  stopping = new AbortController();
  other = await openEmpty();
});
afterEach(async () => {
  await bank.close();
  await other.close();
  rmSync(folder, { recursive: true });
});

const file = (): string => join(folder, 'ledger.sqlite');

async function open(place: string): Promise<void> {
  bank = await openEmpty({ ledger: place === inFile ? file() : place, stopping: stopping.signal });
}

/** How many questions another bank of the process answers while the work goes on. */
async function answersDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  let answers = 0;
  for (;;) {
    await setImmediate();
    if (isOver) break;
    await readClock(other);
    answers += 1;
  }
  await ended;
  return answers;
}

/** Work that never leaves the turn lets one or two through, as it begins and ends. */
const several = 2;

describe.each(places)('T4: a large run, one transaction, of a ledger in %s', (place) => {
  beforeEach(async () => {
    await open(place);
    await fillLarge(bank, due);
  }, 20_000);

  test('lets another bank answer all the while', async () => {
    const run = advanceClock(bank, largeRun);
    expect(await answersDuring(run)).toBeGreaterThan(several);
    expect((await run).runs.map(({ settled }) => settled)).toEqual([due]);
    expect(await brokenProofs(bank)).toEqual({});
  }, 20_000);

  test('shows nobody its half: what is asked of the bank meanwhile is answered before it or after it', async () => {
    const run = advanceClock(bank, largeRun);
    await setImmediate();
    const { ok, executions } = await proveLedger(bank);
    expect(ok).toBe(true);
    expect([0, due]).toContain(executions.settled);
    await run;
  }, 20_000);

  test('is given up when the bank stops, and leaves nothing; the next advance carries it out', async () => {
    const run = advanceClock(bank, largeRun);
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    stopping.abort();
    expect((await run).runs).toEqual([]);
    expect((await proveLedger(bank)).executions).toEqual({ settled: 0, unbalanced: 0 });
    expect(await brokenProofs(bank)).toEqual({});
    const again = { ...bank, stopping: new AbortController().signal };
    expect((await advanceClock(again, largeRun)).runs.map(({ settled }) => settled)).toEqual([due]);
  }, 20_000);
});

test.each(places)(
  'B10: a copy of a bank in %s that settles 15,000 waits its turn, and another bank answers before it is there',
  async (place) => {
    await open(place);
    await fillLarge(bank, 15_000);
    const order: string[] = [];
    const run = advanceClock(bank, largeRun);
    // Now the run is in its transaction: who does not wait for it sees no payment settled.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    const image = takeLedgerImage(bank).finally(() => order.push('image'));
    expect(await answersDuring(Promise.all([run, image]))).toBeGreaterThan(several);
    const copying = openEmpty({ copied: await image }).finally(() => order.push('copy'));
    await Promise.all([copying, readClock(other).finally(() => order.push('other'))]);
    expect(order).toEqual(['image', 'other', 'copy']);
    const copy = await copying;
    expect((await proveLedger(copy)).executions).toEqual({ settled: 15_000, unbalanced: 0 });
    await copy.close();
  },
  60_000,
);

test('the hash, the proof and the forecast of a large ledger let another bank answer, too', async () => {
  await open(':memory:');
  await fillLarge(bank, 2 * due);
  expect(await answersDuring(forecast(bank, { to: largeRun }))).toBeGreaterThan(several);
  await advanceClock(bank, largeRun);
  expect(await answersDuring(hashLedger(bank, 'included'))).toBeGreaterThan(several);
  expect(await answersDuring(proveLedger(bank))).toBeGreaterThan(1);
}, 60_000);

test('B5: a large bank in memory that is saved lets another bank answer, and its file has all of it', async () => {
  await open(':memory:');
  await fillLarge(bank, 2 * due);
  const saving = imageToSave(bank);
  expect(await answersDuring(saving)).toBeGreaterThan(several);
  const copy = await openEmpty({ copied: await saving });
  expect(await hashLedger(copy, 'left-out')).toBe(await hashLedger(bank, 'left-out'));
  await copy.close();
}, 60_000);

test('on a file, the log does not grow from run to run, and a restore finds the file its own', async () => {
  await open(inFile);
  await fillLarge(bank, 2 * due);
  await saveSnapshot(bank, 'due');
  const sizes: number[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await advanceClock(bank, largeRun);
    sizes.push(statSync(`${file()}-wal`).size);
    await restoreSnapshot(bank, 'due');
  }
  const [first = 0, last = 0] = sizes;
  expect(last).toBeLessThan(first * 1.5);
  await bank.close();
  expect(existsSync(`${file()}-wal`)).toBe(false);
  await open(inFile);
  expect(await brokenProofs(bank)).toEqual({});
}, 60_000);
