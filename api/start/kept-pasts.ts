import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { KeptPasts } from '../../engine/bank.ts';
import { fixturesFolder } from './fixtures.ts';
import { prepared } from './prepared.ts';

/** How many pasts the memory and the folder have at most: the newest ones. */
const maxKept = { inMemory: 8, inFolder: 30 };

const inMemory = new Map<string, Buffer>();

/** So that a file that was cut off is told. */
const packing = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Pasts that earlier openings made (rules.md L10): those of this process and, if the program was built, those of other processes in
 * `.cache/sandbank/pasts` of the nearest node_modules. Without a folder that can be written they are kept in memory only.
 */
export const keptPasts: KeptPasts = {
  find: (key) => {
    try {
      const packed = inMemory.get(key) ?? readFileSync(fileOf(key));
      return zstdDecompressSync(packed);
    } catch {
      return null;
    }
  },
  keep: (key, image) => {
    const packed = zstdCompressSync(image, packing);
    const [oldest] = inMemory.keys();
    if (oldest !== undefined && inMemory.size >= maxKept.inMemory) inMemory.delete(oldest);
    inMemory.set(key, packed);
    try {
      const file = fileOf(key);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.${process.pid}`, packed, { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
      forgetOld(dirname(file));
    } catch {
      // The next process makes it again.
    }
  },
};

/** Throws if there is no folder for it. */
function fileOf(key: string): string {
  const home = homeOfPackages();
  if (home === null || prepared?.build === undefined) throw new Error('there is no folder');
  return join(home, '.cache/sandbank/pasts', `${prepared.build}-${key}`);
}

/** The nearest folder node_modules of this program; null: there is none. */
function homeOfPackages(): string | null {
  for (let folder = fileURLToPath(fixturesFolder); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) return packages;
  }
  return null;
}

function forgetOld(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const times = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  const byAge = files.toSorted((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
  for (const file of byAge.slice(maxKept.inFolder)) rmSync(file, { force: true });
}
