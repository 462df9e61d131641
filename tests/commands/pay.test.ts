import { describe, expect, test } from '@jest/globals';
import { nextDates } from '../../scripts/commands/plain.ts';
import { pay as payCommand } from '../../scripts/commands/pay.ts';
import { knownState } from '../lab/bank.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBank(now);

function pay(...args: string[]): Promise<Ended> {
  return runMain(['pay', ...args], { env: { BANK: bank.address } });
}

interface Made {
  readonly paymentId: string;
  readonly status: string;
  readonly amount: string;
  readonly psus: readonly string[];
  readonly executionDate: string;
  readonly settlesAt: string | null;
  readonly attempts: readonly { readonly at: string; readonly outcome: string; readonly reason: string }[];
  readonly noForecast: string | null;
}

async function made(...args: string[]): Promise<Made> {
  const { code, lines, errors } = await pay(...args, '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return JSON.parse(lines.join('\n')) as Made;
}

test('a payment: accounts, id, status, who signed, when it settles; it does settle then', async () => {
  const { code, lines, errors } = await pay('--from', '09232911044', '--to', '90491105991', '--amount', '100');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  const [, paymentId = ''] = /Payment id (\S+)/.exec(lines.join('\n')) ?? [];
  expect(lines).toEqual([
    'Payment of 100.00 NOK',
    '  From       09232911044 Totalkonto of Test Testperson 3',
    '  To         90491105991',
    expect.stringMatching(/^ {2}Payment id enc!!/),
    '  Status     PDNG',
    '  Signed by  13039319955',
    '  Due        2027-03-24; settles 2027-03-24 13:30',
    '  Forecast   2027-03-24 13:30 settle: funds suffice',
    `  Then       sandbank advance --until '${paymentId}=ACSC'`,
  ]);
  const advanced = await runMain(['advance', '--until', `${paymentId}=ACSC`], { env: { BANK: bank.address } });
  expect(advanced.lines.join('\n')).toContain('to 2027-03-24T13:30:00.000+01:00');
});

test('Q3: at a bank with ids of its own the forecast is told, with the id of the control plane and that of /v1', async () => {
  const own = await startTestBank(now, ['--quirks', 'id-lengths=payment:69/unpadded']);
  const words = ['pay', '--amount', '55'];
  const told = await runMain(words, { env: { BANK: own.address } });
  const { paymentId, wirePaymentId, settlesAt, attempts } = JSON.parse(
    (await runMain([...words, '--allow-duplicate', '--json'], { env: { BANK: own.address } })).lines.join('\n'),
  ) as Made & { readonly wirePaymentId: string };
  const listed = (await runMain(['payments'], { env: { BANK: own.address } })).lines.join('\n');
  const { code } = await runMain(['payment', wirePaymentId], { env: { BANK: own.address } });
  await own.stop();
  expect(told.lines).toEqual(
    expect.arrayContaining([
      '  Due        2027-03-24; settles 2027-03-24 13:30',
      expect.stringMatching(/^ {2}Under \/v1 {2}enc!!\S{64}$/),
    ]),
  );
  expect({ settlesAt, attempts }).toMatchObject({ settlesAt: '2027-03-24T13:30:00.000+01:00', attempts: [{}] });
  expect(wirePaymentId).toHaveLength(69);
  expect(listed).toContain(paymentId);
  expect(code).toBe(0);
});

test('amounts as people write them; without accounts those of the known state, which is said', async () => {
  expect(await made('--amount', '100.5')).toMatchObject({ amount: '100.50', psus: ['13039319955'] });
  expect(await made('--amount', '0100.51')).toMatchObject({ amount: '100.51' });
  const { lines } = await pay('--amount', '100.52');
  expect(lines.slice(1, 3)).toEqual([
    '  From       09232911044 Totalkonto of Test Testperson 3 (the default)',
    '  To         74712699947 Totalkonto of Test Testperson 2 (the default)',
  ]);
  const ofOther = await pay('--amount', '100.53', '--from', '7471.26.99947');
  expect(ofOther.lines.slice(1, 3)).toEqual([
    '  From       74712699947 Totalkonto of Test Testperson 2',
    '  To         09232911044 Totalkonto of Test Testperson 3 (the default)',
  ]);
});

test("an account of a company is the company's, whatever its agreement is called", async () => {
  const agreements = knownState.agreements.map((each) => ({ ...each, name: 'Drift' }));
  await bank.control('POST', '/sandbox/banks', { name: 'company', fixtures: { ...knownState, agreements } });
  const { lines } = await pay('--amount', '3', '--from', '34110000016', '--to', '34330000017', '--bank', 'company');
  expect(lines.slice(1, 3)).toEqual([
    '  From       34110000016 Driftskonto of Corporation 1 AS',
    '  To         34330000017 Driftskonto of To Nøkler AS',
  ]);
});

test('--kid is the structured reference of the payment; the bank says what is wrong with one', async () => {
  const { paymentId } = await made('--amount', '100.54', '--kid', '12345678903');
  const { body } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(paymentId)}`);
  expect(body.initiation.remittanceInformationStructuredArray).toEqual([
    { reference: '12345678903', referenceType: 'SCOR' },
  ]);
  expect((await pay('--amount', '100.55', '--kid', '12345678903')).lines).toContain('  KID        12345678903');
  const wrong = await pay('--amount', '100.56', '--kid', '1234567890x');
  expect([wrong.code, wrong.lines, wrong.errors.join()]).toEqual([1, [], expect.stringContaining('refused (400 ')]);
});

test('without funds: the five attempts that the forecast tells, then rejected', async () => {
  const order = ['--from', '34300000012', '--amount', '100'];
  const { status, settlesAt, attempts } = await made(...order, '--on', '2027-04-01');
  expect({ status, settlesAt }).toEqual({ status: 'ACSP', settlesAt: null });
  expect(attempts.map(({ at, outcome }) => [at.slice(0, 16), outcome])).toEqual([
    ['2027-04-01T05:30', 'retry'],
    ['2027-04-01T09:30', 'retry'],
    ['2027-04-01T11:30', 'retry'],
    ['2027-04-01T13:30', 'retry'],
    ['2027-04-01T15:30', 'reject'],
  ]);
  const { lines } = await pay(...order, '--on', '2027-04-02');
  expect(lines).toContain('  Due        2027-04-02; is rejected, unless money comes before');
  expect(lines.join('\n')).toContain('88.00 NOK short at the first attempt, run 05:30 on 2 April');
});

test('D1c: money does not help where the bank of the creditor rejects', async () => {
  const { lines } = await pay('--to', '99130000009', '--amount', '9', '--on', '2027-04-02');
  expect(lines).toContain('  Due        2027-04-02; is rejected');
});

test('a date in Easter moves, with the reason', async () => {
  const { executionDate, settlesAt, attempts } = await made('--amount', '1', '--on', '2027-03-26');
  expect({ executionDate, settlesAt }).toEqual({
    executionDate: '2027-03-30',
    settlesAt: '2027-03-30T05:30:00.000+02:00',
  });
  expect(attempts[0]?.reason).toMatch(/Langfredag/);
});

test('a standing order: the first payment of it, by the name of its frequency in any case', async () => {
  const monthly = await made('--amount', '2', '--every', 'MONTHLY', '--on', '2027-04-30', '--until', '2028-04-30');
  expect(monthly).toMatchObject({ status: 'ACSP', executionDate: '2027-04-30' });
  expect(monthly.attempts).toHaveLength(1);
  const details = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(monthly.paymentId)}`);
  expect(details.body.initiation).toMatchObject({
    frequency: 'Monthly',
    startDate: '2027-04-30',
    endDate: '2028-04-30',
  });
  const variable = await made('--amount', '3', '--every', 'monthlyvariable', '--months', '4,6', '--on', '2027-04-20');
  expect(variable).toMatchObject({ executionDate: '2027-04-20' });
  const today = await made('--amount', '3', '--every', 'Daily');
  expect(today.attempts.length).toBeGreaterThan(0);
  expect((await pay('--amount', '4', '--every', 'weekly')).lines[0]).toBe('Standing order, Weekly, of 4.00 NOK');
});

