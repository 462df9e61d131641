import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { GauntletReport } from '../../api/harness/types/gauntlet.ts';
import { trialVariable } from '../../api/start/config.ts';
import { fileReason } from '../../api/start/error-text.ts';
import type { Trial } from '../../api/gauntlet/trial.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { quote, shellWord } from '../../engine/values/text.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { CommandFailed, WrongUse } from '../cli/command.ts';
import { endSignal } from '../cli/end-signal.ts';
import { readInput, writing } from '../cli/file-input.ts';
import { expecting, wholeIn } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { nearestHint } from '../cli/output.ts';

/** Most runs at a time, unless `--jobs` says otherwise: a suite has processes of its own. */
const maxJobs = 4;

/** Latest late answer, in seconds: the longest delay of a fault (rules.md E6c). */
const maxLate = 60;

/** Runs the user's tests against each habit of a bank, and tells what breaks. */
export const gauntlet: Command = {
  name: 'gauntlet',
  usage: '-- COMMAND...',
  summary: 'Runs your tests once for each habit of banks, and tells which of them break, where and why.',
  words: [0, Infinity],
  flags: {
    '--only <NAMES>': 'Runs these trials, separated by commas; a+b is two together. docs/gauntlet.md has their names.',
    '--since <FILE>': 'Runs the trials again that broke or hung in this report of --json.',
    '--shard <I/N>': 'Runs every Nth trial, from the Ith one on: 1/4 to 4/4 on four machines run all.',
    '--together': 'Tries what the suite survived alone together, many trials at once.',
    '--minutes <N>': 'How long --together may take. Default: 10.',
    '--profiles': 'Runs the tests against each bank of the platform too.',
    '--server': 'Starts a bank for each run on a free port, for tests that take its address from BANK.',
    '--address-as <NAME>': 'The variable that has the address of the bank, in place of BANK. Implies --server.',
    '--jobs <N>': 'Runs N suites at a time. Default: as many as there are processors, 4 at most.',
    '--timeout <SECONDS>': 'Ends a suite after this time. Default: three times the baseline and half a minute.',
    '--late <SECONDS>': 'How late a late answer comes, 1 to 60. Default: 3, less than the 5 of most runners.',
    '--flaky': 'Goes on with a suite that is not the same twice.',
    '--min-survived <N>': 'Exit code 0 if at least N trials are survived.',
    '--json [FILE]': 'Writes the report as JSON to FILE, or prints it alone. index.d.ts has its type, GauntletReport.',
    '--junit <FILE>': 'Writes the report in the XML of JUnit, a test case for each trial.',
  },
  settings: [],
  notes: [
    'Runs the command twice as it is, and once for each trial that some call of it can hear. createBank, openPlatform and sandbank serve in its processes apply the trial beneath their own options.',
    'With --together it goes on with many trials at once, and tells the smallest sets that break a test.',
    'With more than one job the suite runs beside itself. Use --jobs 1 if it needs a port or a file of its own, or if its runner writes a report.',
    'Exit code: 0 when no trial broke, hung or went unnoticed, 1 when one did, 2 for a suite that is red or flaky by itself, and for a wrong command line.',
  ],
  examples: [
    'sandbank gauntlet --only charset,leap-day -- node --test',
    'sandbank gauntlet --together --minutes 5 --only leap-day -- node --test',
  ],
  run: async (given, terminal) => {
    const { words: command, program } = given;
    if (command.length === 0) throw new WrongUse('a command is missing: sandbank gauntlet -- npx jest');
    if ((terminal.env[trialVariable] ?? '') !== '')
      throw new Mistake(
        `a gauntlet runs this already, as ${trialVariable} says: give it the command of the tests alone`,
      );
    const watches = command.find((word) => /^(?:--watch(?:All)?(?:=true)?|watch)$/.test(word));
    if (watches !== undefined)
      throw new WrongUse(`${watches} has no end: give the command that runs the tests once, such as npx vitest run`);
    const enough = numberOf(given, 'min-survived', Infinity);
    const late = `PT${numberOf(given, 'late', 3, maxLate)}S`;
    const { trials, untried } = await trialsOf(given, late);
    for (const [flag, file] of given.pairs(['json', 'junit'])) requireWritable(flag, file);
    const isServer = given.has('server') || given.has('address-as');
    // Loaded here only, so that the other commands start faster.
    const { runGauntlet, SuiteProblem } = await import('../gauntlet/gauntlet.ts');
    const { baselineLine, endLines, isFailed, isSurvived, junitOf, trialLines } = await import('../gauntlet/tell.ts');
    const ending = endSignal(terminal);
    const isPrinted = given.text('json') === '';
    const tell = (lines: readonly string[]): void => {
      if (!isPrinted) for (const line of lines) terminal.out(line);
    };
    if (terminal.isInteractive) terminal.error('Running the tests twice as they are ...');
    let begun = 0;
    let count = 0;
    try {
      const report = await runGauntlet({
        command,
        trials,
        untried,
        stormMs: given.has('together') ? numberOf(given, 'minutes', 10) * 60_000 : null,
        late,
        jobs: numberOf(given, 'jobs', Math.min(availableParallelism(), maxJobs)),
        timeoutMs: given.has('timeout') ? numberOf(given, 'timeout', 0) * 1000 : null,
        addressAs: isServer ? (given.text('address-as') ?? 'BANK') : null,
        goesOnFlaky: given.has('flaky'),
        env: terminal.env,
        again: (name) => againLine(program, given, name),
        stop: ending.signal,
        begun: (baseline) => {
          begun = performance.now();
          tell([baselineLine(baseline)]);
        },
        told: (trial, left) => {
          tell(trialLines(trial));
          const minutes = (performance.now() - begun) / (count += 1) / 60_000;
          if (terminal.isInteractive && left > 0) terminal.error(`    ${left} left, ${Math.ceil(left * minutes)} min`);
        },
      });
      tell(endLines(report));
      const json = JSON.stringify(report, null, 2);
      if (isPrinted) terminal.print(json);
      else await write(given.text('json'), `${json}\n`);
      await write(given.text('junit'), junitOf(report));
      if (ending.signal.aborted) throw new CommandFailed('Stopped: the other trials have not run.', null, 2);
      const survived = report.trials.filter(isSurvived).length;
      if (report.trials.some(isFailed) && survived < enough) throw new CommandFailed();
    } catch (error) {
      if (!(error instanceof SuiteProblem)) throw error;
      if (given.has('json')) terminal.error(error.message);
      throw new CommandFailed(given.has('json') && !isPrinted ? '' : error.message, null, 2);
    } finally {
      ending.release();
    }
  },
};

