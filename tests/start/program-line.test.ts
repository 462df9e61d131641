import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { programLine } from '../../api/start/program-line.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const clone = { file: '/code/sandbank/api/start/program-line.ts', called: '/code/sandbank/scripts/sandbank.js' };
const inProject = '/app/node_modules/sandbank/dist';

test.each([
  ['a clone', { ...clone, folder: '/code/sandbank', env: {} }, 'npm run -s sandbank --'],
  ['a folder of a clone', { ...clone, folder: '/code/sandbank/docs', env: {} }, 'npm run -s sandbank --'],
  [
    'npm in a clone',
    { ...clone, folder: '/code/sandbank', env: { INIT_CWD: '/code/sandbank/docs' } },
    'npm run -s sandbank --',
  ],
  [
    'npm from outside a clone',
    { ...clone, folder: '/code/sandbank', env: { INIT_CWD: '/code/sandbank-app' } },
    'npm --prefix /code/sandbank run -s sandbank --',
  ],
  ['node from outside a clone', { ...clone, folder: '/', env: {} }, 'npm --prefix /code/sandbank run -s sandbank --'],
  [
    'a clone that was built, in a folder with a blank',
    {
      file: '/my code/dist/api/start/program-line.js',
      called: '/my code/dist/scripts/sandbank.js',
      folder: '/',
      env: {},
    },
    "npm --prefix '/my code' run -s sandbank --",
  ],
  [
    'npx, and a script of a project',
    {
      file: `${inProject}/api/start/program-line.js`,
      called: '/app/node_modules/.bin/sandbank',
      folder: '/app',
      env: {},
    },
    'npx --no sandbank',
  ],
  [
    'a file of the package',
    {
      file: `${inProject}/api/start/program-line.js`,
      called: `${inProject}/scripts/sandbank.js`,
      folder: '/app',
      env: {},
    },
    'npx --no sandbank',
  ],
  [
    'a global installation',
    {
      file: '/usr/lib/node_modules/sandbank/dist/api/start/program-line.js',
      called: '/usr/bin/sandbank',
      folder: '/',
      env: {},
    },
    'sandbank',
  ],
  [
    'the image',
    { file: '/bank/dist/api/start/program-line.js', called: '/usr/local/bin/sandbank', folder: '/bank', env: {} },
    'sandbank',
  ],
])('%s', (_where, started, line) => {
  expect(programLine(started)).toBe(line);
});

test('Node tells the link that was called, not the file that it leads to', () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'program.mjs'), 'console.log(process.argv[1])');
  symlinkSync(join(folder, 'program.mjs'), join(folder, 'bin/sandbank'));
  const printed = execFileSync(process.execPath, [join(folder, 'bin/sandbank')], { encoding: 'utf8', env: {} });
  expect(printed.trim()).toBe(join(folder, 'bin/sandbank'));
});
