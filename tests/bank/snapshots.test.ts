import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { listSnapshots, removeSnapshot, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { at, knownState, manualClock, memoryBank } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump } from '../lab/rows.ts';
import { oneOf } from '../support/sample.ts';
import { goOn, newStory, type tell } from '../support/story.ts';

const begin = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();

let files = 0;
const ledgers = [
  ['in memory', () => ':memory:'],
  ['in a file', () => join(folder, `${(files += 1)}.sqlite`)],
] as const;

/** A payment is signed, and the bank is at its second run: one is booked. */
async function busyBank(ledger: string): Promise<{ bank: Bank; story: Awaited<ReturnType<typeof tell>> }> {
  const bank = await memoryBank(begin, { ledger });
  const story = newStory(bank);
  await goOn(
    story,
    `pay  rent 100.00 nora -> even | RCVD
     sign rent                     | PDNG
     at 2027-03-24 15:30           | 2027-03-24/4 settled 1; 2027-03-24/5 booked 1
     pay  food 20.00 nora -> shop on 2027-03-30 | RCVD
     sign food                     | ACSP`,
  );
  return { bank, story };
}

describe.each(ledgers)('a snapshot of a ledger %s', (_where, path) => {
  test('holds every row and the clock: what happened afterwards is undone by the restore', async () => {
    const { bank, story } = await busyBank(path());
    await saveSnapshot(bank, 'before-easter');
    const before = await dump(bank);
    await goOn(story, 'at 2027-03-30 09:30 | 2027-03-30/1 settled 1; 2027-03-30/2 booked 1');
    expect(await dump(bank)).not.toEqual(before);
    await restoreSnapshot(bank, 'before-easter');
    expect(await dump(bank)).toEqual(before);
    expect((await readClock(bank)).now).toBe(at('2027-03-24T15:30:00+01:00'));
    expect(await brokenProofs(bank)).toEqual({});
    await bank.close();
  });

  test('restored twice it gives two branches that know nothing of each other', async () => {
    const { bank, story } = await busyBank(path());
    await saveSnapshot(bank, 'fork');
    await goOn(
      story,
      `pay  more 5.00 nora -> even on 2027-03-30 | RCVD
       sign more                                | ACSP
       at 2027-03-30 09:30                      | 2027-03-30/1 settled 2; 2027-03-30/2 booked 2`,
    );
    await restoreSnapshot(bank, 'fork');
    await goOn(story, 'at 2027-03-30 09:30 | 2027-03-30/1 settled 1; 2027-03-30/2 booked 1');
    await bank.close();
  });

  test('of the same name takes the place of the earlier one, and the list tells name and time', async () => {
    const { bank } = await busyBank(path());
    await saveSnapshot(bank, 'one');
    await advanceClock(bank, at('2027-03-30T12:00:00+02:00'));
    await saveSnapshot(bank, 'one');
    await saveSnapshot(bank, 'A.second_one-2');
    expect(await listSnapshots(bank)).toEqual([
      { name: 'seeded', now: at(begin) },
      { name: 'A.second_one-2', now: at('2027-03-30T12:00:00+02:00') },
      { name: 'one', now: at('2027-03-30T12:00:00+02:00') },
    ]);
    await removeSnapshot(bank, 'one');
    await expect(restoreSnapshot(bank, 'one')).rejects.toMatchObject({
      faults: [{ code: 'NOT_FOUND', allowed: ['seeded', 'A.second_one-2'] }],
    });
    await bank.close();
  });

  test('T7: reset goes to the instant of the ledger that was restored, not to where the clock was set back to since', async () => {
    await using bank = await memoryBank(begin, { ledger: path() });
    await saveSnapshot(bank, 'mine');
    await setClock(bank, { now: at('2026-01-05T08:00:00+01:00'), mode: null, rate: null });
    await restoreSnapshot(bank, 'mine');
    await resetBank(bank);
    expect((await readClock(bank)).now).toBe(at(begin));
  });

  test('reset is the restore of the seeded one: every row and every id as on the first day', async () => {
    await using bank = await memoryBank(begin, { ledger: path() });
    const seeded = await dump(bank);
    const story = newStory(bank);
    await goOn(
      story,
      `pay  rent 100.00 nora -> even | RCVD
       sign rent                     | PDNG
       at 2027-04-30 15:30           | 2027-03-24/4 settled 1; 2027-03-24/5 booked 1`,
    );
    for (const back of [() => resetBank(bank), () => restoreSnapshot(bank, 'seeded')]) {
      await back();
      expect(await dump(bank)).toEqual(seeded);
      await advanceClock(bank, at('2027-04-30T15:30:00+02:00'));
    }
  });

  test('a running clock starts again from the instant of the snapshot (rules.md T7)', async () => {
    const wall = manualClock(at('2026-11-20T12:00:00+01:00'));
    await using bank = await memoryBank(begin, { ledger: path(), wall, start: { mode: 'running', now: at(begin) } });
    await saveSnapshot(bank, 'now');
    wall.set(at('2026-11-23T12:00:00+01:00'));
    expect((await readClock(bank)).now).toBe(at('2027-03-27T12:00:00+01:00'));
    await restoreSnapshot(bank, 'now');
    expect((await readClock(bank)).now).toBe(at(begin));
    wall.set(at('2026-11-23T12:00:05+01:00'));
    expect((await readClock(bank)).now).toBe(at('2027-03-24T12:00:05+01:00'));
  });

  test.each([
    ['', 'BAD_REQUEST'],
    ['../ledger', 'BAD_REQUEST'],
    ['a/b', 'BAD_REQUEST'],
    ['.hidden', 'BAD_REQUEST'],
    ['seeded+1', 'BAD_REQUEST'],
    ['x'.repeat(65), 'BAD_REQUEST'],
    ['seeded', 'CONFLICT'],
  ])('the name %j is refused: %s', async (name, code) => {
    await using bank = await memoryBank(begin, { ledger: path() });
    await expect(saveSnapshot(bank, name)).rejects.toMatchObject({ faults: [{ code }] });
    await expect(removeSnapshot(bank, name)).rejects.toMatchObject({ faults: [{ code }] });
  });
});

