import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import type { Mutant, Mutants } from './proof-page.ts';

const rooms = ['settlement', 'time', 'payments', 'accounts', 'life', 'approval'];

const usage = `npm run mutants [-- [ROOM...] [--seed N] [--count N]]

Breaks one line of a room of the engine at a time, in a copy of the commit, and writes to docs/proof/mutants.json what notices it: the simulated years
of the auditor, and the tests of the room, the scenarios and the properties. --count (20) is the number of mutants in each room.`;

const text = { type: 'string' } as const;
const config = { options: { seed: text, count: text }, allowPositionals: true } as const;

/** Each way to break a line: what to look for, and what takes its place. */
const breaks: readonly (readonly [RegExp, string])[] = [
  [/ < /, ' <= '],
  [/ <= /, ' < '],
  [/ > /, ' >= '],
  [/ >= /, ' > '],
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\b1\b/, '2'],
  [/\b0n\b/, '1n'],
  [/\.toReversed\(\)/, ''],
  [/\?\? /, '&& '],
  [/return (?=\w)/, 'return undefined && '],
  [/^(\s+)(?:await )?[\w.]+\(.*\);$/, '$1;'],
];

await runScript(usage, config, async ({ values: { seed = '1', count = '20' }, positionals }) => {
  const unknown = positionals.find((room) => !rooms.includes(room));
  if (unknown !== undefined) throw new WrongFlags(`There is no room ${unknown}: ${rooms.join(', ')}`);
  const copy = mkdtempSync(join(tmpdir(), 'sandbank-mutants-'));
  const git = (...args: string[]) => promisify(execFile)('git', args);
  const commit = (await git('rev-parse', '--short=8', 'HEAD')).stdout.trim();
  await git('worktree', 'add', '--detach', copy, commit);
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const random = seeded(Number(seed));
  const mutants: Mutant[] = [];
  try {
    for (const room of positionals.length > 0 ? positionals : rooms) {
      for (let done = 0; done < Number(count); done += 1) {
        const mutant = tried(copy, room, random);
        console.log(
          `${mutant.file}:${mutant.line} ${mutant.broken} | auditor ${mutant.byAuditor}, tests ${mutant.byTests}`,
        );
        mutants.push(mutant);
      }
    }
  } finally {
    await git('worktree', 'remove', '--force', copy);
    rmSync(copy, { recursive: true, force: true });
  }
  mkdirSync('docs/proof', { recursive: true });
  const report: Mutants = { commit, seed: Number(seed), mutants };
  writeFileSync('docs/proof/mutants.json', `${JSON.stringify(report, null, 2)}\n`);
});

/** Breaks a drawn line of the room, asks the auditor and the tests, and mends the line. */
function tried(copy: string, room: string, random: Seeded): Mutant {
  const { file, line, source, broken } = drawnBreak(copy, room, random);
  const path = join(copy, file);
  const lines = source.split('\n');
  writeFileSync(path, lines.toSpliced(line - 1, 1, broken).join('\n'));
  const notices = (...args: string[]): boolean => {
    // A mutant that never ends is noticed too.
    const { status } = spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore', timeout: 300_000 });
    return status !== 0;
  };
  const byAuditor = notices('tests/campaigns/run.ts', 'years', '--seed', '1', '--count', '5');
  const byTests = notices('tests/run.js', 'core', `tests/${room}`, 'tests/scenarios', 'tests/properties', '--bail');
  writeFileSync(path, source);
  return { room, file, line, was: (lines[line - 1] ?? '').trim(), broken: broken.trim(), byAuditor, byTests };
}

/** A line of code of the room, and how it reads when it is broken. */
function drawnBreak(copy: string, room: string, random: Seeded) {
  const files = globSync(`engine/${room}/**/*.ts`, { cwd: copy }).toSorted();
  for (;;) {
    const file = random.pick(files);
    const source = readFileSync(join(copy, file), 'utf8');
    const lines = source.split('\n');
    const at = random.below(lines.length);
    const line = lines[at] ?? '';
    if (/^\s*(?:\*|\/|import|export (?:type|interface)|readonly|type |interface )/.test(line)) continue;
    const [from, to] = random.pick(breaks);
    const broken = line.replace(from, to);
    if (broken !== line) return { file, line: at + 1, source, broken };
  }
}
