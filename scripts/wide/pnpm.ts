import type { WideCheck } from './check.ts';
import { testAsCommonJs } from './jest-commonjs.ts';

export const pnpm: WideCheck = {
  name: 'pnpm',
  summary: 'jest, CommonJS, installed by pnpm, which runs no install scripts',
  run: async (place) => {
    place.write('package.json', { private: true });
    const pnpm = ['--yes', 'pnpm@12', 'add', '--config.strictDepBuilds=false', await place.tarball(), 'jest@30'];
    await place.run('npx', ...pnpm);
    await testAsCommonJs(place);
    await place.run('sandbank', '--help');
  },
};
