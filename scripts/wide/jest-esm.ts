import type { WideCheck } from './check.ts';
import { paymentTest } from './payment-test.ts';

export const jestEsm: WideCheck = {
  name: 'jest-esm',
  summary: 'jest, a test of ES modules',
  run: async (place) => {
    await place.install('jest@30');
    const test = paymentTest(
      "import { expect, test } from '@jest/globals';",
      "import { createBank } from 'sandbank';",
      "import 'sandbank/jest';",
    );
    place.write('payment.test.mjs', test);
    place.write('jest.config.json', { testMatch: ['**/*.test.mjs'] });
    await place.run('node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js');
  },
};
