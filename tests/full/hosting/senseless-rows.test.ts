import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { savedBanks, type SavedBank } from '../../lab/saved-banks.ts';
import { readBundle } from '../../../api/hosting/bundle/bundle.ts';
import { contentOf, forged } from '../../lab/forged-bundle.ts';
import { patched, rowsChanged } from '../../lab/patched-ledger.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { sample } from '../../support/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbank-senseless-'));
let banks: readonly SavedBank[];
beforeAll(async () => {
  banks = await savedBanks();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

function bankOf(name: string): SavedBank {
  const found = banks.find((bank) => bank.name === name);
  if (found === undefined) throw new Error(`there is no bank ${name}`);
  return found;
}

/** What `sandbank open` says of a bundle in one line, without the name of the file; its exit code is 2. */
async function refusalOf(file: Buffer): Promise<string> {
  const path = join(folder, 'x.sandbank');
  writeFileSync(path, file);
  const { code, lines, errors } = await runMain(['open', path]);
  expect([code, lines, errors]).toEqual([2, [], [expect.not.stringContaining('\n')]]);
  return errors[0] ?? '';
}

const half = (column: string, value: string) => `update ${column.split('.')[0]} set ${column.split('.')[1]} = ${value}`;

/** A bank, a statement, and what is said of it. */
const rows: readonly (readonly [what: string, of: string, statement: string, said: RegExp])[] = [
  ['no state', 'straks', 'delete from bank_state', /no state of the bank/],
  ['a run before the first instant', 'bulk-part', half('settlement_run.at', '-9e14'), /settlement_run has a at/],
  ['a run of another day', 'bulk-part', half('settlement_run.at', 'at + 400000000'), /another instant than its date/],
  ['a run on no day', 'two-signers', `pragma foreign_keys = off; update settlement_run set date = '2027-02-30'`, /./],
  ['a run after the clock', 'bulk-part', half('bank_state.last_run_at', 'last_run_at + 1e11'), /last run does not fit/],
  ['a clock out of range', 'straks', half('bank_state.clock_value', '9007199254740993'), /clock_value/],
  ['settlement times', 'straks', half('bank_state.settlement_times', `'noon'`), /settlement_times/],
  ['a date out of range', 'five-attempts', half('execution.execution_date', `'9999-12-31'`), /execution_date/],
  ['a date that is none', 'five-attempts', half('payment.execution_date', `'2027-02-30'`), /execution_date/],
  ['a start before all days', 'monthly-variable', half('standing_order.start_date', `'0001-01-01'`), /start_date/],
  ['an index beyond all dates', 'monthly-variable', half('standing_order.next_index', '9e8'), /next_index/],
  ['a day of no month', 'monthly-variable', half('standing_order.day_of_execution', '32'), /day_of_execution/],
  ['a month twice', 'monthly-variable', half('standing_order.months_of_execution', `'2,5,2'`), /months_of_execution/],
  ['a frequency that is none', 'monthly-variable', half('standing_order.frequency', `'Hourly'`), /frequency/],
  ['a body that is no JSON', 'straks', half('payment_initiation.body', `'{"a":'`), /a body that/],
  ['a body of something else', 'straks', half('payment_initiation.body', `'[]'`), /a body that/],
  [
    'a body of another service',
    'bulk-part',
    half('payment_initiation.body', `json_set(body, '$.x', 1)`),
    /a body that/,
  ],
  [
    'an amount in a body that is none',
    'straks',
    half('payment_initiation.body', `json_set(body, '$.instructedAmount.amount', 'x')`),
    /a body that/,
  ],
  ['an item that is no JSON', 'bulk-part', half('credit_transfer.initiation', `'x'`), /initiation/],
  ['a currency that is none', 'straks', `${half('account.currency', `'QQQ'`)} where id = 1`, /currency/],
  ['a balance beyond its limit', 'straks', half('account.balance_minor', '9223372036854775807'), /balance_minor/],
  ['an id beyond 2^53', 'transactions', half('entry.id', 'id + 9007199254740993'), /./],
  ['an id so high that none can follow', 'transactions', half('direct_posting.id', 'id + 9e15'), /./],
  ['a status that is none', 'straks', half('payment.status', `'DONE'`), /status/],
  ['a product that is none', 'straks', half('payment.product', `'gold'`), /product/],
  ['a payment without a body', 'straks', 'delete from payment_initiation', /no body/],
  ['a payment without a transfer', 'straks', 'delete from credit_transfer', /not the transfers/],
  ['a payment without a history', 'straks', 'delete from status_change', /no history/],
  ['a standing order without its dates', 'monthly-variable', 'delete from standing_order', /no standing order/],
  ['a bulk payment without its number', 'bulk-part', 'delete from bulk_payment', /no bulk payment/],
  ['a bulk payment of more items', 'bulk-part', half('bulk_payment.number_of_transactions', '900000'), /transfers/],
  ['a foreign payment without a price', 'cross-border', 'delete from foreign_transfer', /no price/],
  ['a rate that is none', 'cross-border', half('foreign_transfer.debit_rate', `'much'`), /debit_rate/],
  ['details that are no object', 'transactions', half('direct_posting.details', `'7'`), /details/],
  [
    'details with an object for a text',
    'transactions',
    half('direct_posting.details', `'{"remittanceInformationUnstructured":{}}'`),
    /details/,
  ],
  ['details of a card that are none', 'cards', half('card_account.details', `'null'`), /details/],
  [
    'a purchase with details that are none',
    'cards',
    `insert into card_transaction values (1, 1, 'x', null, '2027-01-01', 1, null, null, '"x"')`,
    /details/,
  ],
  [
    'a reservation on an account of the bank',
    'transactions',
    `insert into reservation values (1, 'x', (select id from account where kind = 'clearing'), -1, '2027-01-01', null, null, '{}')`,
    /reservation is on no open account/,
  ],
  [
    'a reservation with a day that is none',
    'transactions',
    `insert into reservation values (1, 'x', 1, -1, '2027-01-01', '2027-02-30', null, '{}')`,
    /booking_date/,
  ],
  ['an answer that is no JSON', 'straks', half('first_answer.answer', `'x'`), /answer/],
  ['an account without a number', 'straks', `update account set bban = null, iban = null`, /no number/],
  [
    'a customer who is nobody',
    'corporate',
    `${half('customer.customer_number', `'<b>'`)} where id = 1`,
    /customer_number/,
  ],
  ['a row that refers to none', 'straks', half('payment.customer_id', '9999'), /refers to one that is not there/],
  [
    'an IBAN that is a date',
    'cross-border',
    `${half('account.iban', `'2026-01-02'`)} where id = (select min(id) from account where iban is not null)`,
    /account has a iban/,
  ],
  [
    'a value longer than any body',
    'transactions',
    `update direct_posting set details = '{"additionalInformation":"' || hex(zeroblob(5000000)) || '"}' where id = (select min(id) from direct_posting)`,
    /direct_posting has a value of more than 8388608 bytes/,
  ],
  [
    'a text of more values than memory has room for',
    'transactions',
    `update direct_posting set details = '{"x":[0' || replace(hex(zeroblob(1200000)), '00', ',{}') || ']}' where id = (select min(id) from direct_posting)`,
    /details/,
  ],
  ['an account that is nobody’s', 'straks', half('account.customer_id', 'null'), /CHECK constraint failed/],
];

describe('B2: rows that make no sense are refused in one line, 2', () => {
  test.each(sample('senseless', rows, 3))('%s', async (_what, name, statement, said) => {
    const bank = bankOf(name);
    const ledger = patched(bank.ledger, rowsChanged(statement));
    expect(ledger.equals(bank.ledger)).toBe(false);
    expect(await refusalOf(forged(contentOf(bank.json, ledger), bank))).toMatch(said);
  });

  test('the banks themselves are opened', async () => {
    for (const bank of banks) {
      const { image } = await readBundle(forged(contentOf(bank.json, bank.ledger), bank));
      expect(image.bytes.equals(bank.ledger)).toBe(true);
    }
  });
});

describe('B2: what goes beyond a limit of a running bank is refused, not cut', () => {
  const fault = { id: 1, code: 'SERVICE_BLOCKED', method: null, path: '/v1/users', times: 2, remaining: 1 };
  const many = (count: number, changes: object = {}): object[] =>
    Array.from({ length: count }, (_, index) => ({ ...fault, ...changes, id: index + 1 }));
  const entry = {
    ...{ key: 'k', at: null, wall: 0, method: 'GET', target: '/v1/users', rawHeaders: [], body: null, packet: null },
    ...{ status: 200, isDelivered: true, answer: null, facts: {}, touched: [] },
  };
  const body = (length: number): object => ({ body: { latin1: 'x'.repeat(length), length } });
  test.each<[string, object, RegExp]>([
    ['101 armed faults', { faults: many(101) }, /faults: It has 101 items, at most 100 fit/],
    ['a fault for more calls than one may have', { faults: many(1, { times: 1_000_001 }) }, /faults\[0\]\.times/],
    ['a fault with more calls left', { faults: many(1, { remaining: 3 }) }, /more calls are left/],
    ['a fault without calls left', { faults: many(1, { remaining: 0 }) }, /faults\[0\]\.remaining/],
    ['a fault of another path', { faults: many(1, { path: '/sandbox' }) }, /faults\[0\]\.path/],
    ['a fault without a method', { faults: many(1, { method: undefined }) }, /faults\[0\]\.method/],
    ['a fault that does two things', { faults: many(1, { cut: true }) }, /code and cut cannot be one fault/],
    ['a fault that does nothing', { faults: many(1, { code: undefined }) }, /The fault does nothing/],
    ['a fault that waits too long', { faults: many(1, { delay: 'PT61S' }) }, /"PT61S" is no delay/],
    ['two faults of one id', { faults: [fault, fault] }, /the same id/],
    ['501 requests', { requests: Array.from({ length: 501 }, () => entry) }, /requests: It has 501 items/],
    ['a body of more than 64 KB', { requests: [{ ...entry, ...body(65_537) }] }, /requests\[0\]\.body\.latin1/],
    [
      'a journal of more than 16 MB',
      { requests: Array(300).fill({ ...entry, ...body(65_536) }) },
      /a journal 16777216/,
    ],
    ['letters that are no bytes', { requests: [{ ...entry, body: { latin1: 'Ω', length: 1 } }] }, /latin1/],
    ['a status that is none', { requests: [{ ...entry, status: 7 }] }, /requests\[0\]\.status/],
    ['a key that leads elsewhere', { requests: [{ ...entry, key: '../x' }] }, /requests\[0\]\.key/],
    ['headers without an end', { requests: [{ ...entry, rawHeaders: Array(4_001).fill('a') }] }, /rawHeaders/],
    ['more CAs than a list has', { trustedCas: Array(1_001).fill('x') }, /trustedCas/],
    ['a long setting', { settings: { SANDBANK_QUIRKS: 'x'.repeat(9_000) } }, /^.{0,1200}$/],
  ])('%s', async (_what, changes, said) => {
    const bank = bankOf('straks');
    expect(await refusalOf(forged(contentOf({ ...bank.json, ...changes }, bank.ledger), bank))).toMatch(said);
  });

  test('100 armed faults, 500 requests and a body of 64 KB are taken', async () => {
    const bank = bankOf('straks');
    const requests = [...Array<object>(499).fill(entry), { ...entry, ...body(65_536) }];
    const bundle = await readBundle(
      forged(contentOf({ ...bank.json, faults: many(100), requests }, bank.ledger), bank),
    );
    expect([bundle.faults.length, bundle.entries.length]).toEqual([100, 500]);
  });
});
