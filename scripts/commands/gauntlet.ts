import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { fileReason } from '../../api/start/error-text.ts';
import { trialVariable } from '../../api/start/config.ts';
import type { Trial } from '../../api/trials/trial.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { quote, shellWord } from '../../engine/values/text.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { CommandFailed, WrongUse } from '../cli/command.ts';
import { endSignal } from '../cli/end-signal.ts';
import { nearestHint } from '../cli/output.ts';

/** Most runs at a time, unless `--jobs` says otherwise: a suite has processes of its own. */
const maxJobs = 4;

/** Latest late answer, in seconds: the longest delay of a fault (rules.md E6c). */
const maxLate = 60;

/** Runs the user's tests against each habit of a bank, and tells what breaks. */
export const gauntlet: Command = {
  name: 'gauntlet',
  usage: '[FLAGS] -- COMMAND...',
  summary: 'Runs your tests once for each habit of banks, and tells which of them break, where and why.',
  words: [0, Infinity],
  flags: {
    '--only <NAMES>': 'Runs these trials alone, separated by commas. docs/gauntlet.md has their names.',
    '--since <FILE>': 'Runs the trials again that broke or hung in this report of --json.',
    '--profiles': 'Runs the tests against each bank of the platform too.',
    '--server': 'Starts a bank for each run on a free port, for tests that take its address from BANK.',
    '--address-as <NAME>': 'Hands the address over in this variable in place of BANK. Implies --server.',
    '--jobs <N>': 'Runs N suites at a time. Default: as many as there are processors, 4 at most.',
    '--timeout <SECONDS>': 'Ends a suite after this time. Default: ten times the baseline and half a minute.',
    '--late <SECONDS>': 'How late a late answer comes, 1 to 60. Default: 3, less than the 5 of most runners.',
    '--flaky': 'Goes on with a suite that is not the same twice.',
    '--min-survived <N>': 'Exit code 0 if at least N trials are survived.',
    '--json [FILE]': 'Writes the report as JSON to FILE, or prints it. index.d.ts has its type, GauntletReport.',
    '--junit <FILE>': 'Writes the report in the XML of JUnit, a test case for each trial.',
  },
  settings: [],
  notes: [
    'Runs the command twice as it is, and once for each trial that some call of it can hear. createBank, openPlatform and sandbank serve in its processes apply the trial beneath their own options.',
    'With more than one job the suite runs beside itself. Use --jobs 1 if it needs a port or a file of its own, or if its runner writes a report.',
    'Exit code: 0 when no trial broke or hung, 1 when one did, 2 for a suite that is red or flaky by itself, and for a wrong command line.',
  ],
  examples: ['sandbank gauntlet --only charset,leap-day -- node --test'],
  run: async (given, terminal) => {
    const { words: command, program } = given;
    if (command.length === 0) throw new WrongUse('a command is missing: sandbank gauntlet -- npx jest');
    if ((terminal.env[trialVariable] ?? '') !== '') throw new Mistake('a gauntlet runs this already');
    const late = `PT${numberOf(given, 'late', 3, maxLate)}S`;
    const trials = await trialsOf(given, late);
    const isServer = given.has('server') || given.has('address-as');
    // Loaded here only, so that the other commands start faster.
    const { runGauntlet, SuiteProblem } = await import('../gauntlet/gauntlet.ts');
    const { baselineLine, endLines, isFailed, junitOf, trialLines } = await import('../gauntlet/tell.ts');
    const ending = endSignal(terminal);
    const begun = performance.now();
    // Standard output is the JSON alone.
    const tell = (lines: readonly string[]): void => {
      if (given.text('json') !== '') for (const line of lines) terminal.out(line);
    };
    let count = 0;
    try {
      const report = await runGauntlet({
        command,
        trials,
        late,
        jobs: numberOf(given, 'jobs', Math.min(availableParallelism(), maxJobs)),
        timeoutMs: given.has('timeout') ? numberOf(given, 'timeout', 0) * 1000 : null,
        addressAs: isServer ? (given.text('address-as') ?? 'BANK') : null,
        goesOnFlaky: given.has('flaky'),
        env: terminal.env,
        again: (name) => againLine(program, given, name),
        stop: ending.signal,
        begun: (baseline, heard) => tell([baselineLine(baseline, heard, trials.length)]),
        told: (trial, left) => {
          tell(trialLines(trial));
          count += 1;
          const each = (performance.now() - begun) / 1000 / count;
          if (terminal.isInteractive && left > 0)
            terminal.error(`    ${left} left, about ${Math.ceil((left * each) / 60)} min`);
        },
      });
      tell(endLines(report));
      const json = JSON.stringify(report, null, 2);
      if (given.text('json') === '') terminal.print(json);
      else writeReport(given.text('json'), `${json}\n`);
      writeReport(given.text('junit'), junitOf(report));
      if (ending.signal.aborted) throw new CommandFailed('Stopped: the other trials have not run.', null, 2);
      const survived = report.trials.filter(({ verdict }) => verdict === 'survived').length;
      const isEnough = given.has('min-survived') && survived >= numberOf(given, 'min-survived', 0);
      if (report.trials.some(isFailed) && !isEnough) throw new CommandFailed();
    } catch (error) {
      throw error instanceof SuiteProblem ? new CommandFailed(error.message, null, 2) : error;
    } finally {
      ending.release();
    }
  },
};

