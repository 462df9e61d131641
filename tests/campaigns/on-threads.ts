import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Campaign, type CampaignReport, demand } from './campaign.ts';

/**
 * The campaign `name` of a file, on as many threads as there are cores. Each part of its units has a seed of its own: that of the campaign
 * and the count of units before. Parts are counted in the order of their seeds, so the report is that of one thread: a violation is the first
 * by seed, and a campaign that ends early has done its first units without a gap.
 */
export function onThreads(
  file: URL,
  name: string,
  { part, threads = availableParallelism() }: { readonly part: number; readonly threads?: number },
): Campaign {
  return async (search) => {
    const reports = new Map<number, CampaignReport>();
    let begun = 0;
    const work = async (): Promise<void> => {
      const thread = new Worker(new URL('thread.ts', import.meta.url), { workerData: { file: file.href, name } });
      search.after(() => thread.terminate());
      while (begun < search.count) {
        const before = begun;
        begun += part;
        thread.postMessage({ seed: search.seed + before, count: Math.min(part, search.count - before) });
        const [report] = await once(thread, 'message');
        reports.set(before, report);
        for (let next = reports.get(search.done); next !== undefined; next = reports.get(search.done)) {
          search.tallyAll(next.tallies);
          demand(next.violation === null, next.violation ?? '');
          search.step(next.done);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(threads, Math.ceil(search.count / part)) }, work));
  };
}
