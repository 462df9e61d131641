import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buildProgram, root } from './build-program.ts';
import { preparedFrom } from './prepare.ts';

/** What scripts/launch.cjs compares before it takes a build. */
interface BuildNote {
  /** The name of the build beside the note. */
  readonly program: string;
  /** Path from the root, size in bytes and time of change in ms of each file that it was made of. */
  readonly inputs: readonly (readonly [path: string, size: number, changed: number])[];
}

/** What decides on the packages in the build. */
const ofPackages = ['package.json', 'node_modules/.package-lock.json'];
/** What makes the build. */
const makers = ['build-program', 'keep-build', 'make-validators', 'prepare'].map((name) => `scripts/build/${name}.ts`);

/**
 * Makes the build of a clone in `folder`, with a note of what it was made of. The note comes last and in one piece,
 * so that whoever reads it meanwhile finds an older build or none.
 */
export async function keepBuild(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'program.cjs');
  const { text, inputs } = await buildProgram({ file, home: root, extension: 'ts' });
  const sources = inputs.filter((path) => !path.includes('node_modules/'));
  const noted = [...sources, ...preparedFrom, ...ofPackages, ...makers].map(async (path) => {
    const { size, mtimeMs } = await stat(join(root, path));
    return [path, size, mtimeMs] as const;
  });
  const program = `program-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`;
  const note: BuildNote = { program, inputs: await Promise.all(noted) };
  await writeWhole(join(folder, program), text);
  await writeWhole(join(folder, 'note.json'), JSON.stringify(note));
  for (const old of await readdir(folder)) {
    if (old.startsWith('program-') && old !== program) await rm(join(folder, old), { force: true });
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  await writeFile(partial, text);
  await rename(partial, path);
}