/** The trials that the flags choose. Throws a WrongUse with the nearest name for an unknown one. */
async function trialsOf(given: Arguments, late: string): Promise<readonly Trial[]> {
  const { allTrials } = await import('../../api/trials/trials.ts');
  const all = await allTrials(late);
  const only = given.texts('only').flatMap((list) => list.split(','));
  const since = given.text('since');
  const names = [...only, ...(since === undefined ? [] : await brokenIn(since))].map((name) => name.trim());
  const unknown = names.find((name) => !all.some((trial) => trial.name === name));
  if (unknown !== undefined) {
    const hint = nearestHint(
      unknown,
      all.map(({ name }) => name),
    );
    throw new WrongUse(`there is no trial ${quote(unknown, 60)}${hint}`);
  }
  if (only.length > 0 || since !== undefined) return all.filter(({ name }) => names.includes(name));
  return given.has('profiles') ? all : all.filter(({ kind }) => kind !== 'profile');
}

/** The trials that broke or hung in an earlier report. Throws a Mistake for a file that is none. */
async function brokenIn(file: string): Promise<readonly string[]> {
  const { isFailed } = await import('../gauntlet/tell.ts');
  try {
    const { trials } = JSON.parse(readFileSync(file, 'utf8')) as Pick<GauntletReport, 'trials'>;
    return trials.filter(isFailed).map(({ name }) => name);
  } catch {
    throw new Mistake(`--since ${file}: expected the report that --json has written`);
  }
}

/** A number of a flag, from 1 to `most`. Throws a WrongUse. */
function numberOf(given: Arguments, flag: string, usual: number, most = 99_999): number {
  const text = given.text(flag);
  if (text === undefined) return usual;
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= most) return Number(text);
  throw new WrongUse(`--${flag} is ${quote(text, 40)}: expected a whole number from 1 to ${most}`);
}

function againLine(program: string, given: Arguments, name: string): string {
  const flags = ['server', 'address-as', 'late', 'timeout', 'flaky'].flatMap((flag) => {
    const value = given.text(flag);
    return given.has(flag) ? [value === undefined ? `--${flag}` : `--${flag} ${shellWord(value)}`] : [];
  });
  return [program, 'gauntlet', '--only', name, ...flags, '--', ...given.words.map(shellWord)].join(' ');
}

function writeReport(file: string | undefined, text: string): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Mistake(`the report cannot be written to ${quote(file, 200)}: ${fileReason(error)}`);
  }
}
