import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { builtDist } from './support/built-dist.ts';
import { greetedAddress } from './support/greeted-address.ts';
import { pageBlocks } from './support/page-blocks.ts';
import { startTestBank, validCertificate } from './support/server.ts';

/*
 * The package as somebody else has it: packed, unpacked into an empty project, and used there by the example of
 * docs/tests.md. Nothing is fetched: the dependencies are linked, those alone that the package names.
 */
const run = promisify(execFile);
const modules = resolve('node_modules');
let folder: string;
let project: string;
let packed: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-package-'));
  project = join(folder, 'project');
  await builtDist();
  // What prepack does, builtDist has done.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  await layProject(join(folder, stdout.trim()));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function layProject(tarball: string): Promise<void> {
  const own = join(project, 'node_modules/sandbank');
  mkdirSync(own, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  packed = readdirSync(own, { recursive: true, encoding: 'utf8' });
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // Kysely is built in, as jest's CommonJS could not load it.
  const needed = Object.keys(dependencies).filter((name) => name !== 'kysely');
  for (const name of [...needed, '@jest/globals', 'expect', '@types/node', '@swc/jest']) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(join(modules, name), join(project, 'node_modules', name));
  }
  const example = exampleOfPage();
  write('package.json', '{ "name": "project", "private": true }');
  write('readme.test.mjs', example);
  write('readme.test.cjs', asCommonJs(example));
  // The compiler knows no types from comments in these.
  const typed = asTypeScript(example);
  for (const name of ['strict/one.mts', 'strict/other.cts', 'bundled/one.ts', 'node10/one.ts']) write(name, typed);
  const uses = readFileSync('tests/harness/wrong-uses.ts', 'utf8').replace('../../api/harness/index.ts', 'sandbank');
  expect(uses.match(/@ts-expect-error \d+:/g)?.length).toBeGreaterThanOrEqual(30);
  for (const name of ['strict/wrong-uses.mts', 'bundled/wrong-uses.ts']) write(name, uses);
  for (const [line, text] of samplesOfPage()) write(`strict/page-line-${line}.mts`, text);
  const signing = clientOfPage();
  write('client/client.mjs', signing);
  write('client/client.cjs', `(async () => {\n${asCommonJs(signing)}})();\n`);
  for (const name of ['strict/client.mts', 'bundled/client.ts', 'node10/client.ts']) {
    write(name, signing.replace('[certificate, key]', '[certificate = "", key = ""]'));
  }
  const strict = { strict: true, noEmit: true, target: 'es2022', types: ['node'], exactOptionalPropertyTypes: true };
  // Stricter than strict, so that a line of the page compiles in every project.
  const nodenext = { ...strict, noUncheckedIndexedAccess: true, module: 'nodenext', moduleResolution: 'nodenext' };
  // As most projects have it; the strict one judges our declarations and jest's together.
  const bundler = { ...strict, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
  // As ts-jest has it in older projects: it reads main, types and typesVersions, and no exports.
  const node10 = { ...strict, module: 'es2022', moduleResolution: 'node10', ignoreDeprecations: '6.0' };
  const ofPage = pageBlocks('docs/tests.md').find(({ text }) => text.includes('"compilerOptions"'));
  expect({ compilerOptions: nodenext }).toMatchObject(JSON.parse(ofPage?.text ?? '') as object);
  write('node10/tsconfig.json', JSON.stringify({ compilerOptions: node10, include: ['*.ts'] }));
  write('strict/tsconfig.json', JSON.stringify({ compilerOptions: nodenext, include: ['*.mts', '*.cts'] }));
  write('bundled/tsconfig.json', JSON.stringify({ compilerOptions: bundler, include: ['*.ts'] }));
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** The JavaScript of docs/tests.md as TypeScript, by the line of each. One without imports is a part of a test. */
function samplesOfPage(): readonly (readonly [line: number, text: string])[] {
  const samples = pageBlocks('docs/tests.md').filter(({ language }) => language === 'js');
  expect(samples.length).toBeGreaterThan(12);
  return samples.map(({ line, text }) => {
    if (text.includes('import ')) return [line, asTypeScript(text)];
    const imports = [
      "import { expect } from '@jest/globals';",
      "import { type Bank, createBank as open } from 'sandbank';",
      "import 'sandbank/jest';",
    ];
    return [
      line,
      `${imports.join('\n')}\nexport async function part(bank: Bank, createBank: typeof open) {\n${text}\n}\n`,
    ];
  });
}

function asTypeScript(program: string): string {
  return program.replace(/\/\*\* @type.*\nlet bank;/, "let bank: import('sandbank').Bank;");
}

/** The whole test of docs/tests.md. */
function exampleOfPage(): string {
  const page = readFileSync('docs/tests.md', 'utf8');
  const [lines = '', whole = ''] = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(whole).toContain("from 'sandbank'");
  // The three-line version is a part of it, give or take the indentation.
  for (const line of lines.trim().split('\n')) expect(whole).toContain(line);
  // The README has its first test.
  for (const line of readFileSync('README.md', 'utf8')
    .match(/```js\n(.*?)```/s)?.[1]
    ?.trim()
    .split('\n') ?? ['none']) {
    expect(whole.replace('beforeEach, ', '')).toContain(line);
  }
  return whole;
}

/** The client of docs/signing.md, which reads its PEM files and its base from the command line. */
function clientOfPage(): string {
  const [, lines = ''] = /```js\n(import \{ signingFetch.*?)```/s.exec(readFileSync('docs/signing.md', 'utf8')) ?? [];
  const [imported = '', ...rest] = lines.split('\n');
  const files = 'const [certificate, key] = process.argv.slice(3).map((file) => readFileSync(file, "utf8"));';
  const shown = 'console.log(answer.status, Object.keys(Object(await answer.json())));';
  const base = "process.argv[2] ?? ''";
  const text = [imported, "import { readFileSync } from 'node:fs';", files, ...rest, shown, ''].join('\n');
  return text.replace("'http://127.0.0.1:8080'", base);
}

function asCommonJs(text: string): string {
  return text
    .replaceAll(/^import (\{.*\}) from (.*);$/gm, 'const $1 = require($2);')
    .replaceAll(/^import ('.*');$/gm, 'require($1);');
}

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

/** What others declare, read once for all projects. */
const declared = new Map<string, ts.SourceFile>();
const ofOthers = /\/node_modules\/(?:typescript|@types\/node|undici-types|@sinclair\/typebox)\//;

/** What `tsc -p` says of a project, but for mistakes in the declarations of the language, of Node, and of what jest is made with. */
function typeErrors(folder: string): string[] {
  const read = (file: string): string => readFileSync(file, 'utf8');
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), read) as { config: unknown };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, language, ...rest) => {
    const key = `${file} ${JSON.stringify(language)}`;
    const found = declared.get(key) ?? getSourceFile.call(host, file, language, ...rest);
    if (found !== undefined && ofOthers.test(file)) declared.set(key, found);
    return found;
  };
  const program = ts.createProgram(fileNames, options, host);
  const judged = program.getSourceFiles().filter(({ fileName }) => !ofOthers.test(fileName));
  expect(judged.map(({ fileName }) => fileName)).toEqual(
    expect.arrayContaining([expect.stringMatching(/\/sandbank\/dist\/api\/harness\/index\.d\.[cm]ts$/)]),
  );
  const found = [
    ...[...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()],
    ...judged.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return found.map((each) => ts.formatDiagnostic(each, host));
}

