import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bulkItem, bulkPayment, singlePayment } from '../lab/bodies.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'empty' });
});
beforeEach(() => bank.control('POST', '/sandbox/reset'));

const run = (...args: string[]): Promise<Ended> => runMain(args, { env: { BANK: bank.address } });

/** Makes a payment. Returns its id. */
async function pay(...args: string[]): Promise<string> {
  const { lines } = await run('pay', '--json', ...args);
  return (JSON.parse(lines.join('\n')) as { payment: { paymentId: string } }).payment.paymentId;
}

/** Initiates a payment that nobody signs. Returns its id. */
async function initiated(service: string, body: object): Promise<string> {
  const path = `/sandbox/as/shop/v1/${service}/norwegian-domestic-credit-transfers`;
  const headers = { 'content-type': 'application/json', 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  const answer = await bank.raw('POST', path, headers, Buffer.from(JSON.stringify(body)));
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { paymentId: string }).paymentId;
}

test('payments lists one a line in columns, the newest first, and how many there are', async () => {
  const [first, second] = [await pay('--amount', '100'), await pay('--amount', '2', '--on', '2027-03-25')];
  const { code, lines, errors } = await run('payments');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    'Total  2',
    'Payments: 2',
    '  Payee                              Amount  Status  From         Initiated         Executes          Payment id',
    expect.stringContaining(`2.00 NOK  ACSP    09232911044  2027-03-24 12:00  2027-03-30 05:30  ${second}`),
    `  74712699947 Test Testperson 2  100.00 NOK  PDNG    09232911044  2027-03-24 12:00  2027-03-24 13:30  ${first}`,
  ]);
  const one = await run('payments', '--limit', '1');
  expect(one.lines).toEqual(['Total  2', 'Payments: 1', expect.anything(), expect.stringContaining(second)]);
  const json = await run('payments', '--json');
  expect(JSON.parse(json.lines.join('\n'))).toEqual((await bank.control('GET', '/sandbox/payments')).body);
});

test('accounts lists all, and account shows one with its entries and what is pending', async () => {
  for (let day = 1; day <= 12; day += 1) await pay('--amount', `${day}`, '--allow-duplicate');
  await run('advance', '--runs', '1');
  const { accounts } = (await bank.control('GET', '/sandbox/accounts')).body as { accounts: unknown[] };
  const all = await run('accounts');
  expect({ code: all.code, errors: all.errors }).toEqual({ code: 0, errors: [] });
  expect(all.lines).toHaveLength(accounts.length + 2);
  expect(all.lines).toContainEqual(
    expect.stringMatching(/^ {2}Totalkonto +13039319955 Test Testperson 3 +09232911044 +18000\.00 NOK +17922\.00 NOK /),
  );
  expect(all.lines[0]).toBe(`Accounts: ${accounts.length}`);
  const { code, lines } = await run('account', 'NO7809232911044', '--from', '2027-03-24');
  expect(code).toBe(0);
  expect(lines.slice(0, 12)).toEqual([
    'Number       09232911044',
    'Iban         NO7809232911044',
    'Name         Totalkonto',
    'Owner        number 13039319955, name Test Testperson 3',
    'Currency     NOK',
    'Booked       18000.00 NOK',
    'Available    17922.00 NOK',
    'Expected     17922.00 NOK',
    'Credit line  0.00 NOK',
    'Total        0',
    'Entries: none',
    'Pending: 12',
  ]);
  expect(lines.slice(12)).toHaveLength(13);
  expect(lines.slice(12, 14)).toEqual([
    '  Text                   Amount  Value date  Booked',
    '  Test Testperson 2   -1.00 NOK  2027-03-24  by the next settlement run',
  ]);
  await run('advance', '--runs', '1');
  expect((await run('account', '09232911044', '--from', '2027-03-24')).lines.slice(9, 13)).toEqual([
    'Total        12',
    'Entries: 12',
    '  Text                   Amount  Balance after it  Booked      Value date',
    '  Test Testperson 2   -1.00 NOK      17999.00 NOK  2027-03-24  2027-03-24',
  ]);
  const json = await run('account', '09232911044', '--json', '--to', '2027-03-23');
  expect(JSON.parse(json.lines.join('\n'))).toEqual(
    (await bank.control('GET', '/sandbox/accounts/09232911044?to=2027-03-23')).body,
  );
  expect(await run('account')).toMatchObject({ code: 2 });
  expect(await run('account', '1')).toMatchObject({ code: 1, lines: [] });
});

