import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { trialVariable } from '../../api/start/config.ts';
import type { Trial, TrialFile } from '../../api/trials/trial.ts';
import { causeOf, shortCall } from './cause.ts';
import { type TestsOfRun, testsOf } from './failed-tests.ts';
import { notMetIn } from './not-met.ts';
import { interfaceCalls, readRecording, type Recording } from './recording.ts';
import { type Ended, runSuite, startBank } from './run-suite.ts';

export interface GauntletOptions {
  readonly command: readonly string[];
  /** The trials that were asked for. */
  readonly trials: readonly Trial[];
  /** How long a late answer takes: `PT3S`. */
  readonly late: string;
  /** How many runs go at the same time. */
  readonly jobs: number;
  /** In ms. If it is null, ten times the baseline and half a minute. */
  readonly timeoutMs: number | null;
  /** The variable that gets the address of a bank of its own. Null if the suite opens its banks itself. */
  readonly addressAs: string | null;
  /** Goes on with a suite that is not the same twice. */
  readonly goesOnFlaky: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words before the command in a line that runs a trial again. */
  readonly again: (name: string) => string;
  readonly stop: AbortSignal;
  /** The baseline is known. */
  readonly begun: (baseline: GauntletReport['baseline']) => void;
  /** A trial has ended. */
  readonly told: (trial: GauntletTrial, left: number) => void;
}

/** Why there is no report: the suite itself, not the bank. */
export class SuiteProblem extends Error {}

/** One run of the suite. */
interface Run {
  readonly ended: Ended;
  readonly tests: TestsOfRun;
  readonly recording: Recording;
}

/** The longest that the baseline may take, in ms, unless `--timeout` says otherwise. */
const longestBaselineMs = 600_000;

/**
 * Runs the suite twice as it is, and once for each trial that some call of it can hear (docs/spec/control-plane.md GA1). A stop ends it: what is
 * known then is the report. Throws a SuiteProblem for a suite that is red or flaky by itself or opens no bank, and a Mistake for a command
 * that cannot be run.
 */
