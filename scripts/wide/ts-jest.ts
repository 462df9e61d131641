import type { WideCheck } from './check.ts';
import { jestImports, paymentTest, redTest, requireBundle } from './payment-test.ts';

/** Each way in which TypeScript finds a package. */
const resolutions = [
  { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  { module: 'node16', moduleResolution: 'node16' },
];

export const tsJest: WideCheck = {
  name: 'ts-jest',
  summary: 'ts-jest with its type check, module resolution node10 and node16',
  run: async (place) => {
    await place.install('jest@30', 'ts-jest@29', 'typescript@6', '@jest/globals@30', '@types/node@24');
    place.write('payment.test.ts', paymentTest('jest', ...jestImports));
    place.write('jest.config.json', { preset: 'ts-jest', testMatch: ['**/*.test.ts'] });
    for (const how of resolutions) {
      const compilerOptions = { ...how, target: 'es2022', strict: true, esModuleInterop: true, types: ['node'] };
      place.write('tsconfig.json', { compilerOptions: { ...compilerOptions, isolatedModules: false } });
      await place.run('jest', '--no-cache');
    }
    place.write('red.ts', redTest(...jestImports));
    requireBundle(place.folder, await place.fail('jest', '--testMatch', '**/red.ts'));
  },
};
