import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pageBlocks } from '../../support/markdown.ts';
import { asCommonJs, asTypeScript, exampleOfPage, exampleOfReadme } from './page-programs.ts';
import { modules, Project, run } from './project.ts';
import { oneOf } from '../../support/sample.ts';

/* The example of docs/tests.md and tests of somebody else, run by jest in a project with the packed package. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
}, 120_000);
afterAll(() => project.remove());

/** What the global object of jest-environment-jsdom 30 lacks of Node's, and what it has of its own. */
const bareEnvironment = `
const { runInNewContext } = require('node:vm');
const { TestEnvironment } = require(${JSON.stringify(join(modules, 'jest-environment-node'))});
const lacks = ['TextEncoder', 'TextDecoder', 'structuredClone', 'fetch', 'Request', 'Response', 'ReadableStream', 'WritableStream',
  'TransformStream', 'CompressionStream', 'MessageChannel', 'BroadcastChannel', 'setImmediate', 'clearImmediate'];
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of lacks) delete this.global[name];
    for (const name of ['Uint8Array', 'ArrayBuffer']) this.global[name] = runInNewContext(name);
    for (const name of ['URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'Headers']) this.global[name] = class {};
  }
};
`;

/** A page, its whole test, the kind of project that it asks for, and the words beside the line that runs the test there. */
const beside = [
  ['README.md', exampleOfReadme, 'commonjs', /save it as `(easter\.test\.js)`, and run `(npx [^`]*)`:/, 1],
  [
    'docs/tests.md',
    exampleOfPage,
    'module',
    /Save this whole test as `(easter\.test\.js)`[^`]*`"type": "module"`[^`]*`(npx [^`]*)`/,
    4,
  ],
] as const;

test.each(beside)(
  'the test of %s passes by the line beside it',
  async (page, example, type, words, count) => {
    const [, file = '', line = ''] = words.exec(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')) ?? [];
    const other = await Project.lay();
    other.link('.bin/jest');
    other.write('package.json', JSON.stringify({ type }));
    other.write(file, example());
    // The five seconds that a test has by itself are not enough on a busy machine.
    const ended = await run('sh', ['-c', `${line} --testTimeout 30000`], other.path, { NODE_OPTIONS: '' });
    other.remove();
    expect(ended.stderr).toContain(`Tests:       ${count} passed, ${count} total`);
  },
  60_000,
);

const allPassed = { code: 0, stderr: expect.stringContaining('Tests:       4 passed, 4 total') };

describe('the package, in an empty project', () => {
  test.each(
    oneOf('the example in TypeScript', [
      ['ES modules', 'module', '--experimental-vm-modules'],
      ['CommonJS', 'commonjs', ''],
    ] as const),
  )(
    'the example of docs/tests.md passes in TypeScript with the configuration of the page (%s)',
    async (_what, type, nodeOptions) => {
      const block = pageBlocks('docs/tests/setup.md').find(({ section }) => section === 'TypeScript');
      const { extensionsToTreatAsEsm, ...both } = JSON.parse(block?.text ?? '') as Record<string, unknown>;
      expect(extensionsToTreatAsEsm).toEqual(['.ts']);
      const isModule = type === 'module';
      project.write(`ts-${type}/package.json`, JSON.stringify({ type }));
      project.write(`ts-${type}/jest.json`, JSON.stringify({ ...both, ...(isModule && { extensionsToTreatAsEsm }) }));
      project.write(`ts-${type}/readme.test.ts`, asTypeScript(exampleOfPage()));
      expect(await project.jestIn(`ts-${type}`, nodeOptions)).toMatchObject(allPassed);
    },
    30_000,
  );

  test('it works where the global object lacks what jsdom lacks of Node', async () => {
    project.write('bare/environment.cjs', bareEnvironment);
    project.write('bare/readme.test.cjs', asCommonJs(exampleOfPage()));
    project.write(
      'bare/jest.json',
      JSON.stringify({ testMatch: ['**/*.test.cjs'], testEnvironment: './environment.cjs' }),
    );
    expect(await project.jestIn('bare', '')).toMatchObject(allPassed);
  }, 30_000);

  test('a bank that does not open is told once: the afterAll of README adds nothing', async () => {
    const text = exampleOfReadme().replace("now: '2027-03-24T12:00:00+01:00'", "now: 'soon'");
    project.write('closed/readme.test.js', text);
    project.write('closed/jest.json', '{}');
    const { stderr } = await project.jestIn('closed', '');
    expect(stderr).toContain('createBank: now is "soon"');
    expect(stderr).not.toContain('TypeError');
  }, 30_000);
});
