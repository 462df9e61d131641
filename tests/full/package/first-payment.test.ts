import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Project, run } from './project.ts';

/* What the package keeps and brings so that the first payment of a process is fast. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
  project.write(
    'pays.cjs',
    `const { createBank } = require('sandbank');
    (async () => {
      const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
      const order = { from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' };
      const payment = await bank.tpp().pay(order);
      await bank.clock.advance('2027-03-31');
      console.log((await bank.payments(payment)).status);
      await bank.close();
    })();`,
  );
  project.write(
    'keys.mjs',
    `import { createBank } from 'sandbank';
    const options = JSON.parse(process.argv[2]);
    const bank = await createBank(options);
    const all = await Promise.all(process.argv.slice(3).map((name) => bank.tpp(name === '-' ? {} : { name }).credentials()));
    console.log(JSON.stringify(all));
    await bank.close();`,
  );
}, 120_000);
afterAll(() => project.remove());

describe('the code of a process that imports the package', () => {
  /** Runs a program whose temporary folder is this one. Returns what it prints. */
  async function paid(folder: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await run(process.execPath, ['pays.cjs'], project.path, {
      TMPDIR: join(project.beside, folder),
      NODE_DISABLE_COMPILE_CACHE: undefined,
      ...more,
    });
    return stdout;
  }

  function kept(folder: string): readonly string[] {
    const all = readdirSync(join(project.beside, folder), { recursive: true, encoding: 'utf8' });
    return all.filter((name) => name.endsWith('.code') || name.endsWith('.partial'));
  }

  test('is kept by the first one that opens a bank, and taken by the next', async () => {
    mkdirSync(join(project.beside, 'taken'), { mode: 0o700 });
    const importing = ['-e', `require('sandbank').createBank`];
    const env = { TMPDIR: join(project.beside, 'taken'), NODE_DISABLE_COMPILE_CACHE: undefined };
    await run(process.execPath, importing, project.path, env);
    expect(kept('taken')).toEqual([]);
    expect(await paid('taken')).toBe('ACSC\n');
    const [name = ''] = kept('taken');
    expect(kept('taken')).toEqual([name]);
    const written = (): number => statSync(join(project.beside, 'taken', name)).mtimeMs;
    const first = written();
    // Code that V8 refused would be written anew.
    expect(await paid('taken')).toBe('ACSC\n');
    expect(written()).toBe(first);
  }, 60_000);

  test('of one that only opens a bank is replaced by the first one that pays', async () => {
    const folder = join(project.beside, 'opens');
    mkdirSync(folder, { mode: 0o700 });
    const opens = [
      '-e',
      `require('sandbank').createBank({ now: '2027-03-24T12:00:00+01:00' }).then((bank) => bank.close())`,
    ];
    const env = { TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: undefined };
    const size = (): number => statSync(join(folder, kept('opens')[0] ?? '')).size;
    await run(process.execPath, opens, project.path, env);
    const opened = size();
    expect(await paid('opens')).toBe('ACSC\n');
    const whole = size();
    expect(whole).toBeGreaterThan(opened * 1.1);
    await run(process.execPath, opens, project.path, env);
    expect([size(), kept('opens').length]).toEqual([whole, 1]);
  }, 60_000);

  test('is neither kept nor taken where others can write, or where Node is told to keep none', async () => {
    mkdirSync(join(project.beside, 'open'));
    chmodSync(join(project.beside, 'open'), 0o777);
    expect(await paid('open')).toBe('ACSC\n');
    expect(kept('open')).toEqual([]);
    mkdirSync(join(project.beside, 'none'), { mode: 0o700 });
    expect(await paid('none', { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('ACSC\n');
    expect(kept('none')).toEqual([]);
  }, 60_000);
});

test('what a test gives its bank and its payments is checked without ajv', async () => {
  project.write(
    'gives.cjs',
    `const { createBank } = require('sandbank');
    (async () => {
      const [given, wrong] = process.argv.slice(2).map((text) => JSON.parse(text));
      const bank = await createBank({ now: '2027-03-24T12:00:00+01:00', ...given });
      const order = { from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' };
      await bank.tpp().pay({ ...order, product: 'instant-norwegian-domestic-credit-transfers-straks', on: undefined });
      await bank.tpp().pay(order);
      await bank.clock.advance('2027-03-31');
      console.log(await createBank(wrong).catch(({ message }) => message));
      await bank.close();
    })();`,
  );
  /** What this prints, and whether it loads ajv. */
  const given = async (name: string, options: object, wrong: object) => {
    const folder = join(project.beside, name);
    const { stdout } = await run(
      process.execPath,
      ['gives.cjs', JSON.stringify(options), JSON.stringify(wrong)],
      project.path,
      {
        NODE_V8_COVERAGE: folder,
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
    );
    const [report = ''] = readdirSync(folder);
    // The build evaluates each module by a function with its path as the name.
    const evaluated = readFileSync(join(folder, report), 'utf8').matchAll(
      /"functionName":"(node_modules\/(?:ajv\/dist\/core|typebox\/)[^"]*)","ranges":\[\{[^}]*"count":[1-9]/g,
    );
    const packages = new Set(Array.from(evaluated, ([, path = '']) => path.split('/')[1]));
    return { stdout, packages: [...packages].toSorted() };
  };
  const fixtures = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as { customers: object[] };
  const state = { customers: fixtures.customers.slice(0, 2), agreements: [] };
  const profile = JSON.parse(readFileSync('fixtures/profiles/fana-sparebank.json', 'utf8')) as object;
  const wrong = { fixtures: { ...state, agreements: 'none' } };
  const { stdout, packages } = await given('made', { fixtures: state, profile }, wrong);
  expect(stdout).toContain('agreements: "none" is a string: expected');
  expect(packages).toEqual(['typebox']);
  // The seldom ones are compiled.
  const persona = { life: { '09232911044': { name: 'mine' } } };
  expect(await given('compiled', {}, persona)).toMatchObject({
    stdout: expect.stringContaining('is missing'),
    packages: ['ajv', 'typebox'],
  });
}, 120_000);

