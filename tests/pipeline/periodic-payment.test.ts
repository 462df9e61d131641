import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { bodyFaults, changed } from './faults-of.ts';
import { minimalPeriodicPayment, periodicPayment } from './samples.ts';

const name = 'periodic-payment-initiation';
const long = (length: number): string => 'x'.repeat(length);

/** The only fault of a body that differs from the sample in one place. */
function faultOf(path: string, value: unknown, ...quirks: readonly string[]) {
  const faults = bodyFaults(name, changed(periodicPayment, path, value), ...quirks);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.code).toBe('FORMAT_ERROR');
  return faults[0];
}

describe('a periodic payment initiation', () => {
  test('interface, Address: passes with all members, and with the required ones', () => {
    expect(bodyFaults(name, periodicPayment)).toEqual([]);
    expect(bodyFaults(name, minimalPeriodicPayment)).toEqual([]);
  });

  test.each([
    ['creditorName', long(70)],
    ['creditorName', 'Å'.repeat(70)],
    ['creditorName', 'A\u030arne'],
    ['creditorName', `${long(69)}A\u030a`],
    ['ultimateDebtor', long(70)],
    ['ultimateDebtor', ' \u00a0'],
    ['creditorAddress.street', long(70)],
    ['creditorAddress', { country: 'SE' }],
    ['remittanceInformationUnstructured', 'x'],
    ['remittanceInformationUnstructured', long(140)],
    ['dayOfExecution', '1'],
    ['dayOfExecution', '31'],
    ['monthsOfExecution', [1, 11]],
    ['monthsOfExecution', []],
    ['monthsOfExecution', [3, 3]],
    ['executionRule', 'following'],
    ['endDate', '2027-01-31'],
    ['endDate', '2028-02-29'],
    ['purposeCode', 'VATX'],
    ['instructedAmount', { amount: '100', currency: 'JPY' }],
    ['debtorAccount', { iban: 'NO85 9135 1631 959', currency: 'NOK' }],
    ...frequencies.filter((one) => one !== 'MonthlyVariable').map((one) => ['frequency', one] as const),
  ])('passes with %s %j', (path, value) => {
    expect(bodyFaults(name, changed(periodicPayment, path, value))).toEqual([]);
  });

  test.each([
    ['instructedAmount'],
    ['instructedAmount.amount'],
    ['instructedAmount.currency'],
    ['creditorName'],
    ['creditorAccount'],
    ['creditorAccount.currency'],
    ['creditorAddress.country'],
    ['debtorAccount'],
    ['startDate'],
    ['frequency'],
  ])('needs %s', (path) => {
    const fault = faultOf(path, undefined);
    expect(fault).toMatchObject({ path });
    expect(fault?.text).toContain(`${path.split('.').at(-1)} is missing. Send `);
  });

  test.each<[string, unknown, string]>([
    ['creditorName', long(71), 'It has 71 characters, at most 70 fit'],
    ['creditorName', null, 'null'],
    ['creditorName', 'Hei 😀', 'character 5 (U+1F600)'],
    ['creditorName', '', '1 to 70'],
    ['creditorName', ' \u00a0\u3000', 'white space only'],
    ['creditorName', 'e\u0327\u030c', 'U+'],
    ['creditorName', 'a\u0000', 'U+0000'],
    ['creditorName', '\ud800', 'U+D800'],
    ['ultimateDebtor', long(71), 'at most 70'],
    ['ultimateDebtor', '漢字', 'U+6F22'],
    ['creditorAddress.street', long(71), 'at most 70'],
    ['creditorAddress.city', 'Oslo\n', 'U+000A'],
    ['creditorAddress.country', 'no', 'country codes'],
    ['creditorAddress.country', 'NOR', 'country codes'],
    ['creditorAddress.country', 'XX', 'country codes'],
    ['remittanceInformationUnstructured', long(141), 'at most 140'],
    ['remittanceInformationUnstructured', '', '1 to 140'],
    ['purposeCode', 'sala', 'INVS, SALA'],
    ['startDate', '2027-02-31', 'no such day'],
    ['startDate', '2027-1-31', 'YYYY-MM-DD'],
    ['startDate', '2027-01-31T00:00:00Z', 'date-time'],
    ['startDate', 20270131, 'Send it as a string: "2027-03-30"'],
    ['endDate', '2027-01-30', 'before startDate 2027-01-31'],
    ['endDate', null, 'null'],
    ['executionRule', 'preceding', 'following, preceeding'],
    ['frequency', 'monthly', 'EveryTwoMonths'],
    ['frequency', 'Fortnightly', 'Daily'],
    ['dayOfExecution', '0', '1 to 31'],
    ['dayOfExecution', '00', '1 to 31'],
    ['dayOfExecution', '32', '1 to 31'],
    ['dayOfExecution', '', 'one or two digits'],
    ['dayOfExecution', '012', 'one or two digits'],
    ['dayOfExecution', '12\n', 'one or two digits'],
    ['dayOfExecution', '-1', 'one or two digits'],
    ['dayOfExecution', 12, 'as a string: "12"'],
    ['instructedAmount.amount', 100.23, 'Send it as a string: "100.00"'],
    ['instructedAmount.amount', '100', '2 fraction digits'],
    ['instructedAmount.amount', '0.00', 'greater than zero'],
    ['instructedAmount.amount', '-1.00', 'greater than zero'],
    ['instructedAmount.amount', '1e2', 'no decimal number'],
    ['instructedAmount.currency', 'nok', 'for example NOK'],
    ['instructedAmount.currency', 'XXX', 'for example NOK'],
    ['creditorAccount.currency', 'KR', 'for example NOK'],
    ['creditorAccount.iban', 'NO0995360573003', 'mod-97'],
    ['creditorAccount.iban', 'NO8591351631959', 'names account 91351631959'],
    ['creditorAccount.bban', '9536.05.73002', '11 digits'],
    ['creditorAccount.bban', long(31), 'at most 30'],
    ['debtorAccount.bban', undefined, 'neither bban nor iban'],
    ['debtorAccount', '91351631959', 'an object with currency'],
  ])('interface, Periodic payment initiation request body: refuses %s %j', (path, value, text) => {
    const fault = faultOf(path, value);
    expect(fault?.path).toBe(value === undefined ? 'debtorAccount' : path);
    expect(fault?.text).toContain(text);
  });

  test.each([
    ['recurrence', 'recurrence'],
    ['requestedExecutionDate', 'requestedExecutionDate'],
    ['creditorAddress.zip', 'creditorAddress.zip'],
    ['instructedAmount.value', 'instructedAmount.value'],
    ['debtorAccount.pan', 'debtorAccount.pan'],
  ])('E3: refuses the unknown member %s by name', (path, expected) => {
    const fault = faultOf(path, 'x');
    expect(fault?.path).toBe(expected);
    expect(fault?.text).toContain(`"${path.split('.').at(-1)}" is no member here`);
  });

  test.each([[null], [[]], ['text'], [7], [true]])('refuses %j for a body', (body) => {
    const [fault, ...others] = bodyFaults(name, body);
    expect(others).toEqual([]);
    expect(fault).toEqual({ code: 'FORMAT_ERROR', text: expect.stringContaining('expected an object') });
  });
});

