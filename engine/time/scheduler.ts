import { clearInterval, clearTimeout, setInterval, setTimeout } from './clock.ts';
import { createTask, type ScheduledTask } from 'node-cron';
import type { DayTimes } from './rules/cut-offs.ts';
import type { RunTrigger } from './rules/settlement-run.ts';

/** What calls a check: cron is punctual, the heartbeat catches what cron misses (rules.md T5b). */
export type Alarm = Extract<RunTrigger, 'cron' | 'heartbeat'>;

/** A task that is called again and again while the server runs. */
export interface Check {
  /** Never called while an earlier call is running: a call of cron then follows it. */
  readonly run: (alarm: Alarm) => Promise<void> | void;
  /** Called when `run` throws; the check is not called again. */
  readonly failed: (error: unknown) => void;
}

export type Scheduler = ReturnType<typeof startScheduler>;

/** Usual time between two heartbeats, in ms. */
const heartbeatMs = 1_000;
/** Delay of cron after the start, in ms: it makes Node load time zones, which would delay the first request. */
const cronDelayMs = 50;

/**
 * Calls every check each second, or every `interval` ms, and, by cron, at the settlement times of the open banks in
 * Oslo (rules.md T5, T5b). No check delays another; the check decides whether there is anything to do. The heartbeat
 * does not depend on the wall clock, so it goes on when that is set back. When the wall clock jumps over a settlement
 * time, cron reports it as missed, and the checks are called then.
 */
export function startScheduler(checks: readonly Check[], interval = heartbeatMs) {
  const watches = checks.map(watch);
  const beat = (alarm: Alarm): void => {
    for (const each of watches) each.beat(alarm);
  };
  const heart = setInterval(beat, interval, 'heartbeat').unref();
  /** Null until cron begins. */
  const tasks = new Map<string, ScheduledTask | null>();
  let hasBegun = false;
  const follow = (times: DayTimes): void => {
    const call = (): void => beat('cron');
    for (const time of times) if (!tasks.get(time)) tasks.set(time, hasBegun ? atOsloTime(time, call) : null);
  };
  const begin = (): void => {
    hasBegun = true;
    follow([...tasks.keys()]);
  };
  const beginning = setTimeout(begin, cronDelayMs).unref();
  return {
    /** From now on cron calls at these times too: they are those of another open bank. */
    follow,
    stop: async (): Promise<void> => {
      clearInterval(heart);
      clearTimeout(beginning);
      for (const task of tasks.values()) await task?.destroy();
      await Promise.all(watches.map((each) => each.end()));
    },
  };
}

/** Calls every day at `HH:MM`, closed days too. */
function atOsloTime(time: string, call: () => void): ScheduledTask {
  const [hour, minute] = time.split(':').map(Number);
  const settings = { timezone: 'Europe/Oslo', suppressMissedWarning: true, unref: true };
  const task = createTask(`${minute} ${hour} * * *`, call, settings);
  task.on('execution:missed', call);
  void task.start();
  return task;
}

function watch({ run, failed }: Check): { beat(alarm: Alarm): void; end(): Promise<void> } {
  let current: Promise<void> | null = null;
  /** Cron has called during the current call. */
  let isCalled = false;
  let isOff = false;
  const turn = async (alarm: Alarm): Promise<void> => {
    try {
      await run(alarm);
      while (isCalled && !isOff) {
        isCalled = false;
        await run('cron');
      }
    } catch (error) {
      isOff = true;
      failed(error);
    } finally {
      current = null;
    }
  };
  return {
    beat: (alarm) => {
      if (isOff) return;
      if (current !== null) isCalled ||= alarm === 'cron';
      else current = turn(alarm);
    },
    end: async () => {
      isOff = true;
      await current;
    },
  };
}