export async function runGauntlet(options: GauntletOptions): Promise<GauntletReport> {
  const { command, stop } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-gauntlet-'));
  const run = (name: string, trial: string | null, timeoutMs: number): Promise<Run> =>
    runOnce(options, join(folder, name), trial, options.timeoutMs ?? timeoutMs);
  try {
    const runs = await inTurn(['baseline-1', 'baseline-2'], options, (name) => run(name, null, longestBaselineMs));
    const [first, second] = runs as [Run, Run];
    if (stop.aborted) throw new SuiteProblem('Stopped: the baseline has not ended.');
    requireWell(first, second, options);
    const baseline = {
      tests: first.tests.passed,
      calls: interfaceCalls(first.recording).length,
      seconds: rounded(first.ended.seconds),
      flaky: inWords(first) !== inWords(second),
    };
    const hears = (trial: Trial): string | null => heardBy(trial, first.recording);
    let left = options.trials.filter((trial) => hears(trial) !== null).length;
    options.begun(baseline);
    const slowest = Math.max(first.ended.seconds, second.ended.seconds);
    const ended = await inTurn(options.trials, options, async (trial): Promise<GauntletTrial | null> => {
      const about = aboutTrial(trial, options);
      const by = hears(trial);
      if (by === null) return { ...about, notHeard: `no test ${trial.heard.by}` };
      const tried = await run(trial.name, trial.name, slowest * 10_000 + 30_000);
      if (stop.aborted) return null;
      const one = { ...about, heardBy: by, ...verdictOf(trial, tried, [first, second]) };
      options.told(one, (left -= 1));
      return one;
    });
    // A stop leaves some out.
    const trials = ended.filter((one) => one !== null);
    return { version: 1, command, baseline, trials, notMet: notMetIn(first.recording) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the suite with a trial of its own folder beneath it, or with none if `trial` is null. */
async function runOnce(
  options: GauntletOptions,
  folder: string,
  trial: string | null,
  timeoutMs: number,
): Promise<Run> {
  const { command, late } = options;
  mkdirSync(folder);
  const file = join(folder, 'trial.json');
  writeFileSync(file, JSON.stringify({ version: 1, trial, late } satisfies TrialFile));
  const since = systemClock.now();
  const ended = await runBesideBank(options, { ...options.env, [trialVariable]: file }, timeoutMs);
  return { ended, tests: testsOf(ended, command, since), recording: readRecording(folder) };
}

/** Runs the suite, beside a bank of its own if it asks for one. The bank has ended when it returns: its last calls are recorded. */
async function runBesideBank(
  { command, addressAs, stop }: GauntletOptions,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<Ended> {
  if (addressAs === null) return runSuite({ command, env, timeoutMs, stop });
  await using bank = await startBank(env, stop);
  if (bank.address !== null)
    return await runSuite({ command, env: { ...env, [addressAs]: bank.address }, timeoutMs, stop });
  const output = `The bank of --server did not start: ${bank.said.trim()}`;
  return { code: null, output, printed: '', seconds: 0, isTimeout: false };
}

/** What a report says of a trial before it has run. */
function aboutTrial(trial: Trial, { again }: GauntletOptions): GauntletTrial {
  const { name, kind, sentence, banks, rule, docs, does } = trial;
  const value = does.quirk?.value?.usual ?? does.profile ?? does.now ?? null;
  const none = { seconds: 0, tests: [], output: null, change: null };
  return { name, kind, value, verdict: 'not heard', ...none, sentence, banks, rule, docs, again: again(name) };
}

/** What a report says of a run under a trial (docs/spec/control-plane.md GA3, GA4). */
function verdictOf(
  { name, does, sentence }: Trial,
  { ended, tests, recording }: Run,
  baseline: readonly [Run, Run],
): Partial<GauntletTrial> {
  const seconds = rounded(ended.seconds);
  const ofSettings = does.quirk ?? does.profile ?? does.now;
  const unmet = recording.heard.has(name) ? 'the suite ended before the money came back' : 'nothing met it';
  const unapplied = ofSettings === undefined ? unmet : 'every bank sets it itself';
  if (ended.code === 0)
    return { seconds, ...(recording.isApplied ? { verdict: 'survived' } : { notHeard: unapplied }) };
  const [first, second] = baseline;
  return {
    // The trial did nothing: the suite failed by itself.
    verdict: ended.isTimeout ? 'hangs' : ended.code === null || recording.isApplied ? 'broke' : 'flaky',
    seconds,
    tests: tests.failed,
    output: tests.failed.length > 0 ? null : tests.last,
    change: causeOf(tests.failed, [first.recording, second.recording], recording, sentence),
  };
}

/** What hears a trial in the baseline: what the bank has recorded, else the first call that does. Null: nothing. */
function heardBy({ name, heard }: Trial, { heard: byBank, calls }: Recording): string | null {
  const found = calls.find(heard.in);
  return byBank.get(name) ?? (found === undefined ? null : found.operation || shortCall(found.call));
}

/** Throws a SuiteProblem for a baseline that says nothing about a trial. */
function requireWell(first: Run, second: Run, { jobs, addressAs, goesOnFlaky }: GauntletOptions): void {
  if (first.ended.code !== 0) {
    const atOnce = jobs > 1 ? ' Two of them ran at the same time: --jobs 1 runs one after the other.' : '';
    const why = first.ended.isTimeout ? 'does not end' : 'is red';
    throw new SuiteProblem(
      `${first.ended.output.trim()}\nThe suite ${why} without any trial. Nothing else was run.${atOnce}`,
    );
  }
  const { calls } = first.recording;
  if (addressAs !== null && interfaceCalls(first.recording).length === 0)
    throw new SuiteProblem(`No call reached the bank whose address is in ${addressAs}: the tests must read it there.`);
  if (calls.length === 0)
    throw new SuiteProblem(
      'The suite opened no bank of its own: createBank, openPlatform and sandbank serve in its processes are heard. --server starts a bank for a suite that takes its address from BANK.',
    );
  const [one, other] = [inWords(first), inWords(second)];
  if (one !== other && !goesOnFlaky)
    throw new SuiteProblem(`The suite is not the same twice: ${one}; then ${other}. --flaky goes on all the same.`);
}

/** What a run did. Two that are alike have the same words. */
function inWords({ ended, tests, recording }: Run): string {
  const calls = interfaceCalls(recording);
  const answers = [...Map.groupBy(calls, ({ status }) => status)].map(([status, all]) => `${status} x ${all.length}`);
  const passed = `exit code ${ended.code}, ${tests.passed ?? 'some'} tests pass`;
  return `${passed}, ${answers.toSorted().join(', ')}, in all ${calls.length} calls`;
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

/** Does the work on each item, on at most `jobs` at a time, in their order, until a stop. Throws what the first one threw, when all have ended. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  { jobs, stop }: Pick<GauntletOptions, 'jobs' | 'stop'>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = [...items.entries()];
  const one = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined && !stop.aborted; next = rest.shift())
      results[next[0]] = await work(next[1]);
  };
  // An error leaves nothing for the others.
  const running = Array.from({ length: jobs }, () => one().finally(() => rest.splice(0)));
  await Promise.allSettled(running);
  await Promise.all(running);
  return results;
}
