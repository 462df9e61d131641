import { tempFolder } from '../../support/temp-folder.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = tempFolder();

test('N1: keep-lock puts "gypfile": false back where the package says so, and touches no lock file that has it', () => {
  const entries = (kept: object): object => ({
    packages: {
      '': { name: 'clone' },
      'node_modules/compiled': { version: '1.0.0', ...kept },
      'node_modules/other': { version: '1.0.0' },
      'node_modules/absent': { version: '1.0.0', optional: true },
    },
  });
  const write = (name: string, content: object): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  for (const name of ['compiled', 'other']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  write('node_modules/compiled/package.json', { gypfile: false });
  write('node_modules/other/package.json', {});
  write('package-lock.json', entries({}));
  const keep = (): void => void execFileSync(process.execPath, [resolve('scripts/keep-lock.js')], { cwd: folder });
  keep();
  const lock = join(folder, 'package-lock.json');
  const kept = readFileSync(lock, 'utf8');
  expect(JSON.parse(kept)).toEqual(entries({ gypfile: false }));
  const { mtimeMs } = statSync(lock);
  keep();
  expect([readFileSync(lock, 'utf8'), statSync(lock).mtimeMs]).toEqual([kept, mtimeMs]);
});
