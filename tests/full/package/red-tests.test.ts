import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { nodeMarks, nodeRedSuite, requireNodeBundles } from '../../wide/red-suite.ts';
import { asCommonJs } from './page-programs.ts';
import { Project, surroundings } from './project.ts';
import { oneOf } from '../../support/sample.ts';

/* What red tests of somebody else leave in a project with the packed package. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
}, 120_000);
afterAll(() => project.remove());

const testEnvironment = 'sandbank/jest-environment';

const endless = 'so long a name '.repeat(30);

/** Tests of which some are red. */
const redTests = `
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createBank } from 'sandbank';
import 'sandbank/jest';

const now = '2027-03-24T12:00:00+01:00';
const order = { from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' };
test('green', async () => {
  const bank = await createBank({ now });
  await bank.close();
});
test('../../red: is paid on Maundy Thursday, før påske', async () => {
  const bank = await createBank({ now });
  try {
    const payment = await bank.tpp().pay(order);
    await bank.clock.advance('2027-03-31');
    await expect(bank.payments(payment)).toSettleOn('2027-03-25');
  } finally {
    await bank.close();
  }
});
test('red without a bank', () => {
  throw new Error('no bank');
});
test.failing('red on purpose', async () => {
  const bank = await createBank({ now });
  await bank.close();
  expect(1).toBe(2);
});
describe('with a bank for all', () => {
  let bank;
  beforeAll(async () => void (bank = await createBank({ now: '2028-01-01' })));
  afterEach(() => bank.reset());
  afterAll(() => bank.close());
  test('${endless}', async () => {
    const other = await createBank({ now });
    await bank.clock.advance('P1D');
    await other.close();
    throw 'a text';
  });
  test('漢字', () => expect.assertions(1));
  test('green again', () => undefined);
});
`;

/** Two projects with red tests. */
const redProjects = {
  mjs: { nodeOptions: '--experimental-vm-modules', bundles: '.sandbank', env: {} },
  cjs: { nodeOptions: '', bundles: 'my bundles', env: { SANDBANK_BUNDLES: 'my bundles' } },
};
const redRuns = new Map<string, Promise<{ name: string; code: number; stderr: string }>>();

/** The first run of the red tests of a project, in its folder. */
function redRun(ending: keyof typeof redProjects): Promise<{ name: string; code: number; stderr: string }> {
  const name = `red-${ending}`;
  const run = redRuns.get(name) ?? begun();
  redRuns.set(name, run);
  return run;

  async function begun(): Promise<{ name: string; code: number; stderr: string }> {
    project.write(`${name}/red.test.${ending}`, ending === 'mjs' ? redTests : asCommonJs(redTests));
    project.write(`${name}/jest.json`, JSON.stringify({ testMatch: [`**/*.test.${ending}`], testEnvironment }));
    const { nodeOptions, env } = redProjects[ending];
    return { name, ...(await project.jestIn(name, nodeOptions, env)) };
  }
}

