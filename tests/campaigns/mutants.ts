import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runScript } from '../../scripts/run-script.ts';
import { seeded } from '../lab/seeded.ts';
import { headCommit, keptFolder, keptIn, type Mutant, type Mutants } from './page.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Each room, and its tests: of `accounts`, those of the rooms that read and write accounts. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  settlement: ['tests/settlement', 'tests/runs'],
  time: ['tests/time'],
  payments: ['tests/payments'],
  accounts: ['tests/sandbox-data', 'tests/consents', 'tests/ledger', 'tests/quirks'],
  life: ['tests/life'],
  approval: ['tests/approval'],
};

const usage = `npm run mutants [-- [ROOM...] [--seed N] [--count N]]

Breaks one line of a room of the engine at a time, in a copy of the commit, and writes to tests/campaigns/kept/mutants.json what notices it first: the
auditor of simulated banks and lives, the room's tests, the scenarios and properties, or the tests of other rooms. --count (10) is the number in each
room. A room draws its lines from the seed alone. The file is written after each line: after Ctrl-C the same command goes on; other rooms stay in it.`;

const text = { type: 'string' } as const;
const config = { options: { seed: text, count: text }, allowPositionals: true } as const;

/** The auditor looks first: it takes seconds. Then come tests that notice what those of a room do not. */
const auditor = ['simulate', 'lived'].map((each) => `tests/full/campaigns/${each}.test.ts`);
const scenarios = ['tests/scenarios', 'tests/properties'];
const others = ['sca', 'settlement', 'runs', 'console', 'interface', 'control', 'consents', 'parties', 'golden'].map(
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

/** What the tests of one step may take, whatever else the machine does. */
const processorSeconds = 600;

await runScript(usage, config, async ({ values: { seed = '1', count = '10' }, positionals }) => {
  const unknown = positionals.find((room) => !Object.hasOwn(testsOf, room));
  if (unknown !== undefined) throw new Mistake(`There is no room ${unknown}: ${Object.keys(testsOf).join(', ')}`);
  const copy = mkdtempSync(join(tmpdir(), 'sandbank-mutants-'));
  const git = (...args: string[]) => promisify(execFile)('git', args);
  const commit = headCommit();
  await git('worktree', 'add', '--detach', copy, commit);
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  let isEnding = false;
  process.once('SIGINT', () => (isEnding = true));
  try {
    const failing = failingFile(copy, auditor);
    if (failing !== null) throw new Error(`${failing} fails without a broken line`);
    for (const room of Object.keys(testsOf).filter((each) => positionals.length === 0 || positionals.includes(each))) {
      const known = keptRooms().find((one) => one.room === room && one.commit === commit && one.seed === Number(seed));
      const done: Mutants = { room, commit, seed: Number(seed), mutants: known?.mutants ?? [] };
      for (const breaking of drawnBreaks(copy, room, Number(seed), Number(count)).slice(done.mutants.length)) {
        const mutant = judged(copy, room, breaking);
        await setImmediate();
        if (isEnding) return;
        console.log(`${mutant.file}:${mutant.line} ${mutant.broken} | ${mutant.by}`);
        done.mutants.push(mutant);
        keep(done);
      }
    }
  } finally {
    await git('worktree', 'remove', '--force', copy);
    rmSync(copy, { recursive: true, force: true });
  }
});

function keptRooms(): readonly Mutants[] {
  return keptIn<readonly Mutants[]>(keptFolder, 'mutants') ?? [];
}

/** Writes what was done in a room, beside what the file has of other rooms. */
function keep(done: Mutants): void {
  const order = Object.keys(testsOf);
  const all = [...keptRooms().filter(({ room }) => room !== done.room), done].toSorted(
    (a, b) => order.indexOf(a.room) - order.indexOf(b.room),
  );
  writeFileSync(`${keptFolder}/mutants.json`, `${JSON.stringify(all, null, 2)}\n`);
}

/** The first file of these tests that fails in the copy, or never ends; null: all pass. */
function failingFile(copy: string, tests: readonly string[]): string | null {
  const limited = `ulimit -t ${processorSeconds} && exec "$0" "$@"`;
  const words = ['-c', limited, process.execPath, 'tests/run.js', 'core', ...tests, '--bail'];
  const { status, stdout, stderr } = spawnSync('sh', words, { cwd: copy, encoding: 'utf8', timeout: 3_600_000 });
  return status === 0 ? null : (/^FAIL (\S+)/m.exec(stdout + stderr)?.[1] ?? tests.join(', '));
}

/** A line of code, and how it reads when it is broken. */
type Breaking = Omit<Mutant, 'by'>;

/** The mutant, and what notices it first. */
function judged(copy: string, room: string, { file, line, was, broken }: Breaking): Mutant {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source
      .split('\n')
      .toSpliced(line - 1, 1, broken)
      .join('\n'),
  );
  const mutant = { file, line, was: was.trim(), broken: broken.trim() };
  try {
    if (failingFile(copy, auditor) !== null) return { ...mutant, by: 'auditor' };
    for (const tests of [testsOf[room] ?? [], scenarios, others]) {
      const failing = failingFile(copy, tests);
      if (failing !== null) return { ...mutant, by: failing };
    }
    return { ...mutant, by: null };
  } finally {
    writeFileSync(path, source);
  }
}

/** Lines of the room, and how they read when they are broken; each once. */
function drawnBreaks(copy: string, room: string, seed: number, count: number): Breaking[] {
  const random = seeded(seed * 100 + Object.keys(testsOf).indexOf(room));
  const files = globSync(`engine/${room}/**/*.ts`, { cwd: copy }).toSorted();
  const drawn = new Map<string, Breaking>();
  while (drawn.size < count) {
    const file = random.pick(files);
    const lines = readFileSync(join(copy, file), 'utf8').split('\n');
    const at = random.below(lines.length);
    const was = lines[at] ?? '';
    if (/^\s*(?:\*|\/|import|export (?:type|interface)|readonly|type |interface )/.test(was)) continue;
    const [from, to] = random.pick(breaks);
    const broken = was.replace(from, to);
    if (broken !== was) drawn.set(`${file} ${broken}`, { file, line: at + 1, was, broken });
  }
  return [...drawn.values()];
}
