import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, WideCheck } from './check.ts';
import { paymentTest } from './payment-test.ts';
import { allMarks, redSuite, requireOwnBundles, vitestImports } from './red-suite.ts';

const wrong = `import { expect } from 'vitest';
import 'sandbank/vitest';
// @ts-expect-error a date
expect(1).toSettleOn(1);
`;

export const vitest: WideCheck = {
  name: 'vitest',
  summary: 'vitest 5, the types of its matchers, also with vitest 4, and its reporter of coverage',
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
    const programs = { 'payment.test.ts': test, 'wrong.ts': wrong };
    for (const [name, text] of Object.entries(programs)) place.write(name, text);
    await place.run('vitest', 'run');
    await checkReporter(place);
    await checkBundles(place);
    await checkTypes(place);
    const older = place.within('vitest-4');
    older.write('package.json', { private: true, type: 'module' });
    await older.install('vitest@4', 'typescript@6', '@types/node@24');
    for (const [name, text] of Object.entries(programs)) older.write(name, text);
    // In place of the one above it.
    older.write('vitest.config.mjs', 'export default {};\n');
    await older.run('vitest', 'run');
    await checkTypes(older);
  },
};

/** tsc finds no error in the programs of the folder, nor in the declarations that they import. */
async function checkTypes(place: Place): Promise<void> {
  for (const how of ['bundler', 'nodenext']) {
    const module = how === 'bundler' ? 'esnext' : how;
    const compilerOptions = { module, moduleResolution: how, target: 'es2022', strict: true, noEmit: true };
    const include = ['*.ts'];
    place.write('tsconfig.json', { compilerOptions: { ...compilerOptions, types: ['node'] }, include });
    await place.run('tsc');
  }
}

/** One red test, one bundle, as tests/full/package/own-bundles.test.ts has it of jest. The reporter of coverage runs beside it. */
async function checkBundles(place: Place): Promise<void> {
  const write = (red: readonly string[] | null): void => {
    for (const [name, text] of Object.entries(redSuite(vitestImports, red)))
      place.write(`bundles/${name}.test.mjs`, text);
  };
  write(null);
  await requireOwnBundles(place.folder, await place.fail('vitest', 'run', '--dir', 'bundles'));
  const left = (): readonly string[] =>
    readdirSync(join(place.folder, '.sandbank')).filter((name) => name.endsWith('.sandbank'));
  assert.equal(left().length, allMarks.length);
  // What is left out takes nothing away.
  const red = ['1.02', '2.01', '3.02', '4.04', '5.01', '6.02', '7.01'];
  write(red);
  await place.fail('vitest', 'run', '--dir', 'bundles', '--sequence.shuffle');
  assert.equal(left().length, red.length);
  write([]);
  await place.run('vitest', 'run', '--dir', 'bundles', '--reporter', 'default', '-t', 'twice');
  assert.equal(left().length, red.length - 1);
  await place.run('vitest', 'run', '--dir', 'bundles', '--reporter', 'default');
  assert.deepEqual(left(), []);
}

/** The reporter fails the run when less was met than is wanted, and says so. */
async function checkReporter(place: Place): Promise<void> {
  const reporting = (min: number) => {
    const reporters = ['default', ['sandbank/vitest-reporter', { min }]];
    place.write('vitest.config.mjs', `export default { test: { reporters: ${JSON.stringify(reporters)} } };\n`);
    return place.attempt('vitest', 'run');
  };
  const [enough, less] = [await reporting(1), await reporting(95)];
  if (enough.isFailed || !enough.printed.includes(' behaviours met ('))
    throw new Error(`The reporter fails, or says nothing:\n${enough.printed}`);
  if (!less.isFailed || !less.printed.includes('and at least 95 % are wanted'))
    throw new Error(`The reporter does not fail a run below 95 per cent: ${less.printed}`);
}