describe('the package, in an empty project', () => {
  test.each(oneOf('red tests', ['mjs', 'cjs'] as const))(
    'each red test leaves a bundle of its banks and says how to open it, a green one none (%s)',
    async (ending) => {
      const { nodeOptions, bundles } = redProjects[ending];
      const { name, code, stderr } = await redRun(ending);
      const there = join(project.path, name, bundles);
      const long = /^with-a-bank-for-all-so-long-a-name-[a-z-]{30,50}-[0-9a-f]{8}\.2\.sandbank$/;
      const wanted = [
        /^red-is-paid-on-maundy-thursday-for-paske-[0-9a-f]{8}\.sandbank$/,
        /^with-a-bank-for-all-[0-9a-f]{8}\.sandbank$/,
        long,
        new RegExp(long.source.replace('\\.2', '')),
      ].map((pattern) => expect.stringMatching(pattern));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/Tests: +4 failed, 3 passed, 7 total/)]);
      const left = readdirSync(there).toSorted();
      expect(left).toEqual(['.gitignore', ...wanted]);
      for (const file of left.slice(1)) {
        const path = `${bundles}/${file}`;
        expect(stderr).toContain(`npx --no sandbank open ${bundles.includes(' ') ? `'${path}'` : path}\n`);
        expect(stderr).toContain(`const bank = await createBank({ from: '${path}' });\n`);
      }
      if (ending === 'cjs') {
        rmSync(there, { recursive: true });
        const off = await project.jestIn(name, nodeOptions, { SANDBANK_BUNDLES: 'off' });
        expect([readdirSync(join(project.path, name)), /sandbank open/.test(off.stderr)]).toEqual([
          ['jest.json', 'red.test.cjs'],
          false,
        ]);
        return;
      }
      // Those of the last run are replaced, one bank more than now too.
      const [, first = '', second = ''] = left;
      rmSync(join(there, first));
      for (const old of [second, second.replace('.sandbank', '.7.sandbank')]) writeFileSync(join(there, old), 'old');
      await project.jestIn(name, nodeOptions);
      expect(readdirSync(there).toSorted()).toEqual(left);
      expect(readFileSync(join(there, second), 'latin1')).toMatch(/^sandbank-bundle 1 /);
    },
    60_000,
  );

  test.each(oneOf('red tests of Node', ['mjs', 'cjs'] as const))(
    'under node:test each red test leaves its bank too (%s)',
    async (ending) => {
      const name = `node-${ending}`;
      const ran = async (red: readonly string[] | null, more: NodeJS.ProcessEnv = {}) => {
        project.write(`${name}/red.test.${ending}`, nodeRedSuite(ending, red));
        return project.node(name, ['--test'], more);
      };
      const first = await ran(null);
      expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('The bank of this test:\n')]);
      const folder = join(project.path, name);
      await requireNodeBundles(folder, first.stdout, nodeMarks);
      const files = () => readdirSync(join(folder, '.sandbank')).toSorted();
      expect(files()).toContainEqual(expect.stringMatching(/^red-for-paske-[0-9a-f]{8}\.sandbank$/));
      // Those that are green again take their files away.
      await requireNodeBundles(folder, (await ran(['2.02', '6.01'])).stdout, ['2.02', '6.01']);
      expect((await ran([])).code).toBe(0);
      expect(files()).toEqual(['.gitignore']);
      await ran(null, { SANDBANK_BUNDLES: 'off' });
      expect(files()).toEqual(['.gitignore']);
    },
    60_000,
  );

  test('the line of a red test begins another test from its bank', async () => {
    const { name, stderr } = await redRun('mjs');
    const [, line = ''] = /in a test: (const bank = .*'\.sandbank\/red.*)/.exec(stderr) ?? [];
    expect(line).toContain('createBank');
    project.write(
      `${name}/begun/begun.test.mjs`,
      `import { expect, test } from '@jest/globals';
import { createBank } from 'sandbank';
import 'sandbank/jest';
process.chdir('..');
test('goes on', async () => {
  ${line}
  expect(await bank.clock.now()).toBe('2027-03-31T00:00:00.000+02:00');
  await expect(bank.account('09232911044')).toHaveBalance('NOK 17750.00');
  await bank.close();
});
`,
    );
    project.write(`${name}/begun/jest.json`, JSON.stringify({ testMatch: ['**/begun.test.mjs'] }));
    const { code, stderr: said } = await project.jestIn(`${name}/begun`, '--experimental-vm-modules');
    expect([code, said]).toEqual([0, expect.stringContaining('1 passed')]);
  }, 60_000);

  test('npx --no sandbank open opens the bundle of a red test in another folder, until Ctrl-C', async () => {
    const { name, stderr } = await redRun('mjs');
    const [, file = ''] = /npx --no sandbank open (\.sandbank\/red\S+)/.exec(stderr) ?? [];
    const path = join(project.path, name, file);
    const elsewhere = mkdtempSync(join(tmpdir(), 'sandbank-elsewhere-'));
    const program = join(project.own, 'dist/scripts/sandbank.js');
    const opened = spawn(process.execPath, [program, 'open', path], { cwd: elsewhere, env: surroundings() });
    const address = await greetedAddress(opened.stdout);
    const { payments } = (await (await fetch(`${address}/sandbox/payments`)).json()) as { payments: unknown[] };
    expect(payments).toMatchObject([{ status: 'ACSC' }]);
    expect(await (await fetch(`${address}/sandbox/clock`)).json()).toMatchObject({
      date: '2027-03-31',
      mode: 'frozen',
    });
    const { requests } = (await (await fetch(`${address}/sandbox/requests`)).json()) as { requests: unknown[] };
    expect(requests).toMatchObject([{ method: 'POST', status: 201 }]);
    const exit = once(opened, 'exit');
    opened.kill('SIGINT');
    expect([await exit, readdirSync(elsewhere)]).toEqual([[0, null], []]);
    rmSync(elsewhere, { recursive: true });
  }, 30_000);
});
