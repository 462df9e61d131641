import { describe, expect, test } from '@jest/globals';
import { validateBody } from '../../api/middleware/validate-body.ts';
import { periodicPayment } from '../support/bodies.ts';
import { faultsOf } from './faults-of.ts';

const quirks = new Set<string>();
const periodic = (monthsOfExecution: unknown): readonly { readonly path?: string; readonly text: string }[] =>
  faultsOf(() => {
    validateBody('periodic-payment-initiation', periodicPayment({ frequency: 'MonthlyVariable', monthsOfExecution }), {
      quirks,
    });
  });
const engagement = (roles: unknown): readonly { readonly path?: string; readonly text: string }[] =>
  faultsOf(() => {
    const account = { bban: '09232911044' };
    validateBody('sandbox-engagement', { customer: '13039319955', account, roles }, { quirks });
  });

describe('a list of a body costs no more than its length', () => {
  test.each([
    [
      'roles of an engagement',
      () =>
        engagement(
          Array<string>(60_000)
            .fill('x')
            .map((letter, index) => `${letter}${index}`),
        ),
    ],
    ['the same role again and again', () => engagement(Array<string>(60_000).fill('VIEW'))],
    ['months', () => periodic(Array.from({ length: 60_000 }, (_, index) => index))],
    ['the same month again and again', () => periodic(Array<number>(60_000).fill(2))],
  ])('%s', (_what, judge) => {
    judge();
    const begun = performance.now();
    expect(judge().length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(500);
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