describe('snapshots of a ledger file', () => {
  test('outlive the process, and so does what was restored', async () => {
    const ledger = join(folder, 'kept.sqlite');
    const first = await busyBank(ledger);
    await saveSnapshot(first.bank, 'kept');
    const before = await dump(first.bank);
    await advanceClock(first.bank, at('2027-05-03T12:00:00+02:00'));
    await first.bank.close();
    const second = await memoryBank(begin, { ledger });
    await restoreSnapshot(second, 'kept');
    await second.close();
    await using third = await memoryBank(begin, { ledger });
    expect(await dump(third)).toEqual(before);
  });

  test('are restored into the file while another program has it open, which sees the restored ledger (H)', async () => {
    const ledger = join(folder, 'shared.sqlite');
    const { bank } = await busyBank(ledger);
    await saveSnapshot(bank, 'mine');
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    const before = await dump(bank);
    const other = await memoryBank(begin, { ledger });
    expect(await dump(other)).toEqual(before);
    await restoreSnapshot(bank, 'mine');
    const restored = await dump(bank);
    expect(restored).not.toEqual(before);
    expect(await dump(other)).toEqual(restored);
    await other.close();
    await bank.close();
  });

  test('the seeded one of other fixtures is forgotten: a reset lays those that are configured', async () => {
    const ledger = join(folder, 'fixtures.sqlite');
    await (await memoryBank(begin, { ledger })).close();
    const smaller = { ...knownState, agreements: [], customers: knownState.customers.slice(0, 1) };
    const bank = await memoryBank(begin, { ledger, knownState: smaller });
    await resetBank(bank);
    const { customer } = await dump(bank);
    expect(customer).toHaveLength(1);
    expect(await listSnapshots(bank)).toEqual([{ name: 'seeded', now: at(begin) }]);
    await bank.close();
    expect(existsSync(`${ledger}.snapshots`)).toBe(true);
  });

  test('the seeded one is listed for a copied ledger too; the others come with their folder', async () => {
    const [ledger, kept] = [join(folder, 'copied.sqlite'), join(folder, 'copy.sqlite')];
    const { bank } = await busyBank(ledger);
    await saveSnapshot(bank, 'before');
    const { now } = await readClock(bank);
    await bank.close();
    copyFileSync(ledger, kept);
    const listed = async (): Promise<unknown> => {
      const copy = await memoryBank(begin, { ledger: kept });
      const snapshots = await listSnapshots(copy);
      await copy.close();
      return snapshots;
    };
    const seeded = { name: 'seeded', now: at(begin) };
    expect(await listed()).toEqual([seeded]);
    cpSync(`${ledger}.snapshots`, `${kept}.snapshots`, { recursive: true });
    expect(await listed()).toEqual([seeded, { name: 'before', now }]);
  });

  test('a log that a process left half-way through a restore is not read into the next one', async () => {
    const ledger = join(folder, 'leftover.sqlite');
    const { bank } = await busyBank(ledger);
    await saveSnapshot(bank, 'one');
    await advanceClock(bank, at('2027-04-30T12:00:00+02:00'));
    await saveSnapshot(bank, 'two');
    const two = await dump(bank);
    // What is left of it: a log of another database under the name that a restore uses.
    const other = await memoryBank(begin, { ledger: join(folder, 'other.sqlite') });
    await advanceClock(other, at('2027-03-26T12:00:00+01:00'));
    copyFileSync(join(folder, 'other.sqlite-wal'), `${ledger}.snapshots/next.sqlite-wal`);
    await other.close();
    await restoreSnapshot(bank, 'two');
    expect(await dump(bank)).toEqual(two);
    await bank.close();
  });

  test('one that is removed leaves no file, not even of a copy that a process left half-way', async () => {
    const ledger = join(folder, 'removed.sqlite');
    const { bank } = await busyBank(ledger);
    await saveSnapshot(bank, 'one');
    const now = (await readClock(bank)).now;
    writeFileSync(join(`${ledger}.snapshots`, `one@${now}.sqlite.copy.partial`), 'half');
    await removeSnapshot(bank, 'one');
    expect(readdirSync(`${ledger}.snapshots`).filter((file) => file.startsWith('one'))).toEqual([]);
    await bank.close();
  });

  test('a save that fails leaves the earlier snapshot of that name, and says why: CONFLICT', async () => {
    const ledger = join(folder, 'refused.sqlite');
    const { bank } = await busyBank(ledger);
    await saveSnapshot(bank, 'keep');
    const before = await dump(bank);
    const saving = join(`${ledger}.snapshots`, 'saving.partial');
    mkdirSync(saving);
    await advanceClock(bank, at('2027-04-30T12:00:00+02:00'));
    await expect(saveSnapshot(bank, 'keep')).rejects.toMatchObject({ faults: [{ code: 'CONFLICT' }] });
    rmSync(saving, { recursive: true });
    await restoreSnapshot(bank, 'keep');
    expect(await dump(bank)).toEqual(before);
    await bank.close();
  });

  test('a restore keeps a link to the ledger, and who may read the file', async () => {
    mkdirSync(join(folder, 'real'));
    const [real, link] = [join(folder, 'real', 'ledger.sqlite'), join(folder, 'link.sqlite')];
    await (await memoryBank(begin, { ledger: real })).close();
    chmodSync(real, 0o600);
    symlinkSync(real, link);
    const bank = await memoryBank(begin, { ledger: link });
    await advanceClock(bank, at('2027-04-30T12:00:00+02:00'));
    await resetBank(bank);
    await bank.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    await using again = await memoryBank(begin, { ledger: real });
    expect((await readClock(again)).now).toBe(at(begin));
  });

  test('what waits behind a close does not open the ledger again', async () => {
    for (const ledger of [':memory:', join(folder, 'closing.sqlite')]) {
      const bank = await memoryBank(begin, { ledger });
      const closing = bank.close();
      await expect(readClock(bank)).rejects.toMatchObject({ faults: [{ code: 'NOT_FOUND' }] });
      await closing;
    }
    expect(existsSync(join(folder, 'closing.sqlite-wal'))).toBe(false);
  });
});

