import type { WideCheck } from './check.ts';

const body = `
test('a payment over Easter, also with mocked timers', async (t) => {
  for (const mocked of [false, true]) {
    if (mocked) t.mock.timers.enable();
    const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
    const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
    await bank.clock.advance('2027-03-31');
    const { status } = await bank.payments(payment);
    assert.equal(status, 'ACSC');
    const { pass } = await matchers.toHaveBalance(bank.account('09232911044'), 'NOK 17750.00');
    assert.ok(pass);
    assert.equal((await bank.tpp().fetch('/v1/nowhere')).status, 404);
    await bank.close();
  }
});
`;

export const nodeTest: WideCheck = {
  name: 'node-test',
  summary: "Node's own test runner, ES modules and CommonJS",
  run: async (place) => {
    await place.install();
    const names = { assert: 'node:assert/strict', '{ test }': 'node:test', '{ createBank, matchers }': 'sandbank' };
    const lines = Object.entries(names);
    place.write('payment.test.mjs', lines.map(([what, from]) => `import ${what} from '${from}';\n`).join('') + body);
    place.write(
      'payment.test.cjs',
      lines.map(([what, from]) => `const ${what} = require('${from}');\n`).join('') + body,
    );
    await place.run('node', '--test');
  },
};
