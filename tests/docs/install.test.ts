import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startTestBank } from '../lab/server.ts';
import project from '../../package.json' with { type: 'json' };

/* What npm installs, and what the pages say of it (control-plane.md N1). */
interface Entry {
  readonly version?: string;
  readonly gypfile?: boolean;
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};

test('N1: npm compiles nothing of the lock file, also npm 10, which reads neither allowScripts nor what a package says of itself', () => {
  const compiled = Object.keys(packages).filter((folder) => folder !== '' && existsSync(`${folder}/binding.gyp`));
  expect(compiled).toContain('node_modules/better-sqlite3');
  const lost = compiled.filter((folder) => packages[folder]?.gypfile !== false && !hasInstallScript(folder));
  const cure = 'package-lock.json has lost "gypfile": false. Put it back: node scripts/keep-lock.js';
  expect(lost.map((folder) => `${folder}: ${cure}`)).toEqual([]);
});

/** Then npm runs it in place of the compiler. */
function hasInstallScript(folder: string): boolean {
  const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { readonly scripts?: object };
  return scripts !== undefined && ('install' in scripts || 'preinstall' in scripts);
}

test('N1: the package installs no other package', () => {
  expect(Object.keys(project).filter((name) => /^(bundled?|optional)?dependencies$/i.test(name))).toEqual([]);
  // npm 10 cannot place a package that has vitest among its peers: "Cannot read properties of null (reading 'edgesOut')".
  expect(Object.keys(project.peerDependencies)).toEqual(['@jest/globals']);
});

test('the README says which Node npm ci brings', () => {
  const [, brought] = /`npm ci` brings Node (\d+)/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(packages['node_modules/node']?.version?.split('.')[0]).toBe(brought);
});

test('SECURITY.md names the better-sqlite3 of the lock file and the SQLite that /sandbox/info tells', async () => {
  const bank = await startTestBank('2027-03-24T12:00:00+01:00');
  const { ledger } = (await (await fetch(`${bank.address}/sandbox/info`)).json()) as {
    readonly ledger: { readonly sqlite: string };
  };
  await bank.stop();
  const version = packages['node_modules/better-sqlite3']?.version;
  expect(readFileSync('SECURITY.md', 'utf8')).toContain(`better-sqlite3 ${version}, with SQLite ${ledger.sqlite}`);
});
