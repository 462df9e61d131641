import { join } from 'node:path';
import type { BookSize } from '../lab/book.ts';
import { figure, type Figure, inOwnProcess, inTurns } from './measure.ts';
import { serve, startsOf } from './servers.ts';
import { makeTemplate, settleAll } from './settlement.ts';

/**
 * What a long life costs: a start after a clean stop, beside that of a fresh ledger, and settling due payments that lie scattered over the
 * history, beside the same payments side by side. Each ledger is made and measured before the next: the largest has 3 GB.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const file = (name: string): string => join(folder, `${name}.sqlite`);
  const near = { accounts: 10_000 / scale, due: 20_000 / scale, history: 1_000_000 / scale };
  const far = { ...near, isScattered: true } as const;
  const older = { ...far, history: 2_000_000 / scale };
  const task = (name: string, size: BookSize) => ({ by: 'engine', template: file(name), size }) as const;
  const tasks = { near: task('near', near), far: task('far', far), older: task('older', older) };
  for (const { template, size } of Object.values(tasks)) await makeTemplate(template, size);
  const settle = (one: ReturnType<typeof task>) => inOwnProcess(import.meta.resolve('./settlement.ts'), settleAll, one);
  const runs = await inTurns(tasks, settle, 3, 1);
  // The first turn makes the build and the fresh ledger, and checks the old one before it serves it: nobody has stopped it cleanly.
  const start = (name: string) => () => serve('--ledger', file(name));
  const starts = await startsOf({ fresh: start('fresh'), far: start('far') }, 4);
  // The least: other load only adds.
  const seconds = (name: keyof typeof runs): number => Math.min(...runs[name].map((run) => run.seconds));
  const [count, booked, most] = [near.due, far.history, older.history].map((size) => size.toLocaleString('en'));
  const together = ['side by side', seconds('near')] as const;
  return [
    figure(`start to /ready with ${booked} booked`, starts.far.ms, 'ms', {
      of: ['fresh', starts.fresh.ms],
      atMost: 1.3,
    }),
    figure(`settle ${count} scattered over ${booked}`, seconds('far'), 's', { of: together, atMost: 1.5 }),
    figure(`settle ${count} scattered over ${most}`, seconds('older'), 's', { of: together, atMost: 2 }),
  ];
}
