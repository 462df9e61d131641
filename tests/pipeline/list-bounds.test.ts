import { describe, expect, test } from '@jest/globals';
import { periodicPaymentBody } from '../../api/interface/payments/payment-bodies.ts';
import { engagementBody } from '../../api/interface/sandbox-data/customers-and-agreements.ts';
import { validateBody } from '../../api/pipeline/validate-body.ts';
import { periodicPayment } from '../lab/bodies.ts';
import { growth } from '../support/cpu-time.ts';
import { faultsOf } from './faults-of.ts';

const quirks = new Set<string>();
const periodic = (monthsOfExecution: unknown): readonly { readonly path?: string; readonly text: string }[] =>
  faultsOf(() => {
    validateBody(periodicPaymentBody, periodicPayment({ frequency: 'MonthlyVariable', monthsOfExecution }), {
      quirks,
    });
  });
const engagement = (roles: unknown): readonly { readonly path?: string; readonly text: string }[] =>
  faultsOf(() => {
    const account = { bban: '09232911044' };
    validateBody(engagementBody, { customer: '13039319955', account, roles }, { quirks });
  });

describe('a list of a body costs no more than its length', () => {
  // A hundred times as many of them; judging each against every other would take ten thousand times as long.
  test.each<[string, (count: number) => () => readonly unknown[]]>([
    [
      'roles of an engagement',
      (count) => {
        const roles = Array.from({ length: count }, (_, index) => `x${index}`);
        return () => engagement(roles);
      },
    ],
    ['the same role again and again', (count) => () => engagement(Array<string>(count).fill('VIEW'))],
    ['months', (count) => () => periodic([...Array(count).keys()])],
    ['the same month again and again', (count) => () => periodic(Array<number>(count).fill(2))],
  ])('%s', (_what, judged) => {
    expect(judged(60_000)().length).toBeGreaterThan(0);
    expect(growth(judged, 600, 60_000)).toBeLessThan(500);
  });
});

test.each([
  [['VIEW', 'REGISTER', 'VIEW'], 'roles'],
  [['VIEW', 'VIEW'], 'roles'],
  [[], 'roles'],
])('roles are VIEW, REGISTER or both: %j', (roles, path) => {
  expect(engagement(roles).map((fault) => fault.path)).toContain(path);
});

test('R5: at most twelve months; what is no whole number is told so', () => {
  expect(periodic(Array<number>(13).fill(1)).map(({ path }) => path)).toContain('monthsOfExecution');
  const [fault, ...others] = periodic([1.5]);
  expect(others).toEqual([]);
  expect(fault).toMatchObject({ path: 'monthsOfExecution[0]', text: expect.stringContaining('a whole number') });
});
