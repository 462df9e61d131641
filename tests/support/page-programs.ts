import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { guidePages, pageBlocks, type PageBlock } from './markdown.ts';

/** The package's entrances, as its sources have them; tests/full/package/jest.test.ts imports the real ones. */
const entrances = {
  sandbank: resolve('api/harness/index.ts'),
  'sandbank/jest': resolve('api/harness/jest.ts'),
  'sandbank/node-test': resolve('api/harness/node-test.ts'),
  'sandbank/client': resolve('api/client/index.ts'),
};

interface Program extends PageBlock {
  readonly name: string;
}

/** Each program in JavaScript of the pages. */
export const programs: readonly Program[] = guidePages().flatMap((path) =>
  pageBlocks(path)
    .filter(({ language }) => language === 'js' || language === 'mjs')
    .map((block) => ({ ...block, name: `${path}:${block.line} ${block.section}` })),
);

/** Writes a program into a folder with the sources in the place of the package, and returns its path. */
export function written(folder: string, text: string, index: number): string {
  const file = join(folder, `program-${index}.mjs`);
  const imported = Object.entries(entrances).reduce(
    (all, [name, path]) => all.replaceAll(`'${name}'`, `'${path}'`),
    text,
  );
  writeFileSync(file, imported);
  return file;
}