describe('R5: monthsOfExecution', () => {
  const variable = { ...periodicPayment, frequency: 'MonthlyVariable' };

  test.each([[[2, 5, 11]], [[11]]])('MonthlyVariable passes with %j', (months) => {
    expect(bodyFaults(name, { ...variable, monthsOfExecution: months })).toEqual([]);
  });

  test.each<[unknown, string]>([
    [undefined, 'monthsOfExecution'],
    [[], 'monthsOfExecution'],
    [[2, 5, 2], 'monthsOfExecution[2]'],
    [[0], 'monthsOfExecution[0]'],
    [[1, 13], 'monthsOfExecution[1]'],
    [[1.5], 'monthsOfExecution[0]'],
    [['1'], 'monthsOfExecution[0]'],
  ])('MonthlyVariable is refused with %j', (months, path) => {
    expect(bodyFaults(name, changed(variable, 'monthsOfExecution', months))).toMatchObject([{ path }]);
  });

  test('12 is refused in a text that names the quirk, with any frequency', () => {
    for (const frequency of ['MonthlyVariable', 'Monthly']) {
      const [fault] = bodyFaults(name, { ...variable, frequency, monthsOfExecution: [6, 12] });
      expect(fault).toMatchObject({ path: 'monthsOfExecution[1]', text: expect.stringContaining('december-month') });
    }
  });

  test('12 passes under the quirk december-month, 13 does not', () => {
    expect(bodyFaults(name, { ...variable, monthsOfExecution: [12] }, 'december-month')).toEqual([]);
    expect(bodyFaults(name, { ...variable, monthsOfExecution: [13] }, 'december-month')).toHaveLength(1);
  });
});

