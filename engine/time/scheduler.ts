import { clearInterval, clearTimeout, setInterval, setTimeout } from './clock.ts';
import { createTask, type ScheduledTask } from 'node-cron';
import type { DayTimes } from './rules/cut-offs.ts';

/** A task that is called again and again while the server runs. */
export interface Check {
  /** Never called while an earlier call is running. */
  readonly run: () => Promise<void> | void;
  /** Called when `run` throws; the check is not called again. */
  readonly failed: (error: unknown) => void;
}

/** Usual time between two heartbeats, in ms. */
const heartbeatMs = 1_000;
/** Delay of cron after the start, in ms: it makes Node load time zones, which would delay the first request. */
const cronDelayMs = 50;

/**
 * Calls every check each second, or every `interval` ms, and, by cron, at the settlement times in Oslo (rules.md T5). No check
 * delays another; the check decides whether there is anything to do. The heartbeat does not depend on the wall clock, so it goes
 * on when that is set back. When the wall clock jumps over a settlement time, cron reports it as missed, and the checks are called
 * then.
 */
export function startScheduler(
  times: DayTimes,
  checks: readonly Check[],
  interval = heartbeatMs,
): { stop(): Promise<void> } {
  const watches = checks.map(watch);
  const beat = (): void => {
    for (const each of watches) each.beat();
  };
  const heart = setInterval(beat, interval).unref();
  const tasks: ScheduledTask[] = [];
  const begin = (): void => void tasks.push(...times.map((time) => atOsloTime(time, beat)));
  const beginning = setTimeout(begin, cronDelayMs).unref();
  return {
    stop: async () => {
      clearInterval(heart);
      clearTimeout(beginning);
      for (const task of tasks) await task.destroy();
      await Promise.all(watches.map((each) => each.end()));
    },
  };
}

/** Calls every day at `HH:MM`, closed days too. */
function atOsloTime(time: string, beat: () => void): ScheduledTask {
  const [hour, minute] = time.split(':').map(Number);
  const settings = { timezone: 'Europe/Oslo', suppressMissedWarning: true, unref: true };
  const task = createTask(`${minute} ${hour} * * *`, beat, settings);
  task.on('execution:missed', beat);
  void task.start();
  return task;
}

function watch({ run, failed }: Check): { beat(): void; end(): Promise<void> } {
  let current: Promise<void> | null = null;
  let isOff = false;
  const turn = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      isOff = true;
      failed(error);
    } finally {
      current = null;
    }
  };
  return {
    beat: () => {
      if (!isOff) current ??= turn();
    },
    end: async () => {
      isOff = true;
      await current;
    },
  };
}
