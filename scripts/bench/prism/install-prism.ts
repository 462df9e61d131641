import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../../wide/run-in.ts';

/** The package is fetched when it is measured; package.json does not name it, as it reports from a script of its install. */
const version = '5.16.0';
const prism = `@stoplight/prism-cli@${version}`;

const cache = join(import.meta.dirname, '../../../node_modules/.cache');

/** Prism is not here, and npm cannot fetch it. The message is one line. */
export class PrismMissing extends Error {}

/**
 * Path of the program of Prism, in a folder of its own, where npm puts it the first time, without scripts of its packages.
 * @param folder In which the packages are kept.
 * @throws {PrismMissing} when npm is not there, or does not get a package.
 */
export async function installPrism(folder = cache): Promise<string> {
  const home = join(folder, `sandbank-prism-${version}`);
  const program = join(home, 'node_modules/@stoplight/prism-cli/dist/index.js');
  if (existsSync(program)) return program;
  console.error(`npm fetches ${prism}, which takes up to a minute; the next run has it`);
  mkdirSync(folder, { recursive: true });
  // Under its name when it is whole: an install that ends early is no install.
  const making = mkdtempSync(`${home}-`);
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0', '--save-exact'];
    await runIn(making, ['npm', 'install', '--prefix', making, ...flags, prism]);
  } catch (error) {
    rmSync(making, { recursive: true });
    throw new PrismMissing(`${prism} is not in ${folder}, and npm cannot fetch it: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  renameSync(making, home);
  return program;
}

/** The line of npm that tells the reason; else the first line of the message. */
function reasonOf(error: unknown): string {
  const [first = '', ...lines] = String(error instanceof Error ? error.message : error).split('\n');
  const told = lines.find((line) => line.startsWith('npm error') && line.includes(' failed'));
  return told?.replace(/^npm error (?:network )?/, '') ?? first;
}