/** Runs jest by the configuration in a folder of the project. */
async function jestIn(
  name: string,
  nodeOptions: string,
  more: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions, FORCE_COLOR: '0', ...more };
  // The five seconds that a test has by itself are not enough on a busy machine.
  const settings = ['--config', 'jest.json', '--testTimeout', '30000'];
  const args = [join(modules, 'jest/bin/jest.js'), ...settings, ...words];
  return run(process.execPath, args, { cwd: join(project, name), env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

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
    write(`${name}/red.test.${ending}`, ending === 'mjs' ? redTests : asCommonJs(redTests));
    write(`${name}/jest.json`, JSON.stringify({ testMatch: [`**/*.test.${ending}`] }));
    const { nodeOptions, env } = redProjects[ending];
    return { name, ...(await jestIn(name, nodeOptions, env)) };
  }
}

async function jest(pattern: string, nodeOptions: string): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions, FORCE_COLOR: '0' };
  const args = [join(modules, 'jest/bin/jest.js'), '--rootDir', project, '--testTimeout', '30000', pattern];
  const { stderr } = await run(process.execPath, args, { cwd: project, env });
  return stderr;
}

describe('the package, in an empty project', () => {
  test('the example of docs/tests.md passes as a CommonJS test, without any option', async () => {
    expect(await jest('readme.test.cjs', '')).toContain('Tests:       3 passed, 3 total');
  }, 30_000);

  test('the example of docs/tests.md passes as a test of ES modules', async () => {
    expect(await jest('readme.test.mjs', '--experimental-vm-modules')).toContain('Tests:       3 passed, 3 total');
  }, 30_000);

  test.each([
    ['ES modules', 'module', '--experimental-vm-modules'],
    ['CommonJS', 'commonjs', ''],
  ])(
    'the example of docs/tests.md passes in TypeScript with the configuration of the page (%s)',
    async (_what, type, nodeOptions) => {
      const block = pageBlocks('docs/tests.md').find(({ section }) => section === 'TypeScript');
      const { extensionsToTreatAsEsm, ...both } = JSON.parse(block?.text ?? '') as Record<string, unknown>;
      expect(extensionsToTreatAsEsm).toEqual(['.ts']);
      const isModule = type === 'module';
      write(`ts-${type}/package.json`, JSON.stringify({ type }));
      write(`ts-${type}/jest.json`, JSON.stringify({ ...both, ...(isModule && { extensionsToTreatAsEsm }) }));
      write(`ts-${type}/readme.test.ts`, asTypeScript(exampleOfPage()));
      const { stderr } = await jestIn(`ts-${type}`, nodeOptions);
      expect(stderr).toContain('Tests:       3 passed, 3 total');
    },
    30_000,
  );

  test.each([
    ['cjs', ''],
    ['mjs', '--experimental-vm-modules'],
  ])(
    'the reporter names what three tests of a project have not met (%s)',
    async (ending, nodeOptions) => {
      for (const [name, text] of Object.entries(threeTests)) {
        write(`three-${ending}/${name}.test.${ending}`, ending === 'mjs' ? text : asCommonJs(text));
      }
      const page = join(folder, `coverage-${ending}.html`);
      const config = { testMatch: [`**/*.test.${ending}`], maxWorkers: 2 };
      const reporterWith = (options: object) => ['sandbank/jest-reporter', options];
      const reporters = ['default', reporterWith({ html: page, min: 5, for: 'pisp' })];
      write(`three-${ending}/jest.json`, JSON.stringify({ ...config, reporters }));
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
      const { code, stdout } = await jestIn(`three-${ending}`, nodeOptions);
      expect(code).toBe(0);
      const lines = stdout.split('\n');
      expect(lines).toEqual(expect.arrayContaining(unmet.map((each) => `  ${each}`)));
      for (const each of met) expect(lines).not.toContain(`  ${each}`);
      expect(stdout).toContain('Sandbank coverage of 2 banks:');
      expect(stdout).toContain('It is no certification.');
      expect(readFileSync(page, 'utf8')).toContain('<dt>fifth attempt</dt>');
      write(`three-${ending}/jest.json`, JSON.stringify({ ...config, reporters: [reporterWith({ min: 95 })] }));
      const failed = await jestIn(`three-${ending}`, nodeOptions, {}, ['--runInBand', 'rejected']);
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/and at least 95 % are wanted/)]);
    },
    60_000,
  );

  test.each(['strict', 'bundled', 'node10'])(
    'its types hold in a project that is %s, and refuse wrong uses',
    (name) => {
      expect(typeErrors(join(project, name))).toEqual([]);
    },
    60_000,
  );

  test.each(['mjs', 'cjs'])('G12: the doctor finds its thread from the bundle (%s)', async (ending) => {
    const program = `
import { createHash, X509Certificate } from 'node:crypto';
import { createBank } from 'sandbank';
const main = async () => {
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  const { certificate } = await bank.tpp().credentials();
  const headers = {
    Date: new Date().toUTCString(),
    Digest: 'SHA-256=' + createHash('sha256').update('{}\\n').digest('base64'),
    Signature: 'none',
    'TPP-Signature-Certificate': new X509Certificate(certificate).raw.toString('base64'),
  };
  const answer = await bank.fetch('/v1/consents', { method: 'POST', headers, body: '{}' });
  console.log(await answer.text());
  await bank.close();
};
main();
`;
    const name = `doctor.${ending}`;
    write(name, ending === 'mjs' ? program : asCommonJs(program));
    const { stdout } = await run(process.execPath, [name], { cwd: project });
    expect(stdout).toContain('It is the digest of the body and a line break.');
  });

  test.each(['mjs', 'cjs'])(
    'the client of docs/signing.md signs, as %s, without the bank and its dependencies',
    async (kind) => {
      const alone = join(folder, `alone-${kind}`);
      const own = join(alone, 'node_modules/sandbank');
      mkdirSync(own, { recursive: true });
      cpSync(join(project, 'node_modules/sandbank/package.json'), join(own, 'package.json'));
      cpSync(join(project, 'node_modules/sandbank/dist/api/client'), join(own, 'dist/api/client'), { recursive: true });
      cpSync(join(project, `client/client.${kind}`), join(alone, `client.${kind}`));
      const { certificatePem, keyPem } = validCertificate();
      writeFileSync(join(alone, 'cert.pem'), certificatePem);
      writeFileSync(join(alone, 'key.pem'), keyPem);
      const bank = await startTestBank('2027-03-24T12:00:00+01:00');
      const args = [`client.${kind}`, bank.address, 'cert.pem', 'key.pem'];
      const { stdout } = await run(process.execPath, args, { cwd: alone });
      await bank.stop();
      expect(stdout).toBe("201 [ '_links' ]\n");
    },
  );

  test('a signal to npx ends the bank that npx started', async () => {
    mkdirSync(join(project, 'node_modules/.bin'));
    const program = '../sandbank/dist/scripts/sandbank.js';
    symlinkSync(program, join(project, 'node_modules/.bin/sandbank'));
    chmodSync(join(project, 'node_modules/.bin', program), 0o755);
    symlinkSync(join(modules, 'kysely'), join(project, 'node_modules/kysely'));
    const npx = spawn('npx', ['sandbank', 'serve', '--ledger', ':memory:', '--port', '0'], { cwd: project });
    const address = await greetedAddress(npx.stdout);
    npx.kill('SIGTERM');
    // The pipe is the bank's too: it closes when both have ended.
    await once(npx.stdout, 'close');
    await expect(fetch(`${address}/health`)).rejects.toThrow();
  }, 30_000);

  test('its program runs, with kysely beside it', async () => {
    const program = join(project, 'node_modules/sandbank/dist/scripts/sandbank.js');
    const { stdout } = await run(process.execPath, [program, '--help'], { cwd: project });
    expect(stdout).toContain('SANDBANK_LEDGER');
  });

  test.each(['mjs', 'cjs'] as const)(
    'each red test leaves a bundle of its banks and says how to open it, a green one none (%s)',
    async (ending) => {
      const { nodeOptions, bundles } = redProjects[ending];
      const { name, code, stderr } = await redRun(ending);
      const there = join(project, name, bundles);
      const long = /^with-a-bank-for-all-so-long-a-name-[a-z-]{30,50}-[0-9a-f]{6}\.2\.sandbank$/;
      const wanted = [
        /^red-is-paid-on-maundy-thursday-for-paske-[0-9a-f]{6}\.sandbank$/,
        /^with-a-bank-for-all-[0-9a-f]{6}\.sandbank$/,
        long,
        new RegExp(long.source.replace('\\.2', '')),
      ].map((pattern) => expect.stringMatching(pattern));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/Tests: +4 failed, 3 passed, 7 total/)]);
      const left = readdirSync(there).toSorted();
      expect(left).toEqual(['.gitignore', ...wanted]);
      for (const file of left.slice(1)) {
        const path = `${bundles}/${file}`;
        expect(stderr).toContain(`npx sandbank open ${bundles.includes(' ') ? `'${path}'` : path}\n`);
      }
      if (ending === 'cjs') {
        rmSync(there, { recursive: true });
        const off = await jestIn(name, nodeOptions, { SANDBANK_BUNDLES: 'off' });
        expect([readdirSync(join(project, name)), /sandbank open/.test(off.stderr)]).toEqual([
          ['jest.json', 'red.test.cjs'],
          false,
        ]);
        return;
      }
      // Those of the last run are replaced, one bank more than now too.
      const [, first = '', second = ''] = left;
      rmSync(join(there, first));
      for (const old of [second, second.replace('.sandbank', '.7.sandbank')]) writeFileSync(join(there, old), 'old');
      await jestIn(name, nodeOptions);
      expect(readdirSync(there).toSorted()).toEqual(left);
      expect(readFileSync(join(there, second), 'latin1')).toMatch(/^sandbank-bundle 1 /);
    },
    60_000,
  );

  test('a test that is green again takes its bundle away', async () => {
    write(
      'again/again.test.cjs',
      `const { expect, test } = require('@jest/globals');
const { createBank } = require('sandbank');
require('sandbank/jest');
test('red once', async () => {
  const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  await bank.close();
  expect(process.env.RED).toBeUndefined();
});
`,
    );
    write('again/jest.json', JSON.stringify({ testMatch: ['**/*.test.cjs'] }));
    const left = () => readdirSync(join(project, 'again/.sandbank')).filter((name) => name.endsWith('.sandbank'));
    expect((await jestIn('again', '', { RED: '1' })).code).toBe(1);
    expect(left()).toHaveLength(1);
    expect((await jestIn('again', '')).code).toBe(0);
    expect(left()).toEqual([]);
  }, 60_000);

  test('npx sandbank open opens the bundle of a red test in another folder, until Ctrl-C', async () => {
    const { name, stderr } = await redRun('mjs');
    const [, file = ''] = /npx sandbank open (\.sandbank\/red\S+)/.exec(stderr) ?? [];
    const path = join(project, name, file);
    const elsewhere = mkdtempSync(join(tmpdir(), 'sandbank-elsewhere-'));
    const program = join(project, 'node_modules/sandbank/dist/scripts/sandbank.js');
    const opened = spawn(process.execPath, [program, 'open', path], { cwd: elsewhere });
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

  test('npx sandbank demo makes a payment, without a server', async () => {
    const env = { ...process.env, BANK: '', PORT: '1' };
    const { stdout } = await run('npx', ['sandbank', 'demo'], { cwd: project, env });
    expect(stdout).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
  }, 30_000);

  test('the pages that its texts name are in it', () => {
    const own = join(project, 'node_modules/sandbank');
    const texts = packed
      // The harness bundle has the same texts. The recipes are Kysely's, which is in the program.
      .filter((name) => /^dist\/(api|engine|scripts)\/(?!harness\/).*\.c?js$/.test(name))
      .map((name) => readFileSync(join(own, name), 'utf8'));
    const named = new Set(texts.flatMap((text) => text.match(/\bdocs\/(?!recipes\/)[\w/-]+\.md\b/g) ?? []));
    expect([...named]).toEqual(expect.arrayContaining(['docs/errors.md', 'docs/signing.md']));
    expect([...named].filter((name) => !packed.includes(name))).toEqual([]);
  });

  test('it has the program, the fixtures and the declarations, and no sources or tests', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'docs/signing.md',
        'docs/skills/sandbank/SKILL.md',
        'dist/scripts/sandbank.js',
        'dist/scripts/program.cjs',
        'dist/scripts/program.LICENSES.txt',
        'dist/fixtures/known-state.json',
        'dist/api/openapi/docs-script.js',
        'dist/api/console/live.js',
        'dist/swagger-ui/swagger-ui-bundle.js',
        'dist/swagger-ui/swagger-ui.css',
        'dist/swagger-ui/LICENSE',
        'dist/swagger-ui/NOTICE',
        'dist/api/harness/index.d.cts',
        'dist/api/harness/jest-reporter.d.mts',
        'dist/api/harness/vitest-reporter.cjs',
        'dist/api/harness/vitest.mjs',
        'dist/api/harness/vitest.d.mts',
        'docs/errors.md',
        'dist/api/client/index.mjs',
        'dist/api/client/index.cjs',
        'dist/api/harness/LICENSES.txt',
      ]),
    );
    // Neither maps nor the package, whose install script reports to a third party.
    expect(packed.filter((name) => name.startsWith('dist/swagger-ui/'))).toHaveLength(5);
    const { license, dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/sandbank/package.json'), 'utf8'),
    ) as {
      license?: string;
      dependencies: object;
    };
    expect(Object.keys(dependencies).filter((name) => /swagger|scarf/.test(name))).toEqual([]);
    expect(license).toBe('Apache-2.0');
    // The example is a program of others, to be copied.
    const own = packed.filter((name) => !name.startsWith('examples/'));
    expect(own.filter((name) => name.startsWith('tests') || /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });
});