/**
 * The trials that the flags choose, and those that are only for the storm: of other parts of a shard, and what an
 * earlier report survived. Throws a WrongUse with the nearest name for an unknown one.
 */
async function trialsOf(given: Arguments, late: string): Promise<Record<'trials' | 'untried', readonly Trial[]>> {
  const { allTrials, trialNamed } = await import('../../api/gauntlet/trials.ts');
  const all = await allTrials(late);
  const only = given.texts('only').flatMap((list) => list.split(',').map((name) => name.trim()));
  const since = given.text('since');
  const earlier = since === undefined ? null : await earlierReport(since);
  const wanted = [...only, ...(earlier?.broken ?? [])];
  const names = all.map(({ name }) => name);
  const trialOf = (name: string): Trial => {
    const trial = trialNamed(all, name);
    if (trial === null) throw new WrongUse(`there is no trial ${quote(name, 60)}${nearestHint(name, names)}`);
    return trial;
  };
  const named = [...new Set(wanted)].map(trialOf);
  const isChosen = only.length > 0 || since !== undefined;
  // In the order of the guide, and then those that are at one operation, or together.
  const chosen = isChosen ? [...new Set([...all, ...named])].filter((trial) => named.includes(trial)) : all;
  const [part, parts] = valueOf('shard', given.text('shard') ?? '1/1', shard);
  const able = chosen.filter(({ kind }) => isChosen || given.has('profiles') || kind !== 'profile');
  const trials = able.filter((_, index) => index % parts === part - 1);
  return {
    trials,
    untried: [...able.filter((trial) => !trials.includes(trial)), ...(earlier?.survived ?? []).map(trialOf)],
  };
}

/**
 * The names of the trials that an earlier report broke, and of those that it survived. Throws a WrongUse for a file
 * that is none.
 */
async function earlierReport(file: string): Promise<Record<'broken' | 'survived', readonly string[]>> {
  const { isFailed, isSurvived } = await import('../gauntlet/tell.ts');
  const report = jsonOr(readInput(`--since ${file}`, file).toString(), null) as GauntletReport | null;
  if (!Array.isArray(report?.trials))
    throw new WrongUse(`--since ${file}: expected the report that --json has written`);
  const namesOf = (is: typeof isFailed): readonly string[] => report.trials.filter(is).map(({ name }) => name);
  return { broken: namesOf(isFailed), survived: namesOf(isSurvived) };
}

/** A part of the trials, and how many parts there are. */
const shard = expecting('a part and their number, such as 1/4', (text) => {
  const [, part = 0, parts = 0] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? []).map(Number);
  return part === 0 || part > parts ? null : ([part, parts] as const);
});

/** A number of a flag, from 1 to `most`. Throws a WrongUse. */
function numberOf(given: Arguments, flag: string, usual: number, most = 99_999): number {
  const text = given.text(flag);
  return text === undefined
    ? usual
    : valueOf(flag, text, expecting(`a whole number from 1 to ${most}`, wholeIn(1, most)));
}

function againLine(program: string, given: Arguments, name: string): string {
  const flags = ['server', 'address-as', 'late', 'timeout', 'flaky'].flatMap((flag) => {
    const value = given.text(flag);
    return given.has(flag) ? [value === undefined ? `--${flag}` : `--${flag} ${shellWord(value)}`] : [];
  });
  return [program, 'gauntlet', '--only', name, ...flags, '--', ...given.words.map(shellWord)].join(' ');
}

/** Throws a WrongUse for a report that cannot be written. A file that is there keeps what it has. */
function requireWritable(flag: string, file: string): void {
  if (file === '') return;
  const isThere = existsSync(file);
  try {
    appendFileSync(file, '');
    if (!isThere) rmSync(file);
  } catch (error) {
    throw new WrongUse(`--${flag} ${file} cannot be written: ${fileReason(error)}`);
  }
}

async function write(file: string | undefined, text: string): Promise<void> {
  if (file !== undefined) await writing(file, () => writeFileSync(file, text));
}
