import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { trialVariable } from '../../api/start/config.ts';
import type { Trial, TrialFile } from '../../api/gauntlet/trial.ts';
import { isOfWire, partsOf } from '../../api/gauntlet/trials.ts';
import { causeOf } from './cause.ts';
import { type TestsOfRun, testsOf } from './failed-tests.ts';
import { notMetIn } from './not-met.ts';
import { interfaceCalls, readRecording, type Recording } from './recording.ts';
import { type Ended, limitMs, runSuite, startBank } from './run-suite.ts';
import { Met } from './met.ts';
import { inTurn } from './in-turn.ts';
import { storm } from './storm.ts';
import { isFailed } from './tell.ts';

export interface GauntletOptions {
  readonly command: readonly string[];
  /** The trials that were asked for. */
  readonly trials: readonly Trial[];
  /** How long a late answer takes: `PT3S`. */
  readonly late: string;
  /** How many runs go at the same time. */
  readonly jobs: number;
  /** In ms. If it is null, three times the baseline and half a minute. */
  readonly timeoutMs: number | null;
  /** The variable that gets the address of a bank of its own. Null if the suite opens its banks itself. */
  readonly addressAs: string | null;
  /** Goes on with a suite that is not the same twice. */
  readonly goesOnFlaky: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words before the command in a line that runs a trial again. */
  readonly again: (name: string) => string;
  readonly stop: AbortSignal;
  /** How long the storm may take after the trials, in ms. Null: nothing is tried together. */
  readonly stormMs: number | null;
  /** Trials for the storm that are not tried alone here. */
  readonly untried: readonly Trial[];
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
 * Runs the suite twice as it is, and once for each trial that some call of it can hear (docs/spec/control-plane.md
 * GA1). A stop ends it: what is known then is the report. Throws a SuiteProblem for a suite that is red or flaky by
 * itself or opens no bank, and a Mistake for a command that cannot be run.
 */
export async function runGauntlet(options: GauntletOptions): Promise<GauntletReport> {
  const { command, stop, jobs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-gauntlet-'));
  let count = 0;
  const run = (trial: string | null, timeoutMs: number): Promise<Run> =>
    runOnce(options, join(folder, String((count += 1))), trial, options.timeoutMs ?? timeoutMs);
  try {
    const runs = inTurn([1, 2], jobs, stop, () => run(null, longestBaselineMs));
    const [first, second] = (await runs) as [Run, Run];
    if (stop.aborted) throw new SuiteProblem('Stopped: the baseline has not ended.');
    requireWell(first, second, options);
    const { calls } = first.recording;
    const baseline = {
      tests: first.tests.passed,
      calls: interfaceCalls(first.recording).length,
      seconds: first.ended.seconds,
      flaky: inWords(first) !== inWords(second),
    };
    const hears = (trial: Trial): boolean => isHeard(trial, first.recording);
    let left = options.trials.filter(hears).length;
    options.begun(baseline);
    const limit = limitMs([first.ended.seconds, second.ended.seconds]);
    const others = options.untried.filter(hears);
    const met = new Met([first.recording, second.recording], [...options.trials, ...others], others);
    const tryAlone = async (trial: Trial): Promise<GauntletTrial | null> => {
      const tried = await run(trial.name, limit);
      if (stop.aborted) return null;
      const verdict = verdictOf(trial, tried, [first, second]);
      if (options.stormMs !== null && trial.parts === undefined) met.add(trial, verdict.verdict, tried.recording);
      return { ...aboutTrial(trial, options), ...verdict };
    };
    const ended = await inTurn(options.trials, jobs, stop, async (trial): Promise<readonly GauntletTrial[]> => {
      if (!hears(trial)) return [{ ...aboutTrial(trial, options), notHeard: `no test ${trial.heard.by}` }];
      const parts = partsOf(trial, calls);
      // Of late answers a bank has one in a while.
      const whole = parts.length === 1 || trial.does.fault?.delay !== undefined ? null : await tryAlone(trial);
      const isSplit = parts.length > 0 && (whole === null || isFailed(whole));
      const alone = isSplit ? await inTurn(parts, 1, stop, tryAlone) : [];
      const ran = [whole, ...alone].filter((row) => row !== null);
      const failed = ran.filter((row) => row !== whole && isFailed(row));
      const rows = failed.length > 0 ? failed : ran.slice(0, 1);
      left -= 1;
      for (const row of rows) options.told(row, left);
      return rows;
    });
    const trials = ended.flat();
    const begun = performance.now();
    const isOver = (): boolean => stop.aborted || performance.now() > begun + (options.stormMs ?? 0);
    const found = (row: GauntletTrial): void => {
      trials.push(row);
      options.told(row, 0);
    };
    const parts = met.parts(trials.filter(isFailed));
    const of = { parts, touched: met.touched, jobs, run: tryAlone, isOver, found };
    const stormed = options.stormMs === null || stop.aborted ? null : await storm(of);
    return { version: 1, command, baseline, trials, together: stormed, notMet: notMetIn(first.recording) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the suite with a trial of its own folder beneath it, or with none if `trial` is null. */
async function runOnce(of: GauntletOptions, folder: string, trial: string | null, timeoutMs: number): Promise<Run> {
  const { command, late, stormMs, env } = of;
  mkdirSync(folder);
  const file = join(folder, 'trial.json');
  const hears = trial === null || (stormMs !== null && !trial.includes('+'));
  const text: TrialFile = { version: 1, trial, late, hears };
  writeFileSync(file, JSON.stringify(text));
  const since = systemClock.now();
  const ended = await runBesideBank(of, { ...env, [trialVariable]: file }, timeoutMs);
  const run = { ended, tests: testsOf(ended, command, since), recording: readRecording(folder) };
  rmSync(folder, { recursive: true });
  return run;
}

/**
 * Runs the suite, beside a bank of its own if it asks for one. The bank has ended when it returns: its last calls are
 * recorded.
 */
async function runBesideBank(of: GauntletOptions, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Ended> {
  const { command, addressAs, stop } = of;
  if (addressAs === null) return runSuite(command, env, timeoutMs, stop);
  await using bank = await startBank(env, stop);
  if (bank.address !== null) return await runSuite(command, { ...env, [addressAs]: bank.address }, timeoutMs, stop);
  const output = `The bank of --server did not start: ${bank.said.trim()}`;
  return { code: null, output, printed: '', seconds: 0, isTimeout: false };
}

/** What a report says of a trial before it has run. */
function aboutTrial(trial: Trial, { again }: GauntletOptions): GauntletTrial {
  const { name, kind, sentence, banks, rule, docs } = trial;
  const none = { verdict: 'not heard', seconds: 0, tests: [], output: null, change: null } as const;
  const parts = trial.parts && { parts: trial.parts.map((part) => part.name) };
  return { name, ...parts, kind, ...none, sentence, banks, rule, docs, again: again(name) };
}

/** What a report says of a run under a trial (docs/spec/control-plane.md GA3, GA4). */
function verdictOf(trial: Trial, run: Run, [first, second]: readonly [Run, Run]): Partial<GauntletTrial> {
  const { name, does } = trial;
  const { ended, tests, recording } = run;
  const { seconds } = ended;
  if (does.isForged === true && recording.isApplied)
    return { seconds, verdict: ended.code === 0 ? 'not noticed' : 'noticed' };
  const ofSettings = does.quirk ?? does.profile ?? does.now;
  const unmet = recording.heard.has(name) ? 'the suite ended before the money came back' : 'nothing met it';
  const unapplied = ofSettings === undefined ? unmet : 'every bank sets it itself';
  if (ended.code === 0)
    return { seconds, ...(recording.isApplied ? { verdict: 'survived' } : { notHeard: unapplied }) };
  return {
    // The trial did nothing: the suite failed by itself.
    verdict: ended.isTimeout ? 'hangs' : ended.code === null || recording.isApplied ? 'broke' : 'flaky',
    seconds,
    tests: tests.failed,
    output: tests.failed.length > 0 ? null : tests.last,
    change: causeOf(tests.failed, [first.recording, second.recording], recording),
  };
}

/** Whether the baseline hears a trial: the bank has recorded it, or a call does. */
function isHeard(trial: Trial, { heard, calls }: Recording): boolean {
  if (isOfWire(trial)) return partsOf(trial, calls).length > 0;
  return heard.has(trial.name) || calls.some(trial.heard.in);
}

/** Throws a SuiteProblem for a baseline that says nothing about a trial. */
function requireWell(first: Run, second: Run, { jobs, addressAs, goesOnFlaky }: GauntletOptions): void {
  if (first.ended.code !== 0 && second.ended.code !== 0) {
    const atOnce = jobs > 1 ? ' Two of them ran at the same time: --jobs 1 runs one after the other.' : '';
    const why = first.ended.isTimeout ? 'does not end' : 'is red';
    const tests = first.tests.failed.map(({ name, file, message }) => `"${name}" ${file}\n${message}`);
    throw new SuiteProblem(
      `${tests.length > 0 ? tests.join('\n') : first.ended.output.trim()}\nThe suite ${why} without any trial. Nothing else was run.${atOnce}`,
    );
  }
  if (addressAs !== null && interfaceCalls(first.recording).length === 0)
    throw new SuiteProblem(`No call reached the bank whose address is in ${addressAs}: the tests must read it there.`);
  if (first.recording.calls.length === 0)
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
