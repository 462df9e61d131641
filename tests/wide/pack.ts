import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runIn } from './run-in.ts';

/** What a copy of the clone does without. */
const left = ['.git', 'node_modules', 'dist', 'data', 'coverage', 'tests'];

/**
 * Packs a copy of the clone, made in `folder`, so that nobody else's build is in the way and `dist` stays as it is. Returns the
 * path of the tarball, which is in `folder` too.
 */
export async function pack(clone: string, folder: string, ending?: AbortSignal): Promise<string> {
  const copy = join(folder, 'source');
  mkdirSync(copy);
  for (const name of readdirSync(clone)) {
    if (!left.includes(name)) cpSync(join(clone, name), join(copy, basename(name)), { recursive: true });
  }
  symlinkSync(join(clone, 'node_modules'), join(copy, 'node_modules'));
  await runIn(copy, ['npm', 'pack', '--pack-destination', folder], ending);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}
