import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { bulkItem, bulkPayment } from '../lab/bodies.ts';
import { growth } from '../support/cpu-time.ts';
import { bodyFaults, faultsOf } from './faults-of.ts';
import { creditTransfer } from './samples.ts';

const faults = (body: unknown) => bodyFaults('bulk-payment-initiation', body);
const pathsOf = (body: unknown) => faults(body).map(({ path }) => path);

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
  const emptyItems = (count: number) => ({
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    payments: Array(count).fill({}),
  });
  const longList = (count: number) =>
    bulkPayment([bulkItem('1.00', { remittanceInformationStructuredArray: Array(count).fill(0) })]);
  const goodItems = (count: number) =>
    bulkPayment(Array.from({ length: count }, (_, index) => bulkItem(`${1 + index}.00`)));

  test('two million empty items', () => {
    const told = faults(emptyItems(2_000_000));
    expect(told).toHaveLength(20);
    expect(told[19]?.text).toContain('not looked at');
  });

  test('E3: as many faults as are told, the last of them in the last item: nothing was left out', () => {
    const enough = Array.from({ length: 20 }, (_, index) => index + 1).find(
      (count) => faults(emptyItems(count)).length >= 20,
    );
    const [all, oneMore] = [enough ?? 0, (enough ?? 0) + 1].map((count) => faults(emptyItems(count))[19]?.text);
    expect(all).not.toContain('not looked at');
    expect(oneMore).toContain('(1 more item was not looked at)');
  });

  test('an empty item after those that are told is never looked into', () => {
    const body = emptyItems(1_000);
    let looks = 0;
    body.payments[999] = new Proxy({}, { get: () => (looks += 1), has: () => (looks += 1) > 0 });
    expect(faults(body)).toHaveLength(20);
    expect(looks).toBe(0);
  });

  test('one item with a list of four million', () => {
    expect(faults(longList(4_000_000))).toMatchObject([{ code: 'FORMAT_ERROR', path: 'payments[0]' }]);
  });

  test('ten thousand good items', () => {
    expect(faults(goodItems(10_000))).toEqual([]);
  });

  // A hundred times as many of them; judging each against every other would take ten thousand times as long.
  test.each([
    ['a list in one item', longList, 40_000, 4_000_000],
    ['good items', goodItems, 100, 10_000],
  ])('%s take time in proportion to their number at most', (_, bodyOfSize, few, many) => {
    const judged = (count: number) => {
      const body = bodyOfSize(count);
      return () => faults(body);
    };
    expect(growth(judged, few, many)).toBeLessThan(500);
  });

  test('an object with half a million members', () => {
    const members = Array.from({ length: 500_000 }, (_, index) => `"${index}":0`);
    const text = Buffer.from(`{"payments":[{${members.join(',')}}]}`);
    expect(faultsOf(() => parseJson(text))).toMatchObject([{ code: 'FORMAT_ERROR' }]);
  });
});
