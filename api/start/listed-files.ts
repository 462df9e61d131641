import { readdirSync, readFileSync } from 'node:fs';
import { Refusal } from '../../engine/values/fault.ts';
import { oneLine } from '../../engine/values/text.ts';
import { memberOf } from '../bodies/rule.ts';
import { nearest } from '../faults/nearest.ts';
import { fileReason } from './error-text.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { messageOf } from '../../engine/values/message-of.ts';

/** JSON files of one kind. The listed ones are in a folder of the fixtures, and their names have no path. */
interface FileKind<Value> {
  /** `profile` */
  readonly noun: string;
  /** The page that lists them. */
  readonly page: string;
  /** Where the listed files are. */
  readonly folder: URL;
  /** Checks the content of a file. Throws a Refusal or a Mistake that names the mistake. */
  readonly check: (content: unknown, file: Buffer) => Promise<Value>;
}

/** The names of the JSON files of a folder, without `.json`, in alphabetical order. */
export function namesIn(folder: URL): string[] {
  return readdirSync(folder)
    .flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** Reads a file, by its listed name or by its path. Throws a Mistake that names the mistake. */
export async function loadFile<Value>(kind: FileKind<Value>, nameOrPath: string): Promise<Value> {
  return /^[\w-]+$/.test(nameOrPath) ? loadListed(kind, nameOrPath) : read(kind, nameOrPath, nameOrPath);
}

/** Reads a listed file. Throws a Mistake that names the nearest one for an unknown name. Takes no path. */
export async function loadListed<Value>(kind: FileKind<Value>, name: string): Promise<Value> {
  const names = namesIn(kind.folder);
  if (names.includes(name)) return read(kind, name, new URL(`${name}.json`, kind.folder));
  const near = nearestName(name, names);
  const hint = near === null ? `there are ${names.join(', ')}` : `the nearest is ${near}, and ${kind.page} has all`;
  throw new Mistake(`there is no ${kind.noun} ${oneLine(name)}; ${hint}`);
}

/** The nearest name, unless it only belongs to the same family: the words after the first must be near too. */
function nearestName(name: string, names: readonly string[]): string | null {
  const near = nearest(name, names);
  const [own = '', other = ''] = [name, near ?? ''].map((one) => one.split('-').slice(1).join('-'));
  return own === '' || nearest(own, [other]) !== null ? near : null;
}

async function read<Value>({ noun, check }: FileKind<Value>, shown: string, file: string | URL): Promise<Value> {
  try {
    const { parseJson } = await import('../pipeline/read-body.ts');
    const bytes = readFileSync(file);
    return await check(parseJson(bytes), bytes);
  } catch (error) {
    // Each mistake in a line of its own: a file is mended in an editor.
    const problems = fileProblems(error);
    const told = problems.length === 1 ? ` ${problems.join('')}` : problems.map((problem) => `\n  ${problem}`).join('');
    throw new Mistake(`the ${noun} ${oneLine(shown)} cannot be used:${told}`);
  }
}

/**
 * Says in one line what is wrong with a JSON file of the settings. Files are checked like request bodies, and the texts
 * are reworded: a file is written, not sent.
 */
export function fileProblem(error: unknown): string {
  return fileProblems(error).join('; ');
}

function fileProblems(error: unknown): string[] {
  // No `instanceof`: in a test of jest the system's errors are of another realm.
  if (memberOf(error, 'syscall') !== undefined) return [fileReason(error)];
  if (!(error instanceof Refusal)) return [messageOf(error)];
  return error.faults.map(({ path, text }) => (path === undefined ? '' : `${path}: `) + ofFile(text));
}

function ofFile(text: string): string {
  return text
    .replace(/\bThe body\b/g, 'The file')
    .replace(' and send it again', '')
    .replace('Send a JSON body, as application/json', 'Write a JSON object')
    .replace(/\bSend\b/g, 'Write');
}
