import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { openCopy, openLedger } from '../../engine/ledger/database.ts';
import type { Ledger } from '../../engine/ledger/database.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { rowsOf } from '../lab/rows.ts';

const folder = tempFolder();

/** SQLite's numbers. */
const levels = { normal: 1, full: 2 };

async function pragma(ledger: Ledger, name: string): Promise<unknown> {
  const [row] = await ledger.write((tx) => rowsOf(tx, `pragma ${name}`));
  return Object.values(row ?? {})[0];
}

describe('durability of a ledger file', () => {
  test.each(['normal', 'full'] as const)(
    'B4: WAL and %s hold on a fresh file and on a reopened one',
    async (durability) => {
      const file = join(folder, `${durability}.sqlite`);
      for (const state of ['fresh', 'reopened', 'reopened again']) {
        const ledger = await openLedger(file, null, { durability });
        const found = {
          state,
          journal: await pragma(ledger, 'journal_mode'),
          synchronous: await pragma(ledger, 'synchronous'),
          foreignKeys: await pragma(ledger, 'foreign_keys'),
        };
        expect(found).toEqual({ state, journal: 'wal', synchronous: levels[durability], foreignKeys: 1 });
        await ledger.close();
      }
    },
  );

  test('what a write threw away is not there, what it finished is there after reopening', async () => {
    const file = join(folder, 'atomic.sqlite');
    const ledger = await openLedger(file);
    const customer = (number: string) => ({
      resource_id: number,
      customer_number: number,
      name: 'N',
      type: 'private' as const,
      is_type_in_capitals: 1 as const,
      deleted_at: null,
    });
    await ledger.write(async (tx) => void (await tx.insertInto('customer').values(customer('1')).execute()));
    const broken = ledger.write(async (tx) => {
      await tx.insertInto('customer').values(customer('2')).execute();
      throw new Error('on purpose');
    });
    await expect(broken).rejects.toThrow('on purpose');
    await ledger.close();
    const reopened = await openLedger(file);
    const rows = await reopened.read((reader) => rowsOf(reader, 'select customer_number from customer'));
    expect(rows).toEqual([{ customer_number: '1' }]);
    await reopened.close();
  });

  test('a restore leaves no file open of those that it replaced: their room is free again', async () => {
    const file = join(folder, 'restored.sqlite');
    const ledger = await openLedger(file);
    await ledger.save('start', () => Promise.resolve(0 as Instant));
    for (let turn = 0; turn < 5; turn += 1) await ledger.restore('start', () => Promise.resolve());
    const replaced = (): string[] =>
      readdirSync('/proc/self/fd')
        .map((name) => linkOf(join('/proc/self/fd', name)))
        .filter((path) => path.startsWith(folder) && path.endsWith('(deleted)'));
    // They are closed after the restore, which does not wait for it. The limit of the test ends it.
    while (replaced().length > 0) await setTimeout(5);
    await ledger.close();
  });
});

test('the memory of a large copy of a ledger is free after its end', async () => {
  const before = process.memoryUsage.rss();
  const copy = await openCopy();
  await copy.write(async (tx) => {
    await rowsOf(tx, 'create table large (bytes blob)');
    await rowsOf(tx, 'insert into large values (zeroblob(200000000))');
  });
  await copy.close();
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
});

/** Where an open file is; empty when it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
