import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** What each file of somebody else's three tests begins with. */
const head = `
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBank } from 'sandbank';
import 'sandbank/jest';

let bank;
beforeAll(async () => {
  bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
});
afterAll(() => bank.close());

const order = { from: '09232911044', to: '90491105991', amount: '250.00' };
`;

/** Two files, so that jest gives each a worker. */
const threeTests = {
  settled: `${head}
test('a payment settles', async () => {
  const payment = await bank.tpp().pay(order);
  await bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
});

test('a payment at Easter settles after it', async () => {
  const payment = await bank.tpp().pay({ ...order, on: '2027-03-25' });
  await bank.clock.advance('2027-03-31');
  await expect(bank.payments(payment)).toSettleOn('2027-03-30');
});
`,
  rejected: `${head}
test('a payment without funds is rejected', async () => {
  const payment = await bank.tpp().pay({ ...order, from: '34300000012' });
  await bank.clock.advance('P10D');
  await expect(bank.payments(payment)).toBeRejectedAfter(5);
});
`,
};

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

  test.each(
    oneOf('the reporter', [
      ['cjs', ''],
      ['mjs', '--experimental-vm-modules'],
    ] as const),
  )(
    'the reporter names what three tests of a project have not met (%s)',
    async (ending, nodeOptions) => {
      for (const [name, text] of Object.entries(threeTests)) {
        project.write(`three-${ending}/${name}.test.${ending}`, ending === 'mjs' ? text : asCommonJs(text));
      }
      const page = join(project.beside, `coverage-${ending}.html`);
      const config = { testMatch: [`**/*.test.${ending}`], maxWorkers: 2 };
      const reporterWith = (options: object) => ['sandbank/jest-reporter', options];
      const reporters = ['default', reporterWith({ html: page, min: 5, for: 'pisp' })];
      project.write(`three-${ending}/jest.json`, JSON.stringify({ ...config, reporters }));
      const met = [
        'payments/norwegian-domestic-credit-transfers',
        'ACSC',
        'RJCT',
        'fifth attempt',
        'moved by a holiday',
      ];
      const unmet = [
        'CANC',
        'ACCP then ACSC',
        'straks refused',
        'PATC',
        'KID_MISSING',
        'payments/sepa-credit-transfers',
      ];
      const { code, stdout } = await project.jestIn(`three-${ending}`, nodeOptions);
      expect(code).toBe(0);
      const lines = stdout.split('\n');
      expect(lines).toEqual(expect.arrayContaining(unmet.map((each) => `  ${each}`)));
      for (const each of met) expect(lines).not.toContain(`  ${each}`);
      expect(stdout).toContain('Sandbank coverage of 2 banks:');
      expect(stdout).toContain('It is no certification.');
      expect(readFileSync(page, 'utf8')).toContain('<dt>fifth attempt</dt>');
      project.write(`three-${ending}/jest.json`, JSON.stringify({ ...config, reporters: [reporterWith({ min: 95 })] }));
      const failed = await project.jestIn(`three-${ending}`, nodeOptions, {}, ['--runInBand', 'rejected']);
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/and at least 95 % are wanted/)]);
    },
    60_000,
  );
});
