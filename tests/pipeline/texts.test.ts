import { describe, expect, test } from '@jest/globals';
import { fileProblem } from '../../api/start/listed-files.ts';
import { knownStateFile } from '../../api/bodies/known-state.ts';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { singlePayment } from '../lab/bodies.ts';
import { bodySchemas, type BodyName } from './body-schemas.ts';
import { bodyFaults } from './faults-of.ts';

const textsOf = (name: BodyName, body: unknown): string[] => bodyFaults(name, body).map(({ text }) => text);

describe('E1: a text says what was received and what was expected', () => {
  test.each<[BodyName, unknown, string]>([
    ['credit-transfer-initiation', [], 'The body is a list: expected an object with instructedAmount, creditorName'],
    ['bulk-payment-initiation', null, 'The body is null: expected an object with debtorAccount and payments.'],
    ['clock', {}, 'The body is empty: expected an object with now, mode, rate or several of them.'],
    ['signing-basket', { paymentIds: [] }, 'It is empty: expected a list of one or more payment ids, all different.'],
    [
      'signing-basket',
      { paymentIds: ['a', 'b', 'a'] },
      'Items [0] and [2] are the same: expected a list of one or more',
    ],
    [
      'sandbox-agreement',
      { owner: '1', name: 'x', engagements: Array<object>(201).fill({}) },
      'It has 201 items, at most 200 fit. Send fewer.',
    ],
    [
      'sandbox-customer',
      {},
      'type is missing. Send the kind of customer, one of private, corporate, PRIVATE, CORPORATE.',
    ],
    ['sca-outcome', {}, 'outcome is missing. Send what the PSU does, one of approve, cancel, reject, fail, expire.'],
    [
      'periodic-payment-initiation',
      {},
      'frequency is missing. Send how often to pay, one of Daily, Weekly, EveryTwoWeeks,',
    ],
    [
      'credit-transfer-initiation',
      singlePayment({ remittanceInformationStructuredArray: [{ reference: '12' }] }),
      'referenceType is missing. Send the kind of reference, one of SCOR, CINV.',
    ],
    [
      'periodic-payment-initiation',
      { ...singlePayment(), startDate: '2027-04-01', frequency: 'Monthly', monthsOfExecution: [1.5] },
      '1.5 is not whole: expected the number of a month, a whole number from 1',
    ],
    ['bulk-payment-initiation', { payments: [[]] }, 'It is a list: expected an object with instructedAmount'],
    [
      'sandbox-transactions',
      [{ creditorname: 'x' }],
      '"creditorname" is no member here. Leave it out; the nearest of the 27 members is creditorName.',
    ],
    ['fees', { currency: 'NOK' }, 'sepa-credit-transfers is missing. Send an amount of NOK such as 5.00.'],
  ])('%s %j', (name, body, text) => {
    expect(textsOf(name, body)).toContainEqual(expect.stringContaining(text));
  });

  test.each(Object.keys(bodySchemas))(
    '%s: nothing is "another value", a value is not refused by what it is',
    (name) => {
      for (const body of [{}, [], [{}], null, 5, 'x', { payments: [] }, { entryDetails: [{}] }]) {
        for (const text of textsOf(name as BodyName, body)) {
          expect(text).not.toMatch(/another value|^a list is refused|^an object is refused/);
          expect(text.length).toBeLessThanOrEqual(512);
        }
      }
    },
  );
});

describe('texts about a file speak of the file', () => {
  const problemOf = (text: string): string => {
    try {
      const value = parseJson(Buffer.from(text));
      validateBody(knownStateFile, value, { quirks: new Set() });
      return 'none';
    } catch (error) {
      return fileProblem(error);
    }
  };

  test.each([
    ['', 'The file is empty. Write a JSON object.'],
    ['{', /^The file is not JSON: .*\. Correct it\.$/],
    ['[]', 'The file is a list: expected an object with customers and agreements.'],
    [
      '{"customers":[]}',
      'agreements: agreements is missing. Write a list of corporate agreements, which may be empty; the bank makes the agreements of private customers.',
    ],
    ['{"customers":[],"customers":[]}', 'The member "customers" is there twice in one object. Write it once.'],
  ])('%j', (text, expected) => {
    const problem = problemOf(text);
    if (typeof expected === 'string') expect(problem).toBe(expected);
    else expect(problem).toMatch(expected);
    expect(problem).not.toMatch(/body|\bsen[dt]\b/i);
  });
});
