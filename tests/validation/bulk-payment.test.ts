import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../api/middleware/parse-json.ts';
import { bulkItem, bulkPayment } from '../support/bodies.ts';
import { bodyFaults, faultsOf } from './faults-of.ts';
import { creditTransfer } from './samples.ts';

const faults = (body: unknown) => bodyFaults('bulk-payment-initiation', body);
const pathsOf = (body: unknown) => faults(body).map(({ path }) => path);
const milliseconds = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

describe('a bulk payment body', () => {
  test('with every member of the contract is let through', () => {
    const { debtorAccount, requestedExecutionDate, purposeCode, ...item } = creditTransfer;
    expect(purposeCode).toBe('OTHR');
    const body = { paymentInformationId: 'some id', debtorAccount, requestedExecutionDate, payments: [item, item] };
    expect(faults(body)).toEqual([]);
  });

  test('E3: tells the faults of the whole and of every item at once, each with its path', () => {
    const body = {
      debtorAccount: { currency: 'NOK' },
      payments: [bulkItem('1.00'), bulkItem('1'), { ...bulkItem('1.00'), purposeCode: 'SALA' }, 7],
      sum: 4,
    };
    expect(pathsOf(body)).toEqual([
      'sum',
      'debtorAccount',
      'payments[1].instructedAmount.amount',
      'payments[2].purposeCode',
      'payments[3]',
    ]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['payments that are no list', bulkPayment({} as never), 'payments'],
    ['no payments', { debtorAccount: { bban: '09232911044', currency: 'NOK' } }, 'payments'],
    ['null', null, undefined],
    ['a list', [], undefined],
  ])('E3: %s', (_, body, path) => {
    expect(faults(body)[0]).toMatchObject({ code: 'FORMAT_ERROR', ...(path !== undefined && { path }) });
  });

  test('P6: structured and unstructured at once, a bad KID, an unknown issuer', () => {
    const reference = (changes: object) => ({ remittanceInformationStructuredArray: [changes] });
    const body = bulkPayment([
      bulkItem('1.00', {
        remittanceInformationUnstructured: 'x',
        ...reference({ reference: '12', referenceType: 'SCOR' }),
      }),
      bulkItem('1.01', reference({ reference: 'RF18', referenceType: 'SCOR' })),
      bulkItem('1.02', reference({ reference: '1', referenceType: 'CINV', referenceIssuer: 'OTHER' })),
      bulkItem('1.03', reference({ reference: '1', referenceType: 'CINV' })),
    ]);
    const list = 'remittanceInformationStructuredArray';
    expect(pathsOf(body)).toEqual([
      `payments[0].${list}`,
      `payments[1].${list}[0].reference`,
      `payments[2].${list}[0].referenceIssuer`,
      `payments[3].${list}[0].referenceIssuer`,
    ]);
  });
});

describe('E4: a body of 8 MB cannot make more faults than are told', () => {
  test('two million empty items', () => {
    const body = { debtorAccount: { bban: '09232911044', currency: 'NOK' }, payments: Array(2_000_000).fill({}) };
    let told = faults({});
    expect(milliseconds(() => (told = faults(body)))).toBeLessThan(1_000);
    expect(told).toHaveLength(20);
    expect(told[19]?.text).toContain('not looked at');
  });

  test('one item with a list of four million', () => {
    const item = bulkItem('1.00', { remittanceInformationStructuredArray: Array(4_000_000).fill(0) });
    let told = faults({});
    expect(milliseconds(() => (told = faults(bulkPayment([item]))))).toBeLessThan(2_000);
    expect(told).toMatchObject([{ code: 'FORMAT_ERROR', path: 'payments[0]' }]);
  });

  test('an object with half a million members', () => {
    const members = Array.from({ length: 500_000 }, (_, index) => `"${index}":0`);
    const text = Buffer.from(`{"payments":[{${members.join(',')}}]}`);
    expect(faultsOf(() => parseJson(text))).toMatchObject([{ code: 'FORMAT_ERROR' }]);
  });

  test('ten thousand good items are judged in a moment', () => {
    const body = bulkPayment(Array.from({ length: 10_000 }, (_, index) => bulkItem(`${1 + index}.00`)));
    expect(milliseconds(() => expect(faults(body)).toEqual([]))).toBeLessThan(1_000);
  });
});
