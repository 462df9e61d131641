import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { runScript } from './run-script.ts';

/** Scripts of package.json that only read the sources. */
const readers = ['types', 'lint', 'format'] as const;

const usage = `npm run check

Runs the tests, and beside them ${readers.join(', ')}, whose output follows that of the tests.
The last line counts the tests; each of ${readers.join(', ')} that fails counts as one more. The exit code is 0 when all of it passes.`;

/** The last line of the tests; see tests/support/count-reporter.js. */
const countLine = /^(\d+) passed, (\d+) failed$/;

await runScript(usage, {}, main);

async function main(): Promise<void> {
  let count: { readonly passed: string; readonly failed: number } | undefined;
  const [tests, reports] = await Promise.all([
    passes('test', (line) => {
      const [, passed, failed] = countLine.exec(line) ?? [];
      if (passed === undefined) console.log(line);
      else count = { passed, failed: Number(failed) };
    }),
    reportsOf(readers),
  ]);
  for (const { text } of reports) console.log(text);
  const failedReaders = reports.filter(({ passed }) => !passed).length;
  // A run of the tests fails without a failed test too, when a file has none.
  const failed = Math.max(count?.failed ?? 0, tests ? 0 : 1) + failedReaders;
  if (count !== undefined) console.log(`${count.passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

interface Report {
  readonly passed: boolean;
  /** Its output, and below it how it ended. */
  readonly text: string;
}

/** Runs the scripts one after the other, with what the tests leave of the processor. */
async function reportsOf(scripts: readonly string[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const script of scripts) {
    const lines: string[] = [];
    const begun = performance.now();
    const passed = await passes(script, (line) => lines.push(line), constants.priority.PRIORITY_BELOW_NORMAL);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    lines.push(`${script} ${passed ? 'passed' : 'FAILED'} (${seconds} s)`);
    reports.push({ passed, text: lines.join('\n') });
  }
  return reports;
}

/** Runs a script of the package.json of this folder, and tells each line that it prints. */
async function passes(
  script: string,
  hear: (line: string) => void,
  priority = constants.priority.PRIORITY_NORMAL,
): Promise<boolean> {
  const child = spawn(process.execPath, ['--run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear);
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