test('a company: who may pay signs, two where two are needed; --psu names others', async () => {
  expect(await made('--amount', '1', '--from', 'NO2034110000016')).toMatchObject({ psus: ['18129215603'] });
  const order = ['--amount', '5', '--from', '34330000017'];
  expect(await made(...order)).toMatchObject({ psus: ['17818050100', '20818850094'] });
  const alone = await pay(...order, '--psu', '20818850094', '--allow-duplicate');
  expect(alone).toMatchObject({
    code: 1,
    lines: [],
    errors: [expect.stringMatching(/needs more signatures than those of 20818850094: name all with --psu$/)],
  });
  const stranger = await pay('--amount', '6', '--psu', '12085592767', '--from', '09232911044');
  expect(stranger).toMatchObject({
    code: 1,
    errors: [expect.stringMatching(/^12085592767 could not sign enc.*FORBIDDEN: The PSU does not reach/)],
  });
});

test('in a named bank; a date that no forecast reaches is due all the same', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'far' });
  const { noForecast, executionDate } = await made('--amount', '1', '--on', '2050-12-24', '--bank', 'far');
  expect(executionDate).toBe('2050-12-27');
  expect(noForecast).toMatch(/^refused \(400\): A forecast looks 10 years ahead at most/);
  const { lines } = await pay('--amount', '2', '--bank', 'far');
  expect(lines.at(-1)).toMatch(/^ {2}Then {7}sandbank advance --until 'enc!!\S+=ACSC' --bank far$/);
});

