import type { Place, WideCheck } from './check.ts';
import { jestRequires, paymentTest, redTest, requireBundle } from './payment-test.ts';

export const oldNode: WideCheck = {
  name: 'old-node',
  summary: 'Node 18, 20 and 22.14: the program and a test end with one line, whose cure helps',
  run: async (place) => {
    for (const version of ['18', '20', '22.14.0']) {
      await place.install(`node@${version}`, 'jest@29');
      place.write('payment.test.js', paymentTest('jest', ...jestRequires));
      const cure = await refusal(place, 'sandbank', '--help');
      if (cure.trim().split('\n').length !== 1) throw new Error(`The program says more than one line:\n${cure}`);
      await refusal(place, 'jest');
      const [, words = ''] = /npm (install \S+ node@\d+)/.exec(cure) ?? [];
      await place.run('npm', ...words.split(' '));
      await place.run('jest');
      await place.run('sandbank', '--help');
    }
    // The oldest jest that the harness is tried with.
    place.write('red.test.js', redTest(...jestRequires));
    requireBundle(place.folder, await place.fail('jest', 'red'));
  },
};

/** What the program prints when it refuses the Node that runs it. */
async function refusal(place: Place, ...words: readonly [program: string, ...args: string[]]): Promise<string> {
  const printed = await place.fail(...words);
  if (/needs Node 22\.15, or 24 or newer/.test(printed)) return printed;
  throw new Error(`${words.join(' ')} failed, and not for an old Node:\n${printed}`);
}
