import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pageBlocks } from '../../support/markdown.ts';
import { asCommonJs, asTypeScript, exampleOfPage, exampleOfReadme } from './page-programs.ts';
import { Project, run } from './project.ts';
import { oneOf } from '../../support/sample.ts';

/* The example of docs/tests.md and tests of somebody else, run by jest in a project with the packed package. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
  const example = exampleOfPage();
  project.write('readme.test.mjs', example);
  project.write('readme.test.cjs', asCommonJs(example));
}, 120_000);
afterAll(() => project.remove());

/** A page, its whole test, the kind of project that it asks for, and the words beside the line that runs the test there. */
const beside = [
  ['README.md', exampleOfReadme, 'commonjs', /save it as `(easter\.test\.js)`, and run `(npx [^`]*)`:/, 1],
  [
    'docs/tests.md',
    exampleOfPage,
    'module',
    /Save it as `(easter\.test\.js)`[^`]*`"type": "module"`[^`]*`(npx [^`]*)` runs it/,
    3,
  ],
] as const;

test.each(beside)(
  'the test of %s passes by the line beside it',
  async (page, example, type, words, count) => {
    const [, file = '', line = ''] = words.exec(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')) ?? [];
    const other = await Project.lay();
    for (const name of ['jest', '.bin/jest']) other.link(name);
    other.write('package.json', JSON.stringify({ type }));
    other.write(file, example());
    // The five seconds that a test has by itself are not enough on a busy machine.
    const ended = await run('sh', ['-c', `${line} --testTimeout 30000`], other.path, { NODE_OPTIONS: '' });
    other.remove();
    expect(ended.stderr).toContain(`Tests:       ${count} passed, ${count} total`);
  },
  60_000,
);

const threePassed = { code: 0, stderr: expect.stringContaining('Tests:       3 passed, 3 total') };

describe('the package, in an empty project', () => {
  test.each(
    oneOf('the example', [
      ['CommonJS, without any option', 'cjs', ''],
      ['ES modules', 'mjs', '--experimental-vm-modules'],
    ] as const),
  )(
    'the example of docs/tests.md passes as a test of %s',
    async (_what, ending, nodeOptions) => {
      expect(await project.jest([`readme.test.${ending}`], nodeOptions)).toMatchObject(threePassed);
    },
    30_000,
  );

  test.each(
    oneOf('the example in TypeScript', [
      ['ES modules', 'module', '--experimental-vm-modules'],
      ['CommonJS', 'commonjs', ''],
    ] as const),
  )(
    'the example of docs/tests.md passes in TypeScript with the configuration of the page (%s)',
    async (_what, type, nodeOptions) => {
      const block = pageBlocks('docs/tests.md').find(({ section }) => section === 'TypeScript');
      const { extensionsToTreatAsEsm, ...both } = JSON.parse(block?.text ?? '') as Record<string, unknown>;
      expect(extensionsToTreatAsEsm).toEqual(['.ts']);
      const isModule = type === 'module';
      project.write(`ts-${type}/package.json`, JSON.stringify({ type }));
      project.write(`ts-${type}/jest.json`, JSON.stringify({ ...both, ...(isModule && { extensionsToTreatAsEsm }) }));
      project.write(`ts-${type}/readme.test.ts`, asTypeScript(exampleOfPage()));
      expect(await project.jestIn(`ts-${type}`, nodeOptions)).toMatchObject(threePassed);
    },
    30_000,
  );
});
