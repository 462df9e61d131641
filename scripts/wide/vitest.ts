import type { Place, WideCheck } from './check.ts';
import { paymentTest, redTest, requireBundle } from './payment-test.ts';
import { ProgramFailed } from './run-in.ts';

export const vitest: WideCheck = {
  name: 'vitest',
  summary: 'vitest, the types of its matchers, and its reporter of coverage',
  run: async (place) => {
    await place.install('vitest@5', 'typescript@6', '@types/node@24');
    const test = paymentTest(
      'vi',
      "import { expect, test, vi } from 'vitest';",
      "import { createBank, matchers } from 'sandbank';",
      "import 'sandbank/vitest';",
      'expect.extend(matchers);',
    );
    place.write('package.json', { ...(place.read('package.json') as object), type: 'module' });
    place.write('payment.test.ts', test);
    place.write(
      'wrong.ts',
      "import { expect } from 'vitest';\nimport 'sandbank/vitest';\n// @ts-expect-error a date\nexpect(1).toSettleOn(1);\n",
    );
    await place.run('vitest', 'run');
    await checkReporter(place);
    const imports = ["import { expect, test } from 'vitest';", "import { createBank } from 'sandbank';"];
    place.write('red.test.ts', redTest(...imports, "import 'sandbank/vitest';"));
    requireBundle(place.folder, await place.fail('vitest', 'run', 'red'));
    for (const how of ['bundler', 'nodenext']) {
      const module = how === 'bundler' ? 'esnext' : how;
      const compilerOptions = { module, moduleResolution: how, target: 'es2022', strict: true, noEmit: true };
      // As vitest asks for it: its own declarations do not hold without.
      place.write('tsconfig.json', { compilerOptions: { ...compilerOptions, types: ['node'], skipLibCheck: true } });
      await place.run('tsc');
    }
  },
};

/** The reporter fails the run when less was met than is wanted, and says so. */
async function checkReporter(place: Place): Promise<void> {
  const reporting = (min: number): Promise<string> => {
    const reporters = ['default', ['sandbank/vitest-reporter', { min }]];
    place.write('vitest.config.mjs', `export default { test: { reporters: ${JSON.stringify(reporters)} } };\n`);
    return place.run('vitest', 'run');
  };
  const enough = await reporting(1);
  if (!enough.includes(' behaviours met (')) throw new Error(`The reporter says nothing:\n${enough}`);
  const said = await reporting(95).then(
    (printed) => `it passed:\n${printed}`,
    (error: unknown) => (error instanceof ProgramFailed ? error.printed : String(error)),
  );
  if (!said.includes('and at least 95 % are wanted'))
    throw new Error(`The reporter does not fail a run below 95 per cent: ${said}`);
}