test.each(oneOf('as many snapshots as there may be', ledgers))(
  'C10e, %s: a bank has 100 snapshots at most; one more is refused in words, a name that is used again is not',
  async (_where, path) => {
    await using bank = await memoryBank(begin, { ledger: path() });
    for (let number = 1; number <= 100; number += 1) await saveSnapshot(bank, `s-${number}`);
    await expect(saveSnapshot(bank, 'one-more')).rejects.toMatchObject({
      faults: [{ code: 'CONFLICT', path: 'name', text: expect.stringContaining('100 snapshots beside seeded') }],
    });
    await saveSnapshot(bank, 's-7');
    await removeSnapshot(bank, 's-8');
    await saveSnapshot(bank, 'one-more');
    expect(await listSnapshots(bank)).toHaveLength(101);
    await resetBank(bank);
    expect(await listSnapshots(bank)).toHaveLength(101);
  },
);

test('what is changed while the clock goes back is not in the known state that a reset restores', async () => {
  await using bank = await memoryBank(begin, { ledger: join(folder, 'foreign.sqlite') });
  const going = setClock(bank, { now: at('2026-01-05T08:00:00+01:00'), mode: null, rate: null });
  const renaming = bank.ledger.write(
    async (tx) => void (await tx.updateTable('customer').set({ name: 'X' }).execute()),
  );
  await Promise.all([going, renaming]);
  await resetBank(bank);
  const { customer = [] } = await dump(bank);
  expect(customer.filter(({ name }) => name === 'X')).toEqual([]);
});
