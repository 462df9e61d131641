import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './run-script.ts';
import { Mistake } from '../engine/values/mistake.ts';

const usage = `node scripts/release.ts check TAG    says what keeps the tag from being released, one line each, and ends with 1
node scripts/release.ts notes        prints the changelog's section of the version

What .github/workflows/release.yml asks before anything is published. TAG is v and the version: v0.1.0.`;

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** A placeholder in files of the tree: the owner replaces it by a name or an address. */
const placeholder = 'OWNER';

await runScript(usage, { options: {}, allowPositionals: true }, ({ positionals: [word = '', tag = ''] }) => {
  if (word === 'notes') console.log(sectionOf(version())?.text ?? '');
  else if (word === 'check' && tag !== '') check(tag);
  else throw new Mistake(`Expected check TAG, or notes, and got "${[word, tag].join(' ').trim()}"`);
});

function check(tag: string): void {
  const problems = [...wrongVersion(tag), ...placeholders()];
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${tag} can be released.`);
}

function version(): string {
  return (JSON.parse(read('package.json')) as { readonly version: string }).version;
}

function* wrongVersion(tag: string): Generator<string> {
  const own = version();
  if (tag !== `v${own}`) yield `The tag is ${tag}, and package.json has the version ${own}.`;
  const date = sectionOf(own)?.date ?? null;
  if (date === null) yield `CHANGELOG.md has no section "## ${own} (YYYY-MM-DD)".`;
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) yield `CHANGELOG.md says "${date}" where ${own} needs its date.`;
}

/** The lines that the owner has not filled in. docs/running.md and docs/running/ci.md name the image as package.json names the repository (a test). */
function placeholders(): string[] {
  return ['package.json', 'docs/running.md', 'docs/running/ci.md'].flatMap((name) => {
    const lines = read(name).split('\n');
    const found = lines.filter((line) => line.includes(placeholder) && !line.includes('"//owner"'));
    return found.map((line) => `${name} still has a placeholder: ${line.trim()}`);
  });
}

/** The section of a version of CHANGELOG.md: what its heading has in brackets, and its text. Undefined when the changelog has no such section. */
function sectionOf(of: string): { readonly date: string; readonly text: string } | undefined {
  for (const section of read('CHANGELOG.md').split('\n## ')) {
    const [heading = '', ...lines] = section.split('\n');
    if (heading.startsWith(`${of} (`)) return { date: heading.slice(of.length + 2, -1), text: lines.join('\n').trim() };
  }
  return undefined;
}
