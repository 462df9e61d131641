import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';
import { packedPackage } from '../full/package/built.ts';
import { clone as home, type Place, requireText, timed, type WideCheck } from './check.ts';
import { jestRequires, paymentTest } from './payment-test.ts';

/** Node, and an npm that people have with it. */
const machines = [
  ['20', '10.8.2'],
  ['22.15.0', '10.8.2'],
  ['22', '10.9.4'],
  ['24', '11'],
  ['26', '12'],
] as const;

/** All that a bare machine has beside Node and npm: no Python, make, compiler or browser. */
const programs = ['sh', 'git', 'uname', 'ls'];

/** Npm's words that a reader must be told to ignore, or that tell of a compiler. */
const noise = /EBADENGINE|\bgyp\b/;

/** Longest time from the end of `npm ci` to the settled payment of a clone, in seconds. */
const maxSeconds = 60;

const flags = ['--prefer-offline', '--no-audit', '--no-fund'];

/** N1 with each npm and each Node, on machines that cannot compile. */
export const install: WideCheck = {
  name: 'install',
  summary:
    'npm ci of a clone, a project and the Dockerfile with npm 10.8.2, 10.9.4, 11 and 12, without Python and compiler',
  run: async (place) => {
    await place.run('git', 'clone', '--quiet', `file://${home}`, 'clone');
    const clone = place.within('clone');
    for (const [node, npm] of machines) {
      const machine = await bareMachine(place.within(node), node, npm);
      const what = `Node ${node}, npm ${npm}:`;
      // The clone brings its own Node.
      if (node !== '22.15.0') await timed(`${what} clone`, () => tryClone(clone, machine, node));
      await timed(`${what} package`, () => tryPackage(place.within(`${node}/project`), machine, node));
      if (node === '24') await timed(`${what} Dockerfile`, () => tryDockerfile(clone, machine));
    }
  },
};

/** Makes a folder of programs with this Node and this npm. Returns the words of `env` that run a program with these alone. */
async function bareMachine(place: Place, node: string, npm: string): Promise<readonly string[]> {
  place.write('package.json', { private: true, allowScripts: { node: true } });
  await place.run('npm', 'install', ...flags, `node@${node}`, `npm@${npm}`);
  const [path, modules] = [join(place.folder, 'bin'), join(place.folder, 'node_modules')];
  mkdirSync(path);
  symlinkSync(join(modules, 'node/bin/node'), join(path, 'node'));
  for (const name of ['npm', 'npx']) symlinkSync(join(modules, `npm/bin/${name}-cli.js`), join(path, name));
  for (const name of programs) symlinkSync((await place.run('which', name)).trim(), join(path, name));
  const { NODE_EXTRA_CA_CERTS: authorities } = processEnvironment();
  const settings = ['cache', 'registry'].map(async (key) => {
    return `npm_config_${key}=${(await place.run('npm', 'config', 'get', key)).trim().split('\n').at(-1)}`;
  });
  const trusted = authorities === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${authorities}`];
  return ['-i', `PATH=${path}`, `HOME=${place.folder}`, ...trusted, ...(await Promise.all(settings))];
}

async function tryClone(clone: Place, machine: readonly string[], node: string): Promise<void> {
  const npm = (...words: readonly string[]): Promise<string> => clone.run('env', ...machine, 'npm', ...words);
  requireQuiet('npm ci', await npm('ci', ...flags));
  const begun = performance.now();
  requireText('npm run demo', await npm('run', 'demo'), settled);
  const seconds = (performance.now() - begun) / 1000;
  if (seconds > maxSeconds)
    throw new Error(`The payment settled ${seconds} s after npm ci, not within ${maxSeconds} s.`);
  if (node !== '20') return;
  await npm('ci', ...flags, '--ignore-scripts');
  const refused = await clone.fail('env', ...machine, 'npm', 'run', 'demo');
  const [, cure = ''] = /install script did not run\. .*: npm (.+)/.exec(refused) ?? [];
  await npm(...cure.split(' '));
  requireText(`npm run demo after npm ${cure}`, await npm('run', 'demo'), settled);
}

/** A project with jest and the package: installed, and installed again by its lock file. */
async function tryPackage(project: Place, machine: readonly string[], node: string): Promise<void> {
  const run = (...words: readonly string[]): Promise<string> => project.run('env', ...machine, ...words);
  project.write('package.json', { private: true });
  const first = await run('npm', 'install', '--save-dev', ...flags, 'jest', await packedPackage());
  rmSync(join(project.folder, 'node_modules'), { recursive: true });
  const again = await run('npm', 'ci', ...flags);
  if (node === '20') {
    const refused = await project.fail('env', ...machine, 'npx', '--no', 'sandbank', 'demo');
    return requireText('sandbank on Node 20', refused, /^Sandbank needs Node 22\.15, .* node@24 [^\n]*\n$/);
  }
  requireQuiet('npm install and npm ci', first + again);
  requireText('sandbank demo', await run('npx', '--no', 'sandbank', 'demo'), settled);
  project.write('payment.test.js', paymentTest('jest', ...jestRequires));
  await run('npx', '--no', '--', 'jest', '--testTimeout', '60000');
}

/** The steps of the Dockerfile that run npm, with the Node of its base image and an npm of that Node. */
async function tryDockerfile(clone: Place, machine: readonly string[]): Promise<void> {
  const steps = readFileSync(join(clone.folder, 'Dockerfile'), 'utf8').match(/(?<=^RUN )npm .*$/gm) ?? [];
  for (const step of steps) requireQuiet(step, await clone.run('env', ...machine, 'sh', '-c', step));
  requireText('the build', await clone.run('ls', 'dist/prebuilds'), /linux-x64\.node/);
}

const settled = /has 17750\.00 NOK/;

function requireQuiet(what: string, text: string): void {
  if (noise.test(text)) throw new Error(`${what}: ${noise} is in\n${text}`);
}
