import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { trialVariable } from '../../api/start/config.ts';
import type { Trial, TrialFile } from '../../api/trials/trial.ts';
import { causeOf } from './cause.ts';
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
  /** The baseline is known: how many of the trials can be heard. */
  readonly begun: (baseline: GauntletReport['baseline'], heard: number) => void;
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
  const { command, stop, goesOnFlaky } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-gauntlet-'));
  try {
    const baseline = await inTurn([0, 1], options, (at) =>
      runOnce(options, join(folder, `baseline-${at}`), null, options.timeoutMs ?? longestBaselineMs),
    );
    const [first, second] = baseline as [Run, Run];
    if (stop.aborted) throw new SuiteProblem('Stopped: the baseline has not ended.');
    requireGreen(first, second, options);
    const isFlaky = !isAlike(first, second);
    if (isFlaky && !goesOnFlaky) throw new SuiteProblem(flakyText(first, second));
    const about: GauntletReport['baseline'] = {
      tests: first.tests.passed,
      calls: interfaceCalls(first.recording).length,
      seconds: rounded(first.ended.seconds),
      flaky: isFlaky,
    };
    const slowest = Math.max(first.ended.seconds, second.ended.seconds) * 1000;
    const timeoutMs = options.timeoutMs ?? slowest * 10 + 30_000;
    const hearings = options.trials.map((trial) => ({ trial, by: heardBy(trial, first.recording) }));
    const heard = hearings.filter(({ by }) => by !== null);
    options.begun(about, heard.length);
    let left = heard.length;
    const ran = new Map<string, GauntletTrial>();
    await inTurn(heard, options, async ({ trial, by }) => {
      const told = await runTrial(options, { trial, by: by ?? '', timeoutMs, folder, baseline: [first, second] });
      left -= 1;
      if (stop.aborted) return;
      ran.set(trial.name, told);
      options.told(told, left);
    });
    const trials = hearings.flatMap(({ trial, by }) =>
      by === null ? [notHeard(trial, options)] : (ran.get(trial.name) ?? []),
    );
    return { version: 1, command, baseline: about, trials, notMet: notMetIn(first.recording) };
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
  const { command, env, late } = options;
  mkdirSync(folder);
  const file = join(folder, 'trial.json');
  writeFileSync(file, JSON.stringify({ version: 1, trial, late } satisfies TrialFile));
  const own = { ...env, [trialVariable]: file };
  const since = systemClock.now();
  const ended = await runWithBank(options, own, timeoutMs);
  return { ended, tests: testsOf(ended, command, since), recording: readRecording(folder) };
}

/** Runs the suite, beside a bank of its own if it asks for one. The bank has ended when it returns: its last calls are recorded. */
async function runWithBank(
  { command, addressAs, stop }: GauntletOptions,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<Ended> {
  if (addressAs === null) return runSuite({ command, env, timeoutMs, stop });
  await using bank = await startBank(env, stop);
  if (bank.address === null) return notStarted(bank.said);
  return await runSuite({ command, env: { ...env, [addressAs]: bank.address }, timeoutMs, stop });
}

/** The end of a run whose bank did not start. */
function notStarted(said: string): Ended {
  const output = `The bank of --server did not start: ${said.trim()}`;
  return { code: null, output, printed: '', seconds: 0, isTimeout: false };
}

interface TrialRun {
  readonly trial: Trial;
  readonly by: string;
  readonly timeoutMs: number;
  readonly folder: string;
  readonly baseline: readonly [Run, Run];
}

async function runTrial(
  options: GauntletOptions,
  { trial, by, timeoutMs, folder, baseline }: TrialRun,
): Promise<GauntletTrial> {
  const { name } = trial;
  const { ended, tests, recording } = await runOnce(options, join(folder, name), name, timeoutMs);
  const seconds = rounded(ended.seconds);
  const about = { ...told(trial, options), seconds, heardBy: by };
  if (ended.code === 0 && !recording.isApplied) return { ...about, notHeard: unappliedText(trial) };
  if (ended.code === 0) return { ...about, verdict: 'survived' };
  const of = baseline.map((run) => run.recording) as [Recording, Recording];
  const broken = {
    ...about,
    tests: tests.failed,
    output: tests.failed.length > 0 ? null : tests.last,
    change: causeOf(tests.failed, of, recording, trial.sentence),
  };
  if (ended.isTimeout) return { ...broken, verdict: 'hangs' };
  // The trial did nothing: the suite failed by itself.
  return { ...broken, verdict: ended.code === null || recording.isApplied ? 'broke' : 'flaky' };
}

/** Why nothing heard a trial that ran. */
function unappliedText({ does }: Trial): string {
  return 'quirk' in does || 'profile' in does || 'now' in does ? 'every bank sets it itself' : 'it met no call';
}

/** What a report says of a trial that has not run. */
function told({ name, kind, sentence, banks, rule, docs }: Trial, { again }: GauntletOptions): GauntletTrial {
  const none = { tests: [], output: null, change: null };
  return { name, kind, verdict: 'not heard', seconds: 0, ...none, sentence, banks, rule, docs, again: again(name) };
}

function notHeard(trial: Trial, options: GauntletOptions): GauntletTrial {
  return { ...told(trial, options), notHeard: `no test ${trial.heard.by}` };
}

/** The first call of the baseline that hears a trial, if one does. */
function heardBy({ name, heard }: Trial, recording: Recording): string | null {
  if (heard.in === 'changed') return recording.heard.get(name) ?? null;
  if (heard.in === 'now') return recording.banks.some(({ isNowOpen }) => isNowOpen) ? 'createBank without now' : null;
  const found = recording.calls.find(heard.in);
  return found === undefined ? null : found.operation || found.call.replace(/\/[^/]{20,}$/, '/...');
}

function requireGreen(first: Run, second: Run, { jobs, addressAs }: GauntletOptions): void {
  const red = [first, second].find(({ ended }) => ended.code !== 0);
  const isBoth = first.ended.code !== 0 && second.ended.code !== 0;
  if (red !== undefined && (isBoth || red === first)) {
    const atOnce = jobs > 1 ? ' Two of them ran at the same time: --jobs 1 runs one after the other.' : '';
    const why = red.ended.isTimeout ? 'does not end' : 'is red';
    throw new SuiteProblem(`${red.tests.last}\nThe suite ${why} without any trial. Nothing else was run.${atOnce}`);
  }
  const { banks, calls } = first.recording;
  if (banks.length > 0 && (addressAs === null || calls.length > 0)) return;
  throw new SuiteProblem(
    addressAs === null
      ? 'The suite opened no bank of its own: createBank, openPlatform and sandbank serve in its processes are heard. --server starts a bank for a suite that takes its address from BANK.'
      : `No call reached the bank whose address is in ${addressAs}.`,
  );
}

/** Whether two runs had the same end, the same tests and the same calls. */
function isAlike(one: Run, other: Run): boolean {
  const of = ({ ended, tests, recording }: Run): string => {
    const calls = recording.calls.map(({ operation, status }) => `${operation} ${status}`).toSorted();
    return JSON.stringify([ended.code, tests.passed, calls]);
  };
  return of(one) === of(other);
}

function flakyText(one: Run, other: Run): string {
  const of = ({ ended, tests, recording }: Run): string =>
    `exit code ${ended.code}, ${tests.passed ?? 'some'} tests pass, ${interfaceCalls(recording).length} calls`;
  return `The suite is not the same twice: ${of(one)}; then ${of(other)}. --flaky goes on all the same.`;
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