test('the same payment twice is refused as at the bank, but with --allow-duplicate', async () => {
  const order = ['--amount', '77', '--on', '2027-05-03'];
  await made(...order);
  expect(await pay(...order)).toMatchObject({
    code: 1,
    errors: [
      expect.stringMatching(/^refused \(400 CONFLICT\): .*logical duplicate/),
      expect.stringMatching(/^See http:\S+$/),
    ],
  });
  await made(...order, '--allow-duplicate');
});

describe('what the bank refuses ends in 1, in its words', () => {
  test.each([
    [['--amount', '0'], 'FORMAT_ERROR', 'it must be greater than zero'],
    [['--amount', '99999999999999999999'], 'FORMAT_ERROR', 'at most 13 fit'],
    [['--amount', '1', '--from', '99999999999'], 'RESOURCE_UNKNOWN', 'This bank has no account 99999999999'],
    [['--amount', '1', '--from', '85523166859'], 'PAYMENT_FAILED', 'the debtor account is given in EUR'],
    [['--amount', '1', '--from', '34500000025'], 'SERVICE_BLOCKED', 'removed the payment permission'],
    [['--amount', '1', '--from', '09232911044', '--to', '09232911044'], 'PAYMENT_FAILED', 'are the same account'],
    [['--amount', '1', '--to', '12345'], 'FORMAT_ERROR', 'is no Norwegian account number'],
    [['--amount', '1', '--on', '2020-01-01'], 'EXECUTION_DATE_INVALID', '2020-01-01 has passed'],
    [['--amount', '1', '--every', 'weekly', '--until', '2020-01-01'], 'FORMAT_ERROR', 'is before startDate'],
    [
      ['--amount', '1', '--every', 'MonthlyVariable', '--months', '12'],
      'FORMAT_ERROR',
      'Month 12 is outside the bounds',
    ],
  ])('%j', async (args, code, text) => {
    const ended = await pay(...args);
    expect([ended.code, ended.lines]).toEqual([1, []]);
    expect(ended.errors[0]).toMatch(new RegExp(`^refused \\(40[03] ${code}\\): `));
    expect(ended.errors[0]).toContain(text);
  });
});

test('R6: --day and --rule as next-dates has them: the days are paid before a closed one, in the spelling of the interface', async () => {
  const order = ['--amount', '5', '--every', 'Monthly', '--on', '2027-05-01', '--day', '17'];
  expect(await made(...order, '--rule', 'preceeding')).toMatchObject({ executionDate: '2027-05-14' });
  expect(await made(...order, '--rule', 'following')).toMatchObject({ executionDate: '2027-05-18' });
  const { code, errors } = await pay(...order, '--rule', 'preceding');
  expect([code, errors.join()]).toEqual([
    1,
    expect.stringContaining('expected one of following, preceeding, spelled so'),
  ]);
  const said = [payCommand, nextDates].map(({ flags }) =>
    Object.entries(flags).filter(([flag]) => /^--(day|rule)/.test(flag)),
  );
  for (const flags of said) {
    expect(flags.map(([flag]) => flag.split(' ')[0])).toEqual(['--day', '--rule']);
    expect(flags[1]?.[1]).toContain('preceeding');
  }
});

