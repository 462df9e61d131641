import type { WideCheck } from './check.ts';
import { jestImports, paymentTest } from './payment-test.ts';

export const jestEsm: WideCheck = {
  name: 'jest-esm',
  summary: 'jest, ES modules, also with timers that are faked by its configuration',
  run: async (place) => {
    await place.install('jest@30');
    place.write('payment.test.mjs', paymentTest('jest', ...jestImports));
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.mjs'];
    await place.run('node', ...jest);
    place.write('faked.json', { testMatch: ['**/*.test.mjs'], fakeTimers: { enableGlobally: true } });
    await place.run('node', ...jest.slice(0, 2), '--config', 'faked.json');
  },
};
