/** A test that pays, lets Easter pass and reads the result with the matchers. With fake timers it has the same result. */
const steps = `
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  try {
    const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
    await bank.clock.advance('2027-03-31');
    await expect(bank.payments(payment)).toSettleOn('2027-03-30');
    await expect(bank.account('09232911044')).toHaveBalance('NOK 17750.00');
    await expect(expect(bank.account('09232911044')).toHaveBalance('NOK 1.00')).rejects.toThrow('17750.00');
    if ((await bank.tpp().fetch('/v1/nowhere')).status !== 404) throw new Error('not a 404');
  } finally {
    await bank.close();
  }
`;

/**
 * A test file: the lines of its imports, and two tests of the same payment. The second one runs under the fake timers of
 * `runner` (`jest`, `vi`), with nothing left out.
 */
export function paymentTest(runner: string, ...imports: readonly string[]): string {
  return [
    ...imports,
    '',
    `test('a payment over Easter', async () => {${steps}});`,
    '',
    `test('the same under fake timers', async () => {`,
    `  ${runner}.useFakeTimers();`,
    '  try {',
    steps,
    '  } finally {',
    `    ${runner}.useRealTimers();`,
    '  }',
    '});',
    '',
  ].join('\n');
}

/** The imports of a test for jest, as ES modules or TypeScript have them. */
export const jestImports = [
  "import { expect, jest, test } from '@jest/globals';",
  "import { createBank } from 'sandbank';",
  "import 'sandbank/jest';",
];

/** The same for CommonJS, where jest's own are global. */
export const jestRequires = ["const { createBank } = require('sandbank');", "require('sandbank/jest');"];
