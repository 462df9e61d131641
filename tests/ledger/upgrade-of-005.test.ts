import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { loadPriceList } from '../../api/start/price-list-file.ts';
import { openBank, type Bank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { rejectPayment } from '../../engine/payments/reject-payment.ts';
import { authoriseSigningBasket } from '../../engine/approval/authorise-signing-basket.ts';
import { at, calendar, knownState, manualClock } from '../support/bank.ts';
import { approve, sign, tpp, type Person } from '../support/payments.ts';
import { brokenProofs } from '../support/proof.ts';
import { rowsOf, type Row } from '../support/rows.ts';

/*
 * What the program wrote before migration 006 (commit ae0714a), as `sqlite3 .dump` shows it: a bank at 2027-04-13 09:00 with
 * a payment of every kind in every status that a payment can have. By their keys:
 */
const names = [
  'settled single',
  'running order',
  'ended order',
  'order without funds',
  'single without funds',
  'bulk in part',
  'instant',
  'exchange',
  'unsigned single',
  'single for later',
  'single for today',
  'unsigned instant',
  'unsigned bulk',
  'bulk for later',
  'unsigned order',
  'unsigned order by number',
  'changed order',
  'deleted order',
  'unsigned transfer abroad',
  'transfer to Germany',
  'single with one signature of two',
  'order with one signature of two',
  'first in the basket',
  'second in the basket',
] as const;
const basketId = 'enc!!CMSygR13QvaFeGiHOpilIG3voz4SoU96z7vQvMuRPw==';
const older = readFileSync(new URL('ledger-of-005.sql', import.meta.url), 'utf8');
const start = at('2027-04-13T09:00:00+02:00');

/** All that a migration must leave as it is: payments, statuses, attempts, entries, balances. But for when entries are booked (010). */
const projection = [
  `select id, resource_id, service, product, tpp_id, customer_id, debtor_account_id, status, execution_date, tpp_redirect_uri,
    tpp_session_id, initiated_at, authorised_at, cancellation_requested_at, agreement_id, forced_status from payment order by id`,
  'select * from status_change order by id',
  'select * from execution order by id',
  `select execution_id, number, run_date, run_number, available_minor, needed_minor, outcome from attempt
    order by execution_id, number`,
  'select id, account_id, amount_minor, execution_id, direct_posting_id, value_date, is_fee, batch_id from entry order by id',
  'select id, balance_minor from account order by id',
];

let folder: string;
let before: unknown[];
let bank: Bank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  const ledger = join(folder, 'ledger.sqlite');
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  before = projection.map((statement) => inDigits(file.prepare(statement).all()));
  file.close();
  bank = await openBank({
    ledger,
    wall: manualClock(start),
    ids: randomIds,
    calendar,
    knownState,
    prices: await loadPriceList(),
  });
});
afterEach(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (statement: string): Promise<Row[]> => bank.ledger.read((reader) => rowsOf(reader, statement));

/** The ledger reads money as bigint, the bare file as numbers. */
function inDigits(rows: unknown): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

const statuses = async (): Promise<Record<string, unknown>> => {
  const rows = await read('select id, status from payment order by id');
  return Object.fromEntries(rows.map(({ id, status }) => [nameOf(id), status]));
};

function nameOf(id: unknown): string {
  return names[Number(id) - 1] ?? '';
}

async function signAs(name: (typeof names)[number], person: Person): Promise<void> {
  const [row] = await read(`select resource_id from payment where id = ${names.indexOf(name) + 1}`);
  expect(await sign(bank, String(row?.['resource_id']), person)).toBeNull();
}

test('the ledger holds a payment of every service in every status that waits for something', async () => {
  const rows = await read('select distinct service, status from payment');
  const held = Object.entries(Object.groupBy(rows, ({ service }) => String(service)));
  expect(Object.fromEntries(held.map(([service, all]) => [service, all?.map(({ status }) => status).sort()]))).toEqual({
    payments: ['ACCP', 'ACSC', 'ACSP', 'PATC', 'PDNG', 'RCVD'],
    'periodic-payments': ['ACSC', 'ACSP', 'CANC', 'PATC', 'RCVD'],
    'bulk-payments': ['ACSP', 'PART', 'RCVD'],
  });
});

test('migrations leave payments, statuses, executions, attempts, entries and balances as they are', async () => {
  const after: string[] = [];
  for (const statement of projection) after.push(inDigits(await read(statement)));
  expect(after).toEqual(before);
});

test('008: every periodic payment has a row of what it transfers, as it was initiated or changed', async () => {
  const rows = await read(`select t.payment_id, t.sequence, t.debtor_account_id = p.debtor_account_id as is_from_debtor,
    t.creditor_number, t.amount_minor, t.currency, t.execution_date, t.initiation
    from credit_transfer t join payment p on p.id = t.payment_id where p.service = 'periodic-payments' order by t.id`);
  const [even, shop] = ['74712699947', '90491105991'];
  const order = (name: string, number: string, minor: bigint) => ({
    name,
    sequence: 0,
    is_from_debtor: 1,
    creditor_number: number,
    amount_minor: minor,
    currency: 'NOK',
    execution_date: null,
    initiation: null,
  });
  expect(rows.map(({ payment_id: id, ...row }) => ({ name: nameOf(id), ...row }))).toEqual([
    order('running order', even, 1000n),
    order('ended order', even, 1100n),
    order('order without funds', shop, 2000n),
    order('unsigned order', even, 1700n),
    order('unsigned order by number', shop, 123_456_789n),
    order('changed order', even, 1850n),
    order('deleted order', even, 1900n),
    order('order with one signature of two', even, 2200n),
    order('second in the basket', even, 2400n),
  ]);
});

test('008: what a transfer says is what its open executions move', async () => {
  const others = await read(`select e.id from execution e join payment p on p.id = e.payment_id
    where e.status in ('ACSP', 'PDNG', 'ACCP') and not exists (select 1 from credit_transfer t
      left join foreign_transfer f on f.payment_id = t.payment_id
      where t.payment_id = e.payment_id and t.sequence = iif(p.service = 'periodic-payments', 0, e.sequence)
        and (t.creditor_number, t.debtor_account_id, coalesce(f.debit_minor, t.amount_minor))
          = (e.creditor_number, e.debtor_account_id, e.amount_minor))`);
  expect(others).toEqual([]);
});

test('009: what an older program left waiting can be rejected', async () => {
  const ids = await read('select id, resource_id from payment');
  const idOf = (name: (typeof names)[number]): string =>
    String(ids.find(({ id }) => nameOf(id) === name)?.['resource_id']);
  const wanted = { item: null, occurrence: null, reason: 'wanted' };
  for (const name of ['single for later', 'running order', 'unsigned single'] as const) {
    await rejectPayment(bank, idOf(name), wanted);
  }
  await rejectPayment(bank, idOf('bulk for later'), { ...wanted, item: 0 });
  await advanceClock(bank, at('2027-04-19T12:00:00+02:00'));
  expect(await statuses()).toMatchObject({
    'single for later': 'RJCT',
    'running order': 'ACSP',
    'unsigned single': 'RJCT',
    'bulk for later': 'PART',
  });
  expect(await executed('running order')).toContain('14 1000 RJCT');
  expect(await brokenProofs(bank)).toEqual({});
});

test('it goes on: the rest is signed, and everything settles that has the money', async () => {
  for (const name of ['unsigned single', 'unsigned instant', 'unsigned bulk', 'unsigned order'] as const) {
    await signAs(name, 'nora');
  }
  await signAs('unsigned order by number', 'nora');
  await signAs('unsigned transfer abroad', 'nora');
  await signAs('single with one signature of two', 'tor');
  await signAs('order with one signature of two', 'tor');
  const sca = await authoriseSigningBasket(bank, { tpp, psu: {}, basketId, redirectUri: null, sessionId: null });
  expect(await approve(bank, sca, 'nora')).toBeNull();
  await advanceClock(bank, at('2027-04-19T12:00:00+02:00'));
  const orders = ['running order', 'order without funds', 'unsigned order', 'unsigned order by number'] as const;
  const running = [...orders, 'changed order', 'order with one signature of two', 'second in the basket'];
  const ended = Object.fromEntries(names.map((name) => [name, running.includes(name) ? 'ACSP' : 'ACSC']));
  expect(await statuses()).toEqual({
    ...ended,
    'single without funds': 'RJCT',
    'bulk in part': 'PART',
    'deleted order': 'CANC',
  });
  // The Saturday, the Sunday and the Monday are paid on the Monday.
  const monday = '19 1850 ACSC';
  const days = ['15 1850 ACSC', '16 1850 ACSC', monday, monday, monday, '20 1850 ACSP'];
  expect(await executed('changed order')).toEqual(days);
  expect(await executed('running order')).toContain('20 1000 ACSP');
  expect(await executed('unsigned order by number')).toEqual(['15 123456789 RJCT', '22 123456789 ACSP']);
  expect(await executed('unsigned bulk')).toEqual(['15 100 ACSC', '15 200 ACSC', '15 300 ACSC']);
  expect(await executed('unsigned transfer abroad')).toHaveLength(1);
  expect(await brokenProofs(bank)).toEqual({});
});

/** Each execution of a payment: its day in April, its amount, its status. */
async function executed(name: (typeof names)[number]): Promise<string[]> {
  const rows = await read(`select substr(execution_date, 9) || ' ' || amount_minor || ' ' || status as text
    from execution where payment_id = ${names.indexOf(name) + 1} order by sequence`);
  return rows.map(({ text }) => String(text));
}