describe('keys of TPPs (control-plane.md GA11)', () => {
  interface Credentials {
    readonly certificate: string;
    readonly key: string;
  }

  /** What TPPs of these names sign with, in a process of its own; `-` is the TPP without a name. */
  async function credentials(options: object, ...names: readonly string[]): Promise<readonly Credentials[]> {
    const { stdout } = await run(process.execPath, ['keys.mjs', JSON.stringify(options), ...names], project.path);
    return JSON.parse(stdout) as Credentials[];
  }

  test('the package brings five, for banks without a port', async () => {
    const names = ['-', 'a', 'b', 'c', 'd', 'e'];
    const [one, other] = [await credentials({}, ...names), await credentials({}, ...names)];
    expect(new Set(one.map(({ key }) => key)).size).toBe(6);
    expect(one.map(({ key }, index) => key === other[index]?.key)).toEqual([true, true, true, true, true, false]);
    expect(one[0]?.certificate).toBe(other[0]?.certificate);
  }, 60_000);

  test('the TPP without a name has its key, whoever comes before', async () => {
    const [own] = await credentials({}, '-');
    const all = await credentials({}, 'a', 'b', 'c', 'd', 'e', '-');
    expect(all.at(-1)).toEqual(own);
  }, 60_000);

  test('a bank with a port has keys of its own', async () => {
    const [[alone], [reached], [again]] = [
      await credentials({}, '-'),
      await credentials({ port: 0 }, '-'),
      await credentials({ port: 0 }, '-'),
    ];
    expect(new Set([alone?.key, reached?.key, again?.key]).size).toBe(3);
  }, 60_000);
});
