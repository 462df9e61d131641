import { basename, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../engine/values/text.ts';
import { processEnvironment } from './config.ts';

/** How a process of this program was started. */
interface Started {
  /** The file that runs, without symbolic links. */
  readonly file: string;
  /** The program as it was called: `process.argv[1]`. */
  readonly called: string;
  /** The folder in which the process runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The words that start a command in the folder of this process, so that a printed line can be pasted: `sandbank` if it
 * is on the PATH (the image, a global installation), `npx --no sandbank` if a project has the package, else the clone's
 * `npm run -s sandbank --`.
 */
export function programLine({ file, called, folder, env }: Started): string {
  const isOfProject = called.includes(`${sep}node_modules${sep}`);
  if (!isOfProject && basename(called) === 'sandbank') return 'sandbank';
  if (isOfProject || file.includes(`${sep}node_modules${sep}`)) return 'npx --no sandbank';
  const root = rootOf(file);
  // npm runs a script in the folder of the package, and names the folder where it was typed.
  const typedIn = relative(root, env['INIT_CWD'] ?? folder);
  const isOutside = typedIn === '..' || typedIn.startsWith(`..${sep}`);
  return isOutside ? `npm --prefix ${shellWord(root)} run -s sandbank --` : 'npm run -s sandbank --';
}

/** {@link programLine} of this process. */
export function ownProgramLine(): string {
  const [file, env] = [fileURLToPath(import.meta.url), processEnvironment()];
  return programLine({ file, called: process.argv[1] ?? '', folder: process.cwd(), env });
}

/** The folder of the clone, for its sources and for its build. */
function rootOf(file: string): string {
  const [before = ''] = file.split(`${sep}api${sep}`);
  return basename(before) === 'dist' ? before.slice(0, -`${sep}dist`.length) : before;
}