describe('R5: the bank alone says which months there are, to pay as to next-dates', () => {
  const words = (args: string) => args.split(' ');
  const paid = (months: string) =>
    pay(...words(`--amount 9 --every MonthlyVariable --on 2027-04-20 --months ${months}`));
  const dates = (months: string) =>
    runMain(words(`next-dates --start 2027-04-20 --frequency MonthlyVariable --count 1 --months ${months}`), {
      env: { BANK: bank.address },
    });

  test.each([
    ['0', '0 is no month: expected a whole number from 1 to 11.'],
    ['12', 'Month 12 is outside the bounds 1 to 11 of the interface. The quirk december-month accepts it.'],
    ['13', '13 is no month: expected a whole number from 1 to 11.'],
    ['4,4', 'Month 4 is listed twice.'],
    ['4,x', '"x" is a string: expected the number of a month'],
  ])('%s is refused by both in the same words', async (months, refusal) => {
    for (const { code, lines, errors } of [await paid(months), await dates(months)]) {
      expect([code > 0, lines]).toEqual([true, []]);
      expect(errors.join(' ')).toContain(refusal);
    }
  });

  test('11 is taken, and with the quirk december-month 12 too', async () => {
    expect([(await paid('4,11')).code, (await dates('4,11')).code]).toEqual([0, 0]);
    await bank.control('PUT', '/sandbox/quirks', { quirks: { 'december-month': true } });
    expect([(await paid('5,12')).code, (await dates('5,12')).code]).toEqual([0, 0]);
    await bank.control('PUT', '/sandbox/quirks', { quirks: { 'december-month': false } });
  });

  test('the help of both says so', () => {
    const said = [payCommand, nextDates].map(({ flags }) =>
      Object.entries(flags).find(([flag]) => /^--months/.test(flag)),
    );
    for (const one of said) expect(one?.[1]).toMatch(/MonthlyVariable.* 1 to 11/);
    expect(said[0]?.[1]).toMatch(/ 1 to 11; with the quirk december-month 1 to 12\.$/);
  });
});

describe('a wrong command ends in 2', () => {
  test.each([
    [[], '--amount is missing'],
    [['--amount', '1', '--rule', 'following'], '--rule is for a standing order: give --every too'],
    [['--amount', '1', '--day', '3'], '--day is for a standing order: give --every too'],
    [['--amount', '100,50'], '--amount is "100,50": expected one such as 100 or 100.50'],
    [['--amount=-5'], '--amount is "-5"'],
    [['--amount', '1.005'], '--amount is "1.005"'],
    [['--amount', '1e3'], '--amount is "1e3"'],
    [['--amount', '1', '--from', 'a/b'], '--from is "a/b": expected a BBAN'],
    [['--amount', '1', '--to', ''], '--to is empty: expected ACCOUNT'],
    [['--amount', '1', '--on', '31.12.2027'], '--on is "31.12.2027": expected a date YYYY-MM-DD'],
    [['--amount', '1', '--on', '2027-02-30'], '--on is "2027-02-30": expected a date'],
    [['--amount', '1', '--every', 'daily', '--kid', '12345678903'], '--kid is for a single payment: leave out --every'],
    [['--amount', '1', '--until', '2028-01-01'], '--until is for a standing order: give --every too'],
    [['--amount', '1', '--every', 'hourly'], '--every is "hourly": expected one of Daily, Weekly, EveryTwoWeeks'],
    [['--amount', '1', '--every', 'MonthlyVariable'], '--months and --every MonthlyVariable go together'],
    [['--amount', '1', '--every', 'daily', '--months', '1'], '--months and --every MonthlyVariable go together'],
    [['--amount', '1', '--psu', 'å ☃'], '--psu is "å ☃"'],
    [['100'], '"100" is one word too many'],
  ])('%j', async (args, problem) => {
    const { code, lines, errors } = await pay(...args);
    expect([code, lines, errors]).toEqual([2, [], [expect.stringContaining(problem)]]);
  });
});

test('nothing that answers is 1', async () => {
  const { code, errors } = await runMain(['pay', '--amount', '1'], { env: { BANK: 'http://127.0.0.1:1' } });
  expect([code, errors]).toEqual([1, [expect.stringMatching(/^nothing answers at http:/)]]);
});

test('C23: a fault that strikes the initiation is told, with the payment that was made', async () => {
  await bank.control('POST', '/sandbox/faults', { close: true });
  const { code, errors } = await pay('--amount', '61.75');
  const [{ paymentId }] = (await bank.control('GET', '/sandbox/payments?limit=1')).body.payments;
  expect([code, errors.join(' ')]).toEqual([
    1,
    expect.stringMatching(/Armed fault \d+ closed the connection, after the commit. The payment is made. Its id is /),
  ]);
  expect(errors.join(' ')).toContain(paymentId);
});
