import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describeWith } from './test-with.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

/** Whether everybody can run Node in this clone and read a file of it. */
function isOpenToAll(): boolean {
  const read = `fs.readFileSync(${JSON.stringify(resolve('package.json'))})`;
  return spawnSync(process.execPath, ['-e', read], { ...nobody, cwd: '/' }).status === 0;
}

/** The user for a program that root must not run: nobody, where the tests run as root. Null if nobody has no way into this clone. */
export const notRoot: { readonly uid?: number; readonly gid?: number } | null = !isRoot
  ? {}
  : isOpenToAll()
    ? nobody
    : null;

/** `describe`, where there is such a user. */
export const describeNotRoot = describeWith(notRoot !== null, 'way into this folder for other users');
