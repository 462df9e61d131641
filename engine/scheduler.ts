import { createTask, type ScheduledTask } from 'node-cron';

/**
 * The only alarm (rules.md T5): calls `tick` every second, never twice at the same time. It carries no rules: what a tick does,
 * and whether there is anything to do, is the clock's and the engine's business. `failed` hears of a tick that threw,
 * after which the alarm is off.
 */
export function startScheduler(tick: () => Promise<void>, failed: (error: unknown) => void): { stop(): Promise<void> } {
  let current: Promise<void> | null = null;
  const task: ScheduledTask = createTask('* * * * * *', () => {
    current ??= tick()
      .catch((error: unknown) => {
        void task.stop();
        failed(error);
      })
      .finally(() => {
        current = null;
      });
  });
  void task.start();
  return {
    stop: async () => {
      await task.destroy();
      await current;
    },
  };
}
