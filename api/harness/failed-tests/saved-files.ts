import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { shellWord } from '../../../engine/values/text.ts';
import { messageOf } from '../../../engine/values/message-of.ts';

/** Identifies a test in every run. */
export interface NamedTest {
  /** Path of its file. */
  readonly file: string;
  /** The names of the groups around it, then its own. */
  readonly names: readonly string[];
  /** Tells it from others of these names in its file. */
  readonly key: string;
}

/** The files of a test in this folder, each a bank. */
export class SavedFiles {
  readonly #folder: string;
  /** ASCII letters and digits of the names of the test, in lower case, and a hash: unique, and the same in each run. */
  readonly #stem: string;

  constructor(folder: string, { file, names, key }: NamedTest) {
    this.#folder = folder;
    const place = JSON.stringify([relative(process.cwd(), file), names, key]);
    const words = names
      .join(' ')
      .slice(0, 400)
      .toLowerCase()
      .replaceAll('ø', 'o')
      .replaceAll('æ', 'ae')
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[a-z0-9]+/g) ?? ['test'];
    this.#stem = `${words.join('-').slice(0, 80)}-${createHash('sha256').update(place).digest('hex').slice(0, 8)}`;
  }

  /**
   * Writes the banks in place of those of an earlier run. Returns an Error for the runner to show: how to open them, or
   * why there are none.
   */
  async write(banks: readonly (() => Promise<Buffer>)[]): Promise<Error> {
    const paths: string[] = [];
    const problems: string[] = [];
    this.remove();
    for (const save of banks) {
      const path = join(this.#folder, `${this.#stem}${paths.length === 0 ? '' : `.${paths.length + 1}`}.sandbank`);
      try {
        const bundle = await save();
        prepare(this.#folder);
        writeFileSync(path, bundle);
        paths.push(path);
      } catch (error) {
        problems.push(`One bank could not be saved: ${messageOf(error)}`);
      }
    }
    const all = [...paths.map(waysInto), ...problems];
    const head = all.length > 1 ? 'The banks of this test:' : 'The bank of this test:';
    return withoutStack([head, ...all, ...(paths.length === 0 ? [] : [origin])].join('\n'));
  }

  /** A file that cannot be removed is left. */
  remove(): void {
    if (!existsSync(this.#folder)) return;
    try {
      for (const old of readdirSync(this.#folder))
        if (old.startsWith(`${this.#stem}.`)) rmSync(join(this.#folder, old));
    } catch {
      // It makes no test red.
    }
  }
}

/** Where a bank was saved, the line that opens it, and the one that begins a test from it. */
function waysInto(path: string): string {
  const literal = `'${path.replaceAll(/['\\]/g, '\\$&')}'`;
  return [
    `  ${path}`,
    `    to look at it: npx --no sandbank open ${shellWord(path)}`,
    `    to go on from it in a test: const bank = await createBank({ from: ${literal} });`,
  ].join('\n');
}

/** For a reader of a log who has not installed the package. */
const origin = `(sandbank ${packageJson.version} is a package of this project: npm ci installs it. Run the command where the tests were started.)`;

/** An error that shows its text alone: a stack would lead to this file, not to the test. */
function withoutStack(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}

/** Makes the folder, which git ignores. */
function prepare(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
}