test('the filters of payments are those of the control plane, which refuses a wrong one', async () => {
  const [id] = [await pay('--amount', '100'), await pay('--amount', '30', '--every', 'monthly')];
  const single = await run('payments', '--service', 'payments');
  expect(single.lines.slice(1)).toEqual(['Payments: 1', expect.anything(), expect.stringContaining(id)]);
  for (const filter of [
    ['--status', 'RJCT'],
    ['--account', '90491105991'],
    ['--from', '2027-05-01'],
    ['--to', '2027-03-01'],
    ['--offset', '2'],
  ])
    expect((await run('payments', ...filter)).lines.at(-1)).toBe('Payments: none');
  const wrong = await run('payments', '--status', 'LOST');
  expect([wrong.code, wrong.lines, wrong.errors[0]]).toEqual([1, [], expect.stringContaining('refused (400)')]);
});

test('payment tells what happened, the dates with their causes, attempts and entries', async () => {
  const id = await pay('--amount', '20', '--every', 'monthly', '--until', '2027-05-01');
  await run('advance', 'P1D');
  const { code, lines, errors } = await run('payment', id);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    `20.00 NOK, ${id}`,
    '  Status     ACSP',
    '  Kind       periodic-payments, norwegian-domestic-credit-transfers',
    '  From       09232911044',
    '  To         74712699947 Test Testperson 2',
    expect.stringMatching(/^ {2}TPP {8}Test-TPP pay, PSDNO-/),
    '  Next run   2027-04-26 05:30',
    '  Why        asked for Sat 24 Apr, closed: weekend; settles Mon 26 Apr, 05:30, if funds suffice',
    '  Next       The run of its day tries it: move the clock there.',
    '  Signed by  13039319955 Test Testperson 3, 2027-03-24 12:00',
    `  Console    ${bank.address}/console/payments/${encodeURIComponent(id)}`,
    `  JSON       ${bank.address}/sandbox/payments/${encodeURIComponent(id)}`,
    'History',
    '  2027-03-24 12:00  RCVD  initiation',
    '  2027-03-24 12:00  ACSP  signed by the PSU',
    'Dates',
    '  Requested   Executes    Why                                          Status',
    '  2027-03-24  2027-03-24                                               ACSC',
    '  2027-04-24  2027-04-26  Sat 24 Apr, closed: weekend, due Mon 26 Apr  ACSP',
    'Attempts',
    '  Run               Outcome  Why               Needed    Funds seen  Payment of',
    '  2027-03-24 13:30  settle   funds suffice  20.00 NOK  18000.00 NOK  2027-03-24',
    'Entries',
    '  Account          Amount  Booked      Value date',
    '  09232911044  -20.00 NOK  2027-03-24  2027-03-24',
    '  74712699947   20.00 NOK  2027-03-24  2027-03-24',
  ]);
  expect((await run('payment')).lines).toEqual(lines);
  const json = JSON.parse((await run('payment', id, '--json')).lines.join('\n'));
  expect(json).toEqual((await bank.control('GET', `/sandbox/payments/${encodeURIComponent(id)}`)).body);
});

test('payment tells a return in its history: to come, and then booked', async () => {
  const id = await pay('--amount', '30', '--to', '99110000002');
  await run('advance', 'P1D');
  const history = async () => {
    const { lines } = await run('payment', id);
    return lines.slice(lines.indexOf('History') + 1, lines.indexOf('Dates'));
  };
  expect((await history()).at(-1)).toMatch(/^ {2}2027-03-\d\d +to be returned +account closed$/);
  await run('advance', 'P7D');
  expect((await history()).at(-1)).toMatch(/^ {2}2027-03-\d\d 05:30 +returned +account closed$/);
});

test('an unsigned payment has the page on which a PSU signs it', async () => {
  const { lines } = await run('payment', await initiated('payments', singlePayment()));
  const text = lines.join('\n');
  expect(text).toMatch(/ {2}To sign {3}http:\/\/\S+\/sca\/\S+\n/);
  expect((await fetch(/To sign +(\S+)/.exec(text)?.[1] ?? '')).status).toBe(200);
});

test('a bulk payment names the item of each date', async () => {
  const id = await initiated('bulk-payments', bulkPayment([bulkItem('1.00'), bulkItem('2.00')]));
  const page = /To sign +(\S+)/.exec((await run('payment')).lines.join('\n'))?.[1] ?? '';
  await bank.approve(page);
  const { lines } = await run('payment', id);
  expect(lines[0]).toMatch(/^Bulk payment, enc!!/);
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^ {2}payments\[1\] 2027-03-24 {2}2027-03-24/)]));
});

test.each([
  [['payment', 'nope'], 1, 'refused (404): '],
  [['payment', ''], 2, '"" is no name'],
  [['payment', '--bank', 'empty'], 1, 'the bank at http'],
  [['payments', '--bank', 'nowhere'], 1, 'refused (404): There is no bank "nowhere"'],
  [['payment', 'a', 'b'], 2, '"b" is one word too many'],
])('%j ends in %i', async (args, code, text) => {
  const ended = await run(...args);
  expect([ended.code, ended.lines, ended.errors[0]]).toEqual([code, [], expect.stringContaining(text)]);
});
