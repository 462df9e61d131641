import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ownFolder } from '../../engine/open-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testWith } from '../support/test-with.ts';

/* B9: what is executed or trusted is in a folder that nobody else can write. */

const folder = tempFolder();
const isRoot = process.getuid?.() === 0;

test('B9: the folder is made for its owner only, and taken again', () => {
  const own = join(folder, 'own');
  expect(ownFolder(own)).toBe(own);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  expect(ownFolder(own)).toBe(own);
});

test.each([0o777, 0o770, 0o707, 0o750, 0o705, 0o1777])('B9: a folder that is there with mode %o is refused', (mode) => {
  const open = join(folder, mode.toString(8));
  mkdirSync(open);
  chmodSync(open, mode);
  expect(() => ownFolder(open)).toThrow(`${open} is not ours`);
  chmodSync(open, 0o700);
  expect(ownFolder(open)).toBe(open);
});

test('B9: a link is refused, whatever it points to, and nothing is made where a dangling one points', () => {
  const target = ownFolder(join(folder, 'target'));
  for (const [name, to] of [
    ['link', target],
    ['dangling', join(folder, 'nowhere')],
  ] as const) {
    symlinkSync(to, join(folder, name));
    expect(() => ownFolder(join(folder, name))).toThrow('is not ours');
  }
  expect(() => statSync(join(folder, 'nowhere'))).toThrow('ENOENT');
});

test('B9: below a folder that everybody can write, also one further up, it is refused, unless that one is sticky, as the temporary folder is', () => {
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  expect(() => ownFolder(join(shared, 'own'))).toThrow('is not ours');
  chmodSync(shared, 0o1777);
  expect(ownFolder(join(shared, 'own'))).toBe(join(shared, 'own'));
  const above = join(folder, 'above');
  mkdirSync(join(above, 'mine'), { recursive: true });
  chmodSync(above, 0o777);
  expect(() => ownFolder(join(above, 'mine', 'own'))).toThrow('is not ours');
  chmodSync(above, 0o1777);
  expect(ownFolder(join(above, 'mine', 'own'))).toBe(join(above, 'mine', 'own'));
  expect(statSync(tmpdir()).mode & 0o1002).not.toBe(0o002);
});

testWith(isRoot, 'root')('B9: a folder of another user is refused, though it is closed to all others', () => {
  const other = ownFolder(join(folder, 'other'));
  chownSync(other, 65_534, 65_534);
  expect(() => ownFolder(other)).toThrow(`${other} is not ours`);
});
