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
  readonly wirePaymentId?: string;
  readonly status: string;
  readonly why: string | null;
  readonly executionDate: string;
  readonly nextAttempt: { readonly at: string } | null;
  readonly occurrences: readonly { readonly executionDate: string; readonly moved?: string }[];
  readonly initiation: { readonly instructedAmount: { readonly amount: string } };
  readonly signatures: readonly { readonly psu: string }[];
}

async function made(...args: string[]): Promise<Made> {
  const { code, lines, errors } = await pay(...args, '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return (JSON.parse(lines.join('\n')) as { payment: Made }).payment;
}

const psusOf = ({ signatures }: Made) => signatures.map(({ psu }) => psu);
const amountOf = ({ initiation }: Made) => initiation.instructedAmount.amount;

test('a payment: accounts, id, status, who signed, when it settles; it does settle then', async () => {
  const { code, lines, errors } = await pay('--from', '09232911044', '--to', '90491105991', '--amount', '100');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  const [, paymentId = ''] = /^100.00 NOK, (enc!!\S+)$/.exec(lines[0] ?? '') ?? [];
  expect(lines.slice(1, 10)).toEqual([
    '  Status     PDNG',
    '  Kind       payments, norwegian-domestic-credit-transfers',
    '  From       09232911044',
    '  To         90491105991 Payee',
    expect.stringMatching(/^ {2}TPP {8}Test-TPP pay, /),
    '  Executes   2027-03-24',
    '  Next run   2027-03-24 13:30',
    '  Why        settles Wed 24 Mar, 13:30, if funds suffice',
    expect.stringMatching(/^ {2}Next {7}/),
  ]);
  expect(lines).toContain('  Signed by  13039319955 Test Testperson 3, 2027-03-24 12:00');
  expect(lines.at(-1)).toBe(`  Then       sandbank advance --until '${paymentId}=ACSC'`);
  const advanced = await runMain(['advance', '--until', `${paymentId}=ACSC`], { env: { BANK: bank.address } });
  expect(advanced.lines.join('\n')).toContain('to 2027-03-24T13:30:00.000+01:00');
});

test('Q3: a bank with ids of its own tells the id of the control plane and that of /v1', async () => {
  await using own = await startTestBank(now, ['--quirks', 'id-lengths=payment:69/unpadded']);
  const words = ['pay', '--amount', '55'];
  const told = await runMain(words, { env: { BANK: own.address } });
  const { payment } = JSON.parse(
    (await runMain([...words, '--allow-duplicate', '--json'], { env: { BANK: own.address } })).lines.join('\n'),
  ) as { payment: Made };
  const { paymentId, wirePaymentId = '', nextAttempt } = payment;
  const listed = (await runMain(['payments'], { env: { BANK: own.address } })).lines.join('\n');
  const { code } = await runMain(['payment', wirePaymentId], { env: { BANK: own.address } });
  expect(told.lines).toEqual(
    expect.arrayContaining(['  Next run   2027-03-24 13:30', expect.stringMatching(/^ {2}Under \/v1 {2}enc!!\S{64}$/)]),
  );
  expect(nextAttempt?.at).toBe('2027-03-24T13:30:00.000+01:00');
  expect(wirePaymentId).toHaveLength(69);
  expect(listed).toContain(paymentId);
  expect(code).toBe(0);
});

test('amounts and accounts as people write them; without accounts those of the known state', async () => {
  const half = await made('--amount', '100.5');
  expect([amountOf(half), psusOf(half)]).toEqual(['100.50', ['13039319955']]);
  expect(amountOf(await made('--amount', '0100.51'))).toBe('100.51');
  expect(amountOf(await made('--amount', '1 000,5'))).toBe('1000.50');
  const { lines } = await pay('--amount', '100.52');
  expect(lines.slice(3, 5)).toEqual(['  From       09232911044', '  To         74712699947 Test Testperson 2']);
  const ofOther = await pay('--amount', '100.53', '--from', '7471.26.99947');
  expect(ofOther.lines.slice(3, 5)).toEqual(['  From       74712699947', '  To         09232911044 Test Testperson 3']);
});

test("an account of a company is the company's, whatever its agreement is called", async () => {
  const agreements = knownState.agreements.map((each) => ({ ...each, name: 'Drift' }));
  await bank.control('POST', '/sandbox/banks', { name: 'company', fixtures: { ...knownState, agreements } });
  const { lines } = await pay('--amount', '3', '--from', '34110000016', '--to', '34330000017', '--bank', 'company');
  expect(lines.slice(3, 5)).toEqual(['  From       34110000016', '  To         34330000017 To Nøkler AS']);
});

test('--kid is the structured reference of the payment; the bank says what is wrong with one', async () => {
  const { paymentId } = await made('--amount', '100.54', '--kid', '12345678903');
  const { body } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(paymentId)}`);
  expect(body.initiation.remittanceInformationStructuredArray).toEqual([
    { reference: '12345678903', referenceType: 'SCOR' },
  ]);
  const wrong = await pay('--amount', '100.56', '--kid', '1234567890x');
  expect([wrong.code, wrong.lines, wrong.errors.join()]).toEqual([1, [], expect.stringContaining('refused (400 ')]);
});

test('without funds it is signed all the same, and why says on what it depends', async () => {
  const order = ['--from', '34300000012', '--amount', '100'];
  const { status, why, nextAttempt } = await made(...order, '--on', '2027-04-01');
  expect([status, nextAttempt?.at]).toEqual(['ACSP', '2027-04-01T05:30:00.000+02:00']);
  expect(why).toContain('settles Thu 1 Apr, 05:30, if funds suffice');
});

test('D1c: where the bank of the creditor rejects, why says so', async () => {
  const { lines } = await pay('--to', '99130000009', '--amount', '9', '--on', '2027-04-02');
  expect(lines.join('\n')).toMatch(/blocked/);
});

test('a date in Easter moves, with the reason', async () => {
  const { executionDate, nextAttempt, why } = await made('--amount', '1', '--on', '2027-03-26');
  expect([executionDate, nextAttempt?.at]).toEqual(['2027-03-30', '2027-03-30T05:30:00.000+02:00']);
  expect(why).toMatch(/Langfredag/);
});

test('a standing order: the first payment of it, by the name of its frequency in any case', async () => {
  const monthly = await made('--amount', '2', '--every', 'MONTHLY', '--on', '2027-04-30', '--until', '2028-04-30');
  expect([monthly.status, monthly.occurrences[0]?.executionDate]).toEqual(['ACSP', '2027-04-30']);
  const details = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(monthly.paymentId)}`);
  expect(details.body.initiation).toMatchObject({
    frequency: 'Monthly',
    startDate: '2027-04-30',
    endDate: '2028-04-30',
  });
  const variable = await made('--amount', '3', '--every', 'monthlyvariable', '--months', '4,6', '--on', '2027-04-20');
  expect(variable.occurrences[0]).toMatchObject({ executionDate: '2027-04-20' });
  const today = await made('--amount', '3', '--every', 'Daily');
  expect(today.nextAttempt).not.toBeNull();
});

