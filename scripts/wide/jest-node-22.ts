import type { WideCheck } from './check.ts';
import { testAsCommonJs } from './jest-commonjs.ts';

/** The oldest Node 22 that the package's engines name, and the newest. */
const versions = ['22.15.0', '22'];

export const jestNode22: WideCheck = {
  name: 'jest-node-22',
  summary: `jest, CommonJS, and the program, on Node ${versions.join(' and ')}`,
  run: async (place) => {
    for (const version of versions) {
      await place.install('jest@30', `node@${version}`);
      const running = await place.run('node', '--version');
      if (!running.startsWith(`v${version}`)) throw new Error(`Node ${version} was to run, and it is ${running}`);
      await testAsCommonJs(place);
      const printed = await place.run('sandbank', 'next-dates', '--start', '2027-01-31', '--frequency', 'Monthly');
      if (!printed.includes('2027-03-01')) throw new Error(printed);
    }
  },
};
