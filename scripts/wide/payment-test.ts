/** The body of a test that pays through the package and reads the result with its matchers. */
export const paymentSteps = `
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  try {
    const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
    await bank.clock.advance('2027-03-31');
    await expect(bank.payments(payment)).toSettleOn('2027-03-30');
    await expect(bank.account('09232911044')).toHaveBalance('NOK 17750.00');
    await expect(expect(bank.account('09232911044')).toHaveBalance('NOK 1.00')).rejects.toThrow('it has NOK');
  } finally {
    await bank.close();
  }
`;

/** A test file: the lines of its imports, and one test. */
export function paymentTest(...imports: readonly string[]): string {
  return `${imports.join('\n')}\n\ntest('a payment over Easter', async () => {${paymentSteps}});\n`;
}
