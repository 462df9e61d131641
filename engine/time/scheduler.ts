import { createTask, type ScheduledTask } from 'node-cron';
import type { SettlementTimes } from './rules/settlement-run.ts';

/** Something that is looked after while a server runs. */
export interface Check {
  /** Never called while an earlier call of it is under way. */
  readonly run: () => Promise<void> | void;
  /** Hears of a run that threw, after which this check is off. */
  readonly failed: (error: unknown) => void;
}

/** Between two heartbeats, in ms. */
const interval = 1_000;

/**
 * The alarms (rules.md T5): a heartbeat each second, and cron at the settlement times of Oslo. Both call every check, and
 * none delays another. They carry no rules: whether there is anything to do is the check's business. The heartbeat counts
 * the time that passes, so that it goes on when the wall clock is set back; cron misses its time where the wall clock
 * jumps over it, and calls then.
 */
export function startScheduler(times: SettlementTimes, checks: readonly Check[]): { stop(): Promise<void> } {
  const watches = checks.map(watch);
  const beat = (): void => {
    for (const each of watches) each.beat();
  };
  const heart = setInterval(beat, interval).unref();
  const tasks = times.map((time) => atOsloTime(time, beat));
  return {
    stop: async () => {
      clearInterval(heart);
      for (const task of tasks) await task.destroy();
      await Promise.all(watches.map((each) => each.end()));
    },
  };
}

/** Every day at `HH:MM`: which days are closed is the calendar's business. */
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
