import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A new folder for the tests of a file or of a `describe`, which is removed after them. Its path has no links. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbank-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
