import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { checkLedger } from '../../engine/open-bank.ts';
import { tables } from '../../engine/ledger/tables.ts';
import type { Table } from '../../engine/ledger/columns.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { holder } from '../cards/card-client.ts';
import { patched, rowsChanged } from '../lab/patched-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';

/* B2: a ledger with JSON that nobody can read is refused when it is opened, not by the first page that reads it. */

const bank = testBank('2027-03-24T12:00:00+01:00');
const folder = tempFolder();
const columns = [
  ['card_account', 'details'],
  ['card_transaction', 'details'],
  ['payment_initiation', 'body'],
  ['credit_transfer', 'initiation'],
  ['direct_posting', 'details'],
  ['payment_return', 'details'],
  ['reservation', 'details'],
  ['persona', 'content'],
  ['first_answer', 'answer'],
] as const;
const all: Readonly<Record<string, Table>> = tables;

let sound: Buffer;
beforeAll(async () => {
  const headers = { 'x-psu-identity': holder, 'psu-context': 'PRIVATE' };
  for (const [path, body] of [
    [bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')])],
    [singlePath, singlePayment({ requestedExecutionDate: '2027-03-25' })],
  ] as const)
    expect((await bank.signed('POST', path, { body, headers })).status).toBe(201);
  sound = (await takeLedgerImage(bank.bank)).bytes;
});

test('every column that holds JSON is one of these', () => {
  const found = Object.entries(all).flatMap(([table, { columns: its }]) =>
    Object.entries(its).flatMap(([column, { json }]) => (json === undefined ? [] : [`${table}.${column}`])),
  );
  expect(found.toSorted()).toEqual(columns.map((each) => each.join('.')).toSorted());
});

/** Those of which the bank of this test has rows. */
const filled = columns.filter(
  ([table]) => !['card_transaction', 'payment_return', 'reservation', 'persona'].includes(table),
);

test.each(filled)('B2: %s with a wrong %s is refused in one line that names its row', async (table, column) => {
  for (const [index, wrong] of ['', '{', '5', '[]', 'null', '{}x', '{}\0x'].entries()) {
    // A statement of SQL ends at a NUL.
    const text = `'${wrong.replaceAll('\0', "' || char(0) || '")}'`;
    const changed = patched(sound, (sqlite) => {
      if (sqlite.prepare(`select 1 from ${table}`).get() === undefined) throw new Error(`${table} has no row`);
      rowsChanged(`update ${table} set ${column} = ${text} where ${column} = (select max(${column}) from ${table})`)(
        sqlite,
      );
    });
    const path = join(folder, `${table}${index}.sqlite`);
    writeFileSync(path, changed);
    const said = await checkLedger(path, 'here').catch((error: Error) => error.message);
    const line = new RegExp(`${column} of the row \\S+ of ${table} is not the JSON that belongs there$`);
    expect([wrong, said]).toEqual([wrong, expect.stringMatching(line)]);
  }
});

test.each([
  ['payment_initiation', 'body', 'creditorName', ['7', '{}', 'null', undefined]],
  ['payment_initiation', 'body', 'creditorAccount', ['7', '[]', 'null', undefined]],
  ['payment_initiation', 'body', 'debtorAccount', ['"x"', undefined]],
  ['payment_initiation', 'body', 'requestedExecutionDate', ['7', '{}', 'null', '"soon"', '"2027-02-30"']],
  ['credit_transfer', 'initiation', 'creditorName', ['7', 'null', undefined]],
  ['credit_transfer', 'initiation', 'creditorAccount', ['7', 'null', undefined]],
  ['direct_posting', 'details', 'remittanceInformationUnstructured', ['7', '{}', 'null']],
  ['direct_posting', 'details', 'creditorName', ['7', '[]']],
  ['direct_posting', 'details', 'debtorAccount', ['"x"', '[]']],
])('B2: %s with a %s whose %s is of another kind is refused', async (table, column, member, wrongs) => {
  for (const [index, wrong] of wrongs.entries()) {
    const given =
      wrong === undefined
        ? `json_remove(${column}, '$.${member}')`
        : `json_set(${column}, '$.${member}', json('${wrong}'))`;
    const row = `(select max(rowid) from ${table} where ${column} is not null)`;
    const path = join(folder, `${table}-${member}${index}.sqlite`);
    writeFileSync(path, patched(sound, rowsChanged(`update ${table} set ${column} = ${given} where rowid = ${row}`)));
    const said = await checkLedger(path, 'here').catch((error: Error) => error.message);
    expect([wrong, said]).toEqual([wrong, expect.stringMatching(/is not the JSON that belongs there$/)]);
  }
});

test('B2: the ledger itself is opened', async () => {
  writeFileSync(join(folder, 'sound.sqlite'), sound);
  expect(await checkLedger(join(folder, 'sound.sqlite'), 'here')).toBe(true);
});
