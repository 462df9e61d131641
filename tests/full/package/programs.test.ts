import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { startTestBank, validCertificate } from '../../lab/server.ts';
import { asCommonJs, clientOfPage } from './page-programs.ts';
import { Project, run, surroundings } from './project.ts';
import { freePort } from '../../support/free-port.ts';
import { oneOf } from '../../support/sample.ts';

/** What newer versions of Node have and 22.15, the oldest that the package runs on, has not: each object with a name of it. */
const missingInNode22 = [
  ...['AsyncDisposableStack', 'DisposableStack', 'SuppressedError', 'CloseEvent', 'Float16Array', 'URLPattern'].map(
    (name) => `[globalThis, '${name}']`,
  ),
  ...["[Error, 'isError']", "[Promise, 'try']", "[RegExp, 'escape']", "[Math, 'f16round']"],
  ...["[Intl, 'DurationFormat']", "[require('node:tls'), 'setDefaultCACertificates']"],
].join();

/* What the packed package has, and its programs and those that import it, run in an empty project. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
  const signing = clientOfPage();
  project.write('client/client.mjs', signing);
  project.write('client/client.cjs', `(async () => {\n${asCommonJs(signing)}})();\n`);
}, 120_000);
afterAll(() => project.remove());

describe('the package, in an empty project', () => {
  test.each(oneOf('the client', ['mjs', 'cjs']))(
    'the client of docs/signing.md signs, as %s, without the bank and its dependencies',
    async (kind) => {
      const alone = join(project.beside, `alone-${kind}`);
      const own = join(alone, 'node_modules/sandbank');
      mkdirSync(own, { recursive: true });
      cpSync(join(project.own, 'package.json'), join(own, 'package.json'));
      cpSync(join(project.own, 'dist/api/client'), join(own, 'dist/api/client'), { recursive: true });
      cpSync(join(project.path, `client/client.${kind}`), join(alone, `client.${kind}`));
      const { certificatePem, keyPem } = validCertificate();
      writeFileSync(join(alone, 'cert.pem'), certificatePem);
      writeFileSync(join(alone, 'key.pem'), keyPem);
      const bank = await startTestBank('2027-03-24T12:00:00+01:00');
      const args = [`client.${kind}`, bank.address, 'cert.pem', 'key.pem'];
      const { stdout } = await run(process.execPath, args, alone);
      await bank.stop();
      expect(stdout).toBe("201 [ '_links' ]\n");
    },
  );

  test('a signal to npx ends the bank that npx started', async () => {
    mkdirSync(join(project.path, 'node_modules/.bin'));
    const program = '../sandbank/dist/scripts/sandbank.js';
    symlinkSync(program, join(project.path, 'node_modules/.bin/sandbank'));
    chmodSync(join(project.path, 'node_modules/.bin', program), 0o755);
    project.link('kysely');
    const npx = spawn('npx', ['sandbank', 'serve', '--ledger', ':memory:', '--port', '0'], {
      cwd: project.path,
      env: surroundings(),
    });
    const address = await greetedAddress(npx.stdout);
    npx.kill('SIGTERM');
    // The pipe is the bank's too: it closes when both have ended.
    await once(npx.stdout, 'close');
    await expect(fetch(`${address}/health`)).rejects.toThrow();
  }, 30_000);

  test('its program runs, with kysely beside it', async () => {
    const program = join(project.own, 'dist/scripts/sandbank.js');
    const { stdout } = await run(process.execPath, [program, '--help'], project.path);
    expect(stdout).toContain('SANDBANK_LEDGER');
  });

  test('npx sandbank demo makes a payment, without a server, and without what Node 22.15 lacks', async () => {
    project.write('as-node-22.cjs', `for (const [of, name] of [${missingInNode22}]) delete of[name];`);
    const env = { BANK: '', PORT: '1', NODE_OPTIONS: '--require ./as-node-22.cjs' };
    const { stdout } = await run('npx', ['sandbank', 'demo'], project.path, env);
    expect(stdout).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
  }, 30_000);

  test('the lines of the skill start a bank, wait for it, and pay in one that is frozen, where only the package is', async () => {
    const skill = readFileSync(join(project.own, 'docs/skills/sandbank/SKILL.md'), 'utf8');
    const blocks = [...skill.matchAll(/^```(?:sh|console)\n([^]*?)^```$/gm)].map(([, block = '']) => block);
    expect(blocks.join('\n')).not.toMatch(/npm run|npm start/);
    const script = `trap 'kill $SERVER; wait' EXIT\n${blocks.join('\n').replace('&\n', '& SERVER=$!\n')}`;
    const free = String(await freePort());
    const said = await run('sh', ['-eu', '-c', script.replaceAll('7263', free)], project.path, {
      BANK: '',
      PORT: free,
    });
    expect(said.stdout).toContain('\nready\n'.trimStart());
    // A clock that runs would show the time of this machine.
    expect(said.stdout).toMatch(/The bank clock went from 2027-03-24T12:00:00\.000\+01:00 to 2027-03-24T15:30/);
    expect(said.stdout).toMatch(/"status":"ACSC"/);
    const isThere = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${free}/health`).then(
        () => true,
        () => false,
      );
    // A signal to npx ends its shell, and the bank looks for that.
    while (await isThere()) await new Promise((resolved) => setTimeout(resolved, 50));
  }, 60_000);

  test('the pages that its texts name are in it', () => {
    const own = project.own;
    const texts = project.packed
      // The recipes are Kysely's, which is in the program.
      .filter((name) => /^dist\/(api|engine|scripts)\/.*\.c?js$/.test(name))
      .map((name) => readFileSync(join(own, name), 'utf8'));
    const named = new Set(texts.flatMap((text) => text.match(/(?<!!)\bdocs\/(?!recipes\/)[\w/-]+\.md\b/g) ?? []));
    expect([...named]).toEqual(expect.arrayContaining(['docs/errors.md', 'docs/signing.md']));
    expect([...named].filter((name) => !project.packed.includes(name))).toEqual([]);
  });

  test('it holds the bank once: program and harness share a build, and the small files have no part of the engine', () => {
    const withBank = project.packed.filter(
      (name) => /\.[cm]?js$/.test(name) && readFileSync(join(project.own, name), 'utf8').includes('createKnownState'),
    );
    expect(withBank).toEqual(['dist/scripts/program.cjs']);
  });

  test('M5: only the command mcp loads the SDK of its protocol, which is a file of its own', () => {
    const [program, sdk] = ['dist/scripts/program.cjs', 'dist/packages/mcp-sdk.cjs'].map((name) =>
      readFileSync(join(project.own, name), 'utf8'),
    );
    expect(sdk?.includes('resources/templates/list')).toBe(true);
    expect(program?.includes('resources/templates/list')).toBe(false);
    expect(program?.includes('packages/mcp-sdk.cjs')).toBe(true);
  });

  test('M5: the command mcp answers from the package', async () => {
    const command = join(project.own, 'dist/scripts/sandbank.js');
    const child = spawn(process.execPath, [command, 'mcp'], { cwd: project.path, stdio: ['pipe', 'pipe', 'inherit'] });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [first = ''] = (await text(child.stdout)).split('\n');
    expect(JSON.parse(first)).toMatchObject({ id: 1, result: { serverInfo: { name: 'sandbank' } } });
  });

  test('both kinds of import have all names of the harness', async () => {
    const names = Object.keys(await import('../../../api/harness/index.ts')).toSorted();
    project.write(
      'names.mjs',
      "import * as all from 'sandbank';\nconsole.log(JSON.stringify(Object.keys(all).sort()));\n",
    );
    project.write('names.cjs', "console.log(JSON.stringify(Object.keys(require('sandbank')).sort()));\n");
    for (const file of ['names.mjs', 'names.cjs'])
      expect(JSON.parse((await run(process.execPath, [file], project.path)).stdout)).toEqual(names);
  });

  test('LICENSES.txt has each package that the files were made of, once, with a licence', () => {
    const read = (name: string): string => readFileSync(join(project.own, name), 'utf8');
    const programs = project.packed.filter((name) => /^dist\/(packages|scripts)\/.*\.cjs$/.test(name));
    // The files name each CommonJS module that they hold. esbuild breaks a long line by a backslash.
    const texts = programs.map((name) => read(name).replaceAll('\\\n', ''));
    const found = texts.flatMap((text) => text.match(/(?<="node_modules\/)(?:@[\w.-]+\/)?[\w.-]+(?=\/)/g) ?? []);
    const compiled = ['better-sqlite3', 'node-addon-api', 'minisearch'];
    const listed = [
      ...read('dist/LICENSES.txt').matchAll(/^(\S+) \d+\.\S+ \((?:MIT|ISC|Apache-2\.0|BSD|\(|0BSD)/gm),
    ].map(([, name = '']) => name);
    expect(listed).toEqual([...new Set(listed)]);
    expect(listed).toEqual(
      expect.arrayContaining([...new Set(found), ...compiled, 'express', 'kysely', 'moment-timezone']),
    );
    expect(found.length).toBeGreaterThan(100);
  });

  test('it has the program, the fixtures and the declarations, and no sources or tests', () => {
    expect(project.packed).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'docs/signing.md',
        'docs/skills/sandbank/SKILL.md',
        'dist/scripts/sandbank.js',
        'dist/scripts/program.cjs',
        'dist/LICENSES.txt',
        'dist/packages/better-sqlite3.cjs',
        ...readdirSync('node_modules/better-sqlite3/prebuilds').map((name) => `dist/prebuilds/${name}`),
        'dist/fixtures/known-state.json',
        'dist/fixtures/known-state.schema.json',
        'dist/api/console/live.js',
        'dist/api/guide/guide.js',
        'dist/api/guide/send-call.js',
        'docs/spec/rules.md',
        'dist/api/harness/index.d.cts',
        'dist/api/harness/vitest.mjs',
        'dist/api/harness/vitest.d.mts',
        'docs/errors.md',
        'dist/api/client/index.mjs',
        'dist/api/client/index.cjs',
      ]),
    );
    const { license } = JSON.parse(readFileSync(join(project.own, 'package.json'), 'utf8')) as { license?: string };
    expect(license).toBe('Apache-2.0');
    // The example is a program of others, to be copied.
    const own = project.packed.filter((name) => !name.startsWith('examples/'));
    expect(own.filter((name) => name.startsWith('tests') || /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });
});
