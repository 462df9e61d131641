import { join } from 'node:path';
import { figure, type Figure, inOwnProcess, inTurns } from './measure.ts';
import { serve, startsOf } from './servers.ts';
import { makeTemplates, settleAll } from './settlement.ts';

/**
 * What a long life costs: a start after a clean stop, beside that of a fresh ledger, and settling due payments that lie scattered over the
 * history, beside the same payments without one. The largest ledger has 3 GB.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const task = (name: string, history: number) => {
    const size = {
      accounts: 10_000 / scale,
      due: 20_000 / scale,
      history: history / scale,
      isScattered: true,
    } as const;
    return { by: 'engine', template: join(folder, `${name}.sqlite`), size } as const;
  };
  const tasks = { young: task('young', 0), far: task('far', 1_000_000), older: task('older', 2_000_000) };
  await makeTemplates(...Object.values(tasks));
  const settle = (one: ReturnType<typeof task>) => inOwnProcess(import.meta.resolve('./settlement.ts'), settleAll, one);
  const runs = await inTurns(tasks, settle, 3, 1);
  // The first turn makes the build and the fresh ledger, and checks the old one before it serves it: nobody has stopped it cleanly.
  const start = (ledger: string) => () => serve('--ledger', ledger);
  const starts = await startsOf({ fresh: start(join(folder, 'fresh.sqlite')), far: start(tasks.far.template) }, 4);
  // The least: other load only adds.
  const seconds = (name: keyof typeof runs): number => Math.min(...runs[name].map((run) => run.seconds));
  const { far, older } = tasks;
  const [count, booked, most] = [far.size.due, far.size.history, older.size.history].map((each) =>
    each.toLocaleString('en'),
  );
  const of = ['without history', seconds('young')] as const;
  return [
    figure(`start to /ready with ${booked} booked`, starts.far.ms, 'ms', {
      of: ['fresh', starts.fresh.ms],
      atMost: 1.3,
    }),
    figure(`settle ${count} scattered over ${booked}`, seconds('far'), 's', { of, atMost: 1.5 }),
    figure(`settle ${count} scattered over ${most}`, seconds('older'), 's', { of, atMost: 2 }),
  ];
}
