import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import type { Mutant, Mutants } from './proof-page.ts';

const rooms = ['settlement', 'time', 'payments', 'accounts', 'life', 'approval'];

const usage = `npm run mutants [-- [ROOM...] [--seed N] [--count N]]

Breaks one line of a room of the engine at a time, in a copy of the commit, and writes to docs/proof/mutants.json what notices it: the auditor of
simulated banks, and the first failing file of the room's tests, then of the scenarios and properties, then of other rooms. --count (20) is the number in each room.
The file is written after each one, so Ctrl-C keeps what is done. Twenty take about five minutes of a core.`;

const text = { type: 'string' } as const;
const config = { options: { seed: text, count: text }, allowPositionals: true } as const;

/** Where the tests are that notice what those of a room, the scenarios and the properties do not. */
const others = ['sca', 'settlement', 'console', 'interface', 'control', 'consents', 'parties'].map(
  (each) => `tests/${each}`,
);

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
  [/(?<!select )\b1\b/, '2'],
  [/\b0n\b/, '1n'],
  [/\.toReversed\(\)/, ''],
  [/\?\? /, '&& '],
  [/return (?=\w)/, 'return undefined && '],
  [/^(\s+)(?:await )?[\w.]+\(.*\);$/, '$1;'],
];

/** The banks that are simulated with each broken line: one without habits, three under profiles with most habits of settlement, one with a life. */
const banks = `[
  [365, {}],
  [120, { profile: 'handelsbanken-norge' }],
  [120, { profile: 'orskog-sparebank' }],
  [90, { habits: { 'own-accounts-at-once': true, 'same-bank-at-once': 'without-kid', 'weekend-values': true } }],
  [60, { persona: 'family' }],
]`;

/** A program that simulates these banks, and prints each row of money, dates and statuses as one hash. It fails if bank and auditor differ. */
const audit = `import { createHash } from 'node:crypto';
import { rowsOf } from './tests/lab/rows.ts';
import { simulate } from './tests/lab/simulation/simulate.ts';
const hash = createHash('sha256');
let differ = false;
for (const [days, options] of ${banks}) {
  const atEnd = async (bank) => {
    for (const rows of [
      'select account_id, amount_minor, booking_date, value_date from entry order by id',
      'select status, nominal_date, execution_date, received_at, attempts from execution order by id',
      'select status, leaves_at from payment order by id',
      'select balance_minor from account order by id',
      'select account_id, amount_minor, booking_date from reservation order by id',
    ]) {
      const told = await bank.ledger.read((reader) => rowsOf(reader, rows));
      hash.update(JSON.stringify(told, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
    }
  };
  const { problems } = await simulate(1, days, { ...options, atEnd });
  differ ||= problems.length > 0;
}
console.log(hash.digest('hex'));
if (differ) process.exit(1);`;

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
  let isEnding = false;
  process.once('SIGINT', () => (isEnding = true));
  try {
    const { output: sound, isKept } = ran(copy, '--input-type=module', '-e', audit);
    if (!isKept) throw new Error(`bank and auditor differ without a broken line: ${sound}`);
    mkdirSync('docs/proof', { recursive: true });
    for (let done = 0; done < Number(count); done += 1) {
      for (const room of positionals.length > 0 ? positionals : rooms) {
        const mutant = tried(copy, room, random, sound);
        await setImmediate();
        if (isEnding) return;
        console.log(`${mutant.file}:${mutant.line} ${mutant.broken} | auditor ${mutant.byAuditor}, ${mutant.byTests}`);
        mutants.push(mutant);
        const report: Mutants = { commit, seed: Number(seed), mutants };
        writeFileSync('docs/proof/mutants.json', `${JSON.stringify(report, null, 2)}\n`);
      }
    }
  } finally {
    await git('worktree', 'remove', '--force', copy);
    rmSync(copy, { recursive: true, force: true });
  }
});

/** Runs a program of the copy. One that never ends is not kept either. */
function ran(copy: string, ...args: string[]): { readonly output: string; readonly isKept: boolean } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { output: stdout + stderr, isKept: status === 0 };
}

/** Breaks a drawn line of the room, asks the auditor and the tests, and mends the line. */
function tried(copy: string, room: string, random: Seeded, sound: string): Mutant {
  const { file, line, source, broken } = drawnBreak(copy, room, random);
  const path = join(copy, file);
  const lines = source.split('\n');
  writeFileSync(path, lines.toSpliced(line - 1, 1, broken).join('\n'));
  const audited = ran(copy, '--input-type=module', '-e', audit);
  let byTests: string | null = null;
  for (const tests of [[`tests/${room}`], ['tests/scenarios', 'tests/properties'], others]) {
    const { output, isKept } = ran(copy, 'tests/run.js', 'core', ...tests, '--bail', '--maxWorkers=1');
    if (isKept) continue;
    byTests = /^FAIL (\S+)/m.exec(output)?.[1] ?? tests.join(', ');
    break;
  }
  writeFileSync(path, source);
  const what = { room, file, line, was: (lines[line - 1] ?? '').trim(), broken: broken.trim() };
  return { ...what, changesBooks: audited.output !== sound, byAuditor: !audited.isKept, byTests };
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