describe('P5: the quirk bban-mod11', () => {
  const badDigit = { bban: '74712699947', currency: 'NOK' };

  test('off by default: the vendor accounts that fail mod-11 pass', () => {
    expect(bodyFaults(name, { ...periodicPayment, debtorAccount: badDigit })).toEqual([]);
  });

  test('on, it refuses them, in a bban and inside an iban', () => {
    const text = expect.stringContaining('mod-11');
    const asIban = { iban: 'NO1874712699947', currency: 'NOK' };
    const bodies = [badDigit, asIban].map((debtorAccount) => ({ ...periodicPayment, debtorAccount }));
    const faults = bodies.flatMap((body) => bodyFaults(name, body, 'bban-mod11'));
    expect(faults).toMatchObject([
      { path: 'debtorAccount.bban', text },
      { path: 'debtorAccount.iban', text },
    ]);
    expect(bodyFaults(name, periodicPayment, 'bban-mod11')).toEqual([]);
  });
});

describe('E3: all faults at once', () => {
  test('each with its path', () => {
    const body = {
      instructedAmount: { amount: '1', currency: 'NOK' },
      creditorAccount: { iban: 'NO00', currency: 'nok' },
      creditorAddress: { country: 'XX', zip: '1' },
      debtorAccount: { currency: 'NOK' },
      startDate: '2027-02-30',
      frequency: 'MonthlyVariable',
      dayOfExecution: '99',
      colour: 'red',
    };
    expect(
      bodyFaults(name, body)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'colour',
      'creditorAccount.currency',
      'creditorAccount.iban',
      'creditorAddress.country',
      'creditorAddress.zip',
      'creditorName',
      'dayOfExecution',
      'debtorAccount',
      'instructedAmount.amount',
      'monthsOfExecution',
      'startDate',
    ]);
  });

  test('20 at most, and the last says how many more', () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`member${index}`, 1]));
    const faults = bodyFaults(name, { ...periodicPayment, ...unknown });
    expect(faults).toHaveLength(20);
    expect(faults.at(-1)?.text).toContain('(30 more faults)');
    expect(faults.at(0)?.text).not.toContain('more faults');
  });

  test('a long value or name is repeated shortened', () => {
    const faults = bodyFaults(name, { ...periodicPayment, purposeCode: long(9999), [long(9999)]: 1 });
    expect(faults).toHaveLength(2);
    for (const { path = '', text } of faults) {
      expect(path.length).toBeLessThanOrEqual(100);
      expect(text.length).toBeLessThanOrEqual(512);
    }
  });

  test('E4: no JSON at all makes anything but a refusal', () => {
    const value = fc.jsonValue();
    const path = fc.constantFrom(...Object.keys(periodicPayment), 'creditorAccount.iban', 'instructedAmount.currency');
    fc.assert(
      fc.property(value, path, (json, member) => {
        for (const body of [json, changed(periodicPayment, member, json)]) {
          for (const { text } of bodyFaults(name, body)) expect(text.length).toBeLessThanOrEqual(512);
        }
      }),
    );
  });

  test('the body is left as it was', () => {
    const before = structuredClone(periodicPayment);
    bodyFaults(name, periodicPayment);
    expect(periodicPayment).toEqual(before);
  });
});
