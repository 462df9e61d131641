import assert from 'node:assert/strict';
import type { WideCheck } from './check.ts';
import { jestRequires } from './payment-test.ts';
import { redSuite, requireOwnBundles, vitestImports } from './red-suite.ts';

/** The marks of concurrent tests with a bank: an older runner does not tell which of them opens one. */
const concurrent = ['4.01', '4.02', '4.03', '4.04', '5.01', '5.02'];
const reason = /nobody can tell which bank is its own\. This needs (?:jest 30\.5|vitest 4\.1) or newer/g;

export const olderRunners: WideCheck = {
  name: 'older-runners',
  summary: 'the bundles of red tests with jest 29, jest 30.2 and vitest 3',
  run: async (place) => {
    for (const version of ['29', '30.2']) {
      const jest = place.within(`jest-${version}`);
      jest.write('package.json', { private: true });
      await jest.install(`jest@${version}`);
      for (const [name, text] of Object.entries(redSuite(jestRequires))) jest.write(`${name}.test.js`, text);
      const printed = await jest.fail('jest');
      // In jest 29 the failure of a hook at the top of a file comes after ours. It runs concurrent tests before the beforeAll of their group.
      await requireOwnBundles(jest.folder, printed, version === '29' ? [...concurrent, '7.02'] : ['4.03', '4.04']);
      const told = printed.match(reason)?.length ?? 0;
      assert.ok(
        version === '29' ? told === concurrent.length + 1 : told > 0,
        `${told} tests say why they have no bundle`,
      );
    }
    const vitest = place.within('vitest-3');
    vitest.write('package.json', { private: true, type: 'module' });
    await vitest.install('vitest@3');
    for (const [name, text] of Object.entries(redSuite(vitestImports))) vitest.write(`${name}.test.mjs`, text);
    const printed = await vitest.fail('vitest', 'run');
    await requireOwnBundles(vitest.folder, printed, concurrent);
    assert.ok(printed.match(reason), 'the tests say why they have no bundle');
  },
};
