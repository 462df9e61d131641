import { describe, expect, test } from '@jest/globals';
import { QueryReader } from '../../api/pipeline/target.ts';
import { faultsOf } from '../pipeline/faults-of.ts';
import { balanceParameters, reportParameters, reportQuery } from '../../api/interface/accounts/account-request.ts';
import { Refusal } from '../../engine/values/fault.ts';

const reader = (query: string): QueryReader => new QueryReader(new URLSearchParams(query), reportParameters);

const withBalance = (query: string): boolean =>
  new QueryReader(new URLSearchParams(query), balanceParameters).onlyFlag('withBalance');

/** Code and path of every fault, in order; null when there is none. */
function faults(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.faults.map(({ code, path }) => `${code} ${path}`).join(', ');
    throw error;
  }
  return null;
}

test('E3: of thousands of unknown parameters 20 are told, the last with how many more there are', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `x${index}`);
  const refused = faultsOf(() => reportQuery(reader(`${names.join('&')}&limit=0`)));
  expect(refused.map(({ path }) => path)).toEqual(names.slice(0, 20));
  expect(refused.at(-1)?.text).toMatch(/ \(4981 more faults\)$/);
});

describe('9.3: the query of a transaction list', () => {
  test('left out: both statuses, no dates, the first 200', () => {
    const read = { bookingStatus: null, dateFrom: null, dateTo: null, offset: null, limit: 200, cursor: null };
    expect(reportQuery(reader(''))).toEqual(read);
  });

  test('the sample of the documentation', () => {
    const sample = 'bookingStatus=both&dateFrom=2024-01-01&dateTo=2024-01-02&offset=0&limit=10';
    const dates = { dateFrom: '2024-01-01', dateTo: '2024-01-02' };
    const read = { bookingStatus: 'both', ...dates, offset: 0, limit: 10, cursor: null };
    expect(reportQuery(reader(sample))).toEqual(read);
  });

  test.each([
    ['bookingStatus=Booked', 'FORMAT_ERROR bookingStatus'],
    ['bookingStatus=', 'FORMAT_ERROR bookingStatus'],
    ['bookingStatus=information', 'FORMAT_ERROR bookingStatus'],
    ['dateFrom=2027-02-29', 'FORMAT_ERROR dateFrom'],
    ['dateFrom=2027-3-1', 'FORMAT_ERROR dateFrom'],
    ['dateTo=2027-03-01T00:00:00Z', 'FORMAT_ERROR dateTo'],
    ['limit=0', 'FORMAT_ERROR limit'],
    ['limit=1000', null],
    ['limit=1001', 'FORMAT_ERROR limit'],
    ['limit=10.0', 'FORMAT_ERROR limit'],
    ['limit=-1', 'FORMAT_ERROR limit'],
    ['limit=1e2', 'FORMAT_ERROR limit'],
    ['offset=-1', 'FORMAT_ERROR offset'],
    ['offset=2147483647', null],
    ['offset=2147483648', 'FORMAT_ERROR offset'],
    ['offset=', 'FORMAT_ERROR offset'],
    ['cursor=a&cursor=b', 'FORMAT_ERROR cursor'],
    ['deltaList=true', 'PARAMETER_NOT_SUPPORTED deltaList'],
    ['limit=10&limit=20', 'FORMAT_ERROR limit'],
    ['limit=x&offset=y&z', 'PARAMETER_NOT_SUPPORTED z, FORMAT_ERROR offset, FORMAT_ERROR limit'],
  ])('%s: %s', (query, expected) => {
    expect(faults(() => reportQuery(reader(query)))).toBe(expected);
  });
});

describe('9.1: withBalance', () => {
  test.each([
    ['', false],
    ['withBalance=true', true],
    ['withBalance=false', false],
  ])('%p is read as %s', (query, wanted) => {
    expect(withBalance(query)).toBe(wanted);
  });

  test.each([
    ['withBalance=1', 'FORMAT_ERROR withBalance'],
    ['withBalance', 'FORMAT_ERROR withBalance'],
    ['withBalances=true', 'PARAMETER_NOT_SUPPORTED withBalances'],
  ])('%s: %s', (query, expected) => {
    expect(faults(() => withBalance(query))).toBe(expected);
  });
});