test('a company: who may pay signs, two where two are needed; --psu names others', async () => {
  expect(psusOf(await made('--amount', '1', '--from', 'NO2034110000016'))).toEqual(['18129215603']);
  const order = ['--amount', '5', '--from', '34330000017'];
  expect(psusOf(await made(...order))).toEqual(['17818050100', '20818850094']);
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

test('in a named bank; a far date is taken all the same', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'far' });
  const { executionDate } = await made('--amount', '1', '--on', '2050-12-24', '--bank', 'far');
  expect(executionDate).toBe('2050-12-27');
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
    [['--amount', '1', '--to', '12345'], 'FORMAT_ERROR', 'is no Norwegian account number'],
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
  const first = async (rule: string) => (await made(...order, '--rule', rule)).occurrences[0];
  expect(await first('preceeding')).toMatchObject({ executionDate: '2027-05-14' });
  expect(await first('following')).toMatchObject({ executionDate: '2027-05-18' });
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

describe('a wrong command ends in 2, and what the bank can judge in 1', () => {
  test.each([
    [[], 2, '--amount is missing'],
    [['--amount', '1', '--to', ''], 2, '--to is empty'],
    [['100'], 2, '"100" is one word too many'],
    [['--amount', '1,000,50'], 1, '1,000,50'],
    [['--amount', '1', '--from', 'a/b'], 1, 'A/B'],
    [['--amount', '1', '--on', '31.12.2027'], 1, '31.12.2027'],
    [['--amount', '1', '--every', 'hourly'], 1, 'hourly'],
    [['--amount', '1', '--psu', 'å ☃'], 1, 'å ☃'],
  ])('%j', async (args, expected, problem) => {
    const { code, lines, errors } = await pay(...args);
    expect([code, lines, errors.join(' ')]).toEqual([expected, [], expect.stringContaining(problem)]);
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
