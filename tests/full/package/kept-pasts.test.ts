import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { builtDist } from './built.ts';

const run = promisify(execFile);
/** A project of its own, so that no other test keeps pasts there. */
const project = tempFolder();
let harness: string;

beforeAll(async () => {
  const installed = join(project, 'node_modules/sandbank/dist');
  cpSync(await builtDist(), installed, { recursive: true });
  harness = pathToFileURL(join(installed, 'api/harness/index.mjs')).href;
}, 60_000);

/** A process of its own opens a bank with a past that no other test has. Returns the hash of its ledger. */
async function opened(idSeed: string): Promise<string> {
  const program = `const { createBank } = await import('${harness}');
    await using bank = await createBank({ now: '2026-11-23T10:00:00+01:00', idSeed: '${idSeed}', life: { '74712699947': 'student' } });
    console.log(JSON.stringify(await (await bank.fetch('/sandbox/ledger/hash?ids=included')).json()));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trim();
}

test('L10: a built program keeps a past for its next processes, and makes it again if the file is damaged', async () => {
  const hash = await opened('kept');
  expect(hash).toMatch(/^\{"hash":"[0-9a-f]{64}"\}$/);
  const folder = join(project, 'node_modules/.cache/sandbank/pasts');
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(files).toHaveLength(1);
  const [file = ''] = files;
  const { size, mtimeMs } = statSync(file);
  expect(await opened('kept')).toBe(hash);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  truncateSync(file, Math.floor(size / 2));
  expect(await opened('kept')).toBe(hash);
  expect(statSync(file).size).toBeGreaterThan(size * 0.9);
}, 60_000);

test('B9: no past is taken from or kept in a folder that others can write', async () => {
  const folder = join(project, 'node_modules/.cache/sandbank/pasts');
  chmodSync(folder, 0o770);
  const before = readdirSync(folder);
  expect(await opened('closed')).toMatch(/^\{"hash":"[0-9a-f]{64}"\}$/);
  expect(readdirSync(folder)).toEqual(before);
  chmodSync(folder, 0o700);
  await opened('closed');
  expect(readdirSync(folder)).toHaveLength(before.length + 1);
}, 60_000);
