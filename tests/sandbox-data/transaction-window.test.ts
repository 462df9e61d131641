import { expect, test } from '@jest/globals';
import { QueryReader } from '../../api/pipeline/target.ts';
import { transactionWindow, windowParameters } from '../../api/interface/sandbox-data/mock-transactions.ts';
import { faultsOf } from '../pipeline/faults-of.ts';

const read = (query: string): QueryReader => new QueryReader(new URLSearchParams(query), windowParameters);

test.each([
  ['', { from: null, to: null, offset: 0, limit: 1000 }],
  ['fromDate=2027-03-01&toDate=2027-03-01', { from: '2027-03-01', to: '2027-03-01', offset: 0, limit: 1000 }],
  ['offset=10&limit=2147483647', { from: null, to: null, offset: 10, limit: 2_147_483_647 }],
])('real-api-facts 10: the query "%s" is read', (query, expected) => {
  expect(transactionWindow(read(query))).toEqual(expected);
});

test.each([
  ['fromDate=2027-02-30', ['FORMAT_ERROR fromDate']],
  ['toDate=', ['FORMAT_ERROR toDate']],
  ['fromDate=2027-03-02&toDate=2027-03-01', ['PERIOD_INVALID fromDate']],
  ['limit=0', ['FORMAT_ERROR limit']],
  ['limit=2147483648', ['FORMAT_ERROR limit']],
  ['offset=-1', ['FORMAT_ERROR offset']],
  ['offset=1.5&limit=1e3', ['FORMAT_ERROR offset', 'FORMAT_ERROR limit']],
  ['limit=1&limit=999', ['FORMAT_ERROR limit']],
  ['dateFrom=2027-03-01', ['PARAMETER_NOT_SUPPORTED dateFrom']],
  ['x=1&x=2&fromDate=a', ['PARAMETER_NOT_SUPPORTED x', 'FORMAT_ERROR fromDate']],
])('E3: every fault of the query "%s" is told', (query, expected) => {
  const faults = faultsOf(() => transactionWindow(read(query)));
  expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
});
