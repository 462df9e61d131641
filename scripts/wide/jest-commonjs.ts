import type { Place, WideCheck } from './check.ts';
import { jestRequires, paymentTest } from './payment-test.ts';

export const jestCommonJs: WideCheck = {
  name: 'jest-commonjs',
  summary: 'jest, CommonJS, also with timers that are faked by its configuration',
  run: async (place) => {
    await place.install('jest@30');
    await testAsCommonJs(place);
  },
};

/** Runs the tests with the jest that is installed. */
export async function testAsCommonJs(place: Place): Promise<void> {
  place.write('payment.test.js', paymentTest('jest', ...jestRequires));
  await place.run('jest');
  place.write('faked.json', { fakeTimers: { enableGlobally: true } });
  await place.run('jest', '--config', 'faked.json');
}
