import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { runScript } from './run-script.ts';

/** Scripts of package.json that only read the sources. */
const readers = ['types', 'lint', 'format'] as const;

const usage = `npm run check [-- --core COMMAND]
npm run test:all [-- --core COMMAND]

npm run check runs npm test and then npm run test:full, and ${readers.join(', ')} beside them: their output is between the two.
npm run test:all runs the tests alone. Each goes on after a failure.
--core COMMAND is run by the shell in the place of npm test: .ci/run has another user run it.
The last line counts all tests; each of ${readers.join(', ')} that fails counts as one more. The exit code is 0 when all of it passes.`;

/** The last lines of a run of tests; see tests/support/count-reporter.js. */
const countLine = /^(\d+) passed, (\d+) failed$/;
const skippedLine = /^(\d+) skipped: (.+)$/;

const { PRIORITY_NORMAL: normal, PRIORITY_BELOW_NORMAL: belowNormal } = constants.priority;

interface Flags {
  readonly tests?: boolean | undefined;
  readonly core?: string | undefined;
}

await runScript(usage, { options: { tests: { type: 'boolean' }, core: { type: 'string' } } }, main);

async function main({ values }: { values: Flags }): Promise<void> {
  const read = reportsOf(values.tests ? [] : readers);
  const core = await testsOf(values.core ?? 'npm test', null, console.log);
  const held: string[] = [];
  let hear = (line: string): void => void held.push(line);
  const full = testsOf(process.execPath, ['--run', 'test:full'], (line) => hear(line));
  let failedReaders = 0;
  for (const report of await read) {
    console.log(report.text);
    if (!report.isPassed) failedReaders += 1;
  }
  hear = console.log;
  for (const line of held) console.log(line);
  const tiers = [core, await full];
  const sum = (of: (tier: Tier) => number): number => tiers.reduce((total, tier) => total + of(tier), 0);
  const failed = sum((tier) => tier.failed) + failedReaders;
  const skipped = tiers.flatMap((tier) => tier.skipped);
  if (skipped.length > 0) console.log(skippedText(skipped));
  if (tiers.some((tier) => tier.isCounted)) console.log(`${sum((tier) => tier.passed)} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

interface Skipped {
  readonly count: number;
  readonly why: string;
}

interface Tier {
  readonly isCounted: boolean;
  readonly passed: number;
  /** A run of tests fails without a failed test too, when a file has none: then 1. */
  readonly failed: number;
  readonly skipped: readonly Skipped[];
}

/** Runs tests, tells each line but the counts at their end, and returns these. */
async function testsOf(command: string, words: readonly string[] | null, hear: (line: string) => void): Promise<Tier> {
  let [isCounted, passed, failed] = [false, 0, 0];
  const skipped: Skipped[] = [];
  const isPassed = await passes(command, words, (line) => {
    const count = countLine.exec(line);
    const [, all = '', reasons] = skippedLine.exec(line) ?? [];
    if (count !== null) [isCounted, passed, failed] = [true, Number(count[1]), Number(count[2])];
    else if (reasons !== undefined) skipped.push(...skippedOf(Number(all), reasons));
    else hear(line);
  });
  return { isCounted, passed, failed: Math.max(failed, isPassed ? 0 : 1), skipped };
}

/** `no Go` is all of them; `7 no Go, 2 no JUnit` counts each reason. */
function skippedOf(all: number, reasons: string): Skipped[] {
  return reasons.split(', ').map((text) => {
    const [, count = all, why = text] = /^(\d+) (.+)$/.exec(text) ?? [];
    return { count: Number(count), why };
  });
}

function skippedText(skipped: readonly Skipped[]): string {
  const all = skipped.reduce((total, { count }) => total + count, 0);
  const [only, ...more] = skipped;
  const reasons = more.length === 0 ? only?.why : skipped.map(({ count, why }) => `${count} ${why}`).join(', ');
  return `${all} skipped: ${reasons}`;
}

interface Report {
  readonly isPassed: boolean;
  /** What the script said, and below it how it ended. */
  readonly text: string;
}

/** Runs scripts one after the other with what the tests leave of the processor. */
async function reportsOf(scripts: readonly string[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const script of scripts) {
    const lines: string[] = [];
    const begun = performance.now();
    const isPassed = await passes(process.execPath, ['--run', script], (line) => lines.push(line), belowNormal);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const text = [...lines, `${script} ${isPassed ? 'passed' : 'FAILED'} (${seconds} s)`].join('\n');
    reports.push({ isPassed, text });
  }
  return reports;
}

/** Runs a program in this folder, or without `words` a line of the shell, and tells each line that it prints. */
async function passes(
  command: string,
  words: readonly string[] | null,
  hear: (line: string) => void,
  priority = normal,
): Promise<boolean> {
  const child = spawn(command, words ?? [], { stdio: ['ignore', 'pipe', 'pipe'], shell: words === null });
  // Only root may take a higher one than this process was given.
  if (child.pid !== undefined) setPriority(child.pid, Math.max(priority, getPriority()));
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear);
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
