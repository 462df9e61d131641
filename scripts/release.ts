import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './run-script.ts';
import { Mistake } from '../engine/values/mistake.ts';

const usage = `node scripts/release.ts check TAG    says what keeps the tag from being released, one line each, and ends with 1
node scripts/release.ts notes        prints the changelog's section of the version
node scripts/release.ts ledgers      makes the ledgers of the version in tests/data/ledgers, which later versions must open

What .github/workflows/release.yml asks before anything is published. TAG is v and the version: v0.1.0.`;

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** A placeholder in files of the tree: the owner replaces it by a name or an address. */
const placeholder = 'OWNER';

await runScript(usage, { options: {}, allowPositionals: true }, ({ positionals: [word = '', tag = ''] }) => {
  if (word === 'notes') console.log(sectionOf(version())?.text ?? '');
  else if (word === 'ledgers') ledgers();
  else if (word === 'check' && tag !== '') check(tag);
  else throw new Mistake(`Expected check TAG, notes or ledgers, and got "${[word, tag].join(' ').trim()}"`);
});

function check(tag: string): void {
  const problems = [...wrongVersion(tag), ...withoutLedgers(), ...placeholders()];
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${tag} can be released.`);
}

/** The changelog gives a version its date when it is released. From then on its ledgers stay as they are. */
function ledgers(): void {
  const own = version();
  const date = sectionOf(own)?.date ?? '';
  if (isDate(date)) throw new Mistake(`The ledgers of ${own} stay as they are: it is released, on ${date}`);
  const made = spawnSync(process.execPath, [join(root, 'tests/lab/make-ledgers.ts'), own], { stdio: 'inherit' });
  process.exitCode = made.status ?? 1;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function* withoutLedgers(): Generator<string> {
  const folder = `tests/data/ledgers/${version()}`;
  if (!existsSync(join(root, folder))) yield `${folder} is missing: npm run release:ledgers makes it.`;
}

function version(): string {
  return (JSON.parse(read('package.json')) as { readonly version: string }).version;
}

function* wrongVersion(tag: string): Generator<string> {
  const own = version();
  if (tag !== `v${own}`) yield `The tag is ${tag}, and package.json has the version ${own}.`;
  const date = sectionOf(own)?.date ?? null;
  if (date === null) yield `CHANGELOG.md has no section "## ${own} (YYYY-MM-DD)".`;
  else if (!isDate(date)) yield `CHANGELOG.md says "${date}" where ${own} needs its date.`;
}

/**
 * The lines that the owner has not filled in. docs/running.md and docs/running/ci.md name the image as package.json
 * names the repository (a test).
 */
function placeholders(): string[] {
  return ['package.json', 'docs/running.md', 'docs/running/ci.md'].flatMap((name) => {
    const lines = read(name).split('\n');
    const found = lines.filter((line) => line.includes(placeholder) && !line.includes('"//owner"'));
    return found.map((line) => `${name} still has a placeholder: ${line.trim()}`);
  });
}

/**
 * The section of a version of CHANGELOG.md: what its heading has in brackets, and its text. Undefined when the
 * changelog has no such section.
 */
function sectionOf(of: string): { readonly date: string; readonly text: string } | undefined {
  for (const section of read('CHANGELOG.md').split('\n## ')) {
    const [heading = '', ...lines] = section.split('\n');
    if (heading.startsWith(`${of} (`)) return { date: heading.slice(of.length + 2, -1), text: lines.join('\n').trim() };
  }
  return undefined;
}
