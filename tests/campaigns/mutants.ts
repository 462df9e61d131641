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

Breaks one line of a room of the engine at a time, in a copy of the commit, and writes to tests/campaigns/kept/mutants.json what notices it: the auditor of
simulated banks, or else the first failing file of the room's tests, of the scenarios and properties, and of other rooms. --count (20) is the number
in each room. A room draws its lines from the seed alone. The file is written after each line, so Ctrl-C keeps what is done; other rooms stay in it.`;

const text = { type: 'string' } as const;
const config = { options: { seed: text, count: text }, allowPositionals: true } as const;

/** Where the tests are that notice what those of a room, the scenarios and the properties do not. */
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

const auditor = 'tests/campaigns/audit.ts';
/** What a program of the copy may take, whatever else the machine does. */
const processorSeconds = 300;

await runScript(usage, config, async ({ values: { seed = '1', count = '20' }, positionals }) => {
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
    const { output: sound, isKept } = ran(copy, auditor);
    if (!isKept) throw new Error(`bank and auditor differ without a broken line: ${sound}`);
    const chosen = Object.keys(testsOf).filter((room) => positionals.length === 0 || positionals.includes(room));
    const done = chosen.map((room): Mutants => ({ room, commit, seed: Number(seed), mutants: [] }));
    const breakings = done.map(({ room }) => drawnBreaks(copy, room, Number(seed), Number(count)));
    // The auditor first, of all rooms: it takes seconds, and tests take minutes.
    for (const isByTests of [false, true]) {
      for (let number = 0; number < Number(count); number += 1) {
        for (const [index, report] of done.entries()) {
          const [breaking, known] = [breakings[index]?.[number], report.mutants[number]];
          if (breaking === undefined || known?.byAuditor === true) continue;
          const mutant =
            isByTests && known !== undefined
              ? tested(copy, report.room, breaking, known)
              : heard(copy, breaking, sound);
          await setImmediate();
          if (isEnding) return;
          const { file, line, broken, byAuditor, byTests } = mutant;
          console.log(`${file}:${line} ${broken} | ${byAuditor ? 'the auditor' : byTests}`);
          report.mutants[number] = mutant;
          keep(report);
        }
      }
    }
  } finally {
    await git('worktree', 'remove', '--force', copy);
    rmSync(copy, { recursive: true, force: true });
  }
});

/** Writes what was done in a room, beside what the file has of other rooms. */
function keep(done: Mutants): void {
  const rooms = keptIn<readonly Mutants[]>(keptFolder, 'mutants') ?? [];
  const order = Object.keys(testsOf);
  const all = [...rooms.filter(({ room }) => room !== done.room), done].toSorted(
    (a, b) => order.indexOf(a.room) - order.indexOf(b.room),
  );
  writeFileSync(`${keptFolder}/mutants.json`, `${JSON.stringify(all, null, 2)}\n`);
}

/** Runs a program of the copy. One that never ends is not kept either. */
function ran(copy: string, ...args: string[]): { readonly output: string; readonly isKept: boolean } {
  const limited = `ulimit -t ${processorSeconds} && exec "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, ...args], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 3_600_000,
  });
  return { output: stdout + stderr, isKept: status === 0 };
}

/** A line of code, and how it reads when it is broken. */
type Breaking = Pick<Mutant, 'file' | 'line' | 'was' | 'broken'>;

/** Runs a program of the copy while the line is broken. */
function ranBroken(copy: string, { file, line, broken }: Breaking, ...args: string[]): ReturnType<typeof ran> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const lines = source.split('\n');
  writeFileSync(path, lines.toSpliced(line - 1, 1, broken).join('\n'));
  const result = ran(copy, ...args);
  writeFileSync(path, source);
  return result;
}

function heard(copy: string, breaking: Breaking, sound: string): Mutant {
  const { output, isKept } = ranBroken(copy, breaking, auditor);
  const { file, line, was, broken } = breaking;
  return { file, line, was: was.trim(), broken: broken.trim(), changesBooks: output !== sound, byAuditor: !isKept };
}

/** The same mutant, and the first test file that fails with it. */
function tested(copy: string, room: string, breaking: Breaking, mutant: Mutant): Mutant {
  for (const tests of [testsOf[room] ?? [], ['tests/scenarios', 'tests/properties'], others]) {
    const run = ranBroken(copy, breaking, 'tests/run.js', 'core', ...tests, '--bail', '--maxWorkers=1');
    if (!run.isKept) return { ...mutant, byTests: /^FAIL (\S+)/m.exec(run.output)?.[1] ?? tests.join(', ') };
  }
  return { ...mutant, byTests: null };
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
