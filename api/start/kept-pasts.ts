import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { type KeptPasts, ownFolder } from '../../engine/open-bank.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import { fixturesFolder } from './fixtures.ts';
import { prepared } from './prepared.ts';

/** How many pasts the memory and the folder have at most: the newest ones. */
const maxKept = { inMemory: 8, inFolder: 30 };

interface Past {
  readonly bytes: Buffer;
  readonly isPacked: boolean;
}

const inMemory = new Map<string, Past>();

const packed = promisify(zstdCompress);
/** A checksum tells a file that was cut off. */
const packing = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Ends when every past is packed and stored, one after the other. Never rejects. */
let storing: Promise<void> = Promise.resolve();

/**
 * Pasts that earlier openings made (rules.md L10): those of this process and, if the program was built, those of other
 * processes in `.cache/sandbank/pasts` of the nearest node_modules. Without a folder that can be written they are kept
 * in memory only. A past is found as soon as it is kept; it is packed and written beside the event loop.
 */
export const keptPasts: KeptPasts = {
  find: (key) => {
    try {
      const { bytes, isPacked } = inMemory.get(key) ?? { bytes: readFileSync(fileOf(key)), isPacked: true };
      return isPacked ? zstdDecompressSync(bytes) : bytes;
    } catch {
      return null;
    }
  },
  keep: (key, image) => {
    keepNewest(inMemory, key, { bytes: image, isPacked: false }, maxKept.inMemory);
    // If it fails, the next process makes the past again.
    storing = storing.then(() => store(key).catch(() => undefined));
  },
};

async function store(key: string): Promise<void> {
  const past = inMemory.get(key);
  if (past === undefined || past.isPacked) return;
  const bytes = await packed(past.bytes, packing);
  if (inMemory.get(key) === past) inMemory.set(key, { bytes, isPacked: true });
  const file = fileOf(key);
  await writeFile(`${file}.${process.pid}`, bytes, { mode: 0o600 });
  await rename(`${file}.${process.pid}`, file);
  await forgetOld(dirname(file));
}

/** Throws if there is no folder for it that only this user can write. */
function fileOf(key: string): string {
  const home = homeOfPackages();
  if (home === null || prepared?.build === undefined) throw new Error('there is no folder');
  const cache = join(home, '.cache/sandbank');
  mkdirSync(cache, { recursive: true });
  return join(ownFolder(join(cache, 'pasts')), `${prepared.build}-${key}`);
}

/** The nearest `node_modules` folder above this program, or null. */
function homeOfPackages(): string | null {
  for (let folder = fileURLToPath(fixturesFolder); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) return packages;
  }
  return null;
}

async function forgetOld(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const aged = await Promise.all(files.map(async (file) => ({ file, written: (await stat(file)).mtimeMs })));
  const byAge = aged.toSorted((one, other) => other.written - one.written);
  for (const { file } of byAge.slice(maxKept.inFolder)) await rm(file, { force: true });
}
