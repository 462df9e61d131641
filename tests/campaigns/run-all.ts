import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { formatted } from '../support/formatted.ts';
import { type CampaignName, campaignNames, campaigns } from './list.ts';
import { isCurrent, keptFolder, keptIn, type KeptReport, pageOf } from './page.ts';

interface AllOptions {
  /** Their small counts, whose reports are not kept. */
  readonly isQuick: boolean;
  /** Whether those are left out that have reached their counts with what is checked out. */
  readonly isResumed: boolean;
  /** After so many each campaign ends with the unit under way. */
  readonly seconds: number;
}

/**
 * Runs all campaigns, each in a process of its own, as many at a time as there are cores, and those first that take longest by their last reports. Each report is
 * kept, and the page made, as soon as the campaign ends. One that fails, finds a fault or misses its count sets the exit code 1. None
 * begins when the time is over.
 */
export async function runAll({ isQuick, isResumed, seconds }: AllOptions): Promise<void> {
  const ends = performance.now() + seconds * 1000;
  const secondsOf = (name: CampaignName): number => {
    const { done = 1, seconds: took = Infinity } = keptIn<KeptReport>(keptFolder, name) ?? {};
    return (took * campaigns[name].count) / Math.max(1, done);
  };
  const waiting = campaignNames
    .filter((name) => !(isQuick && campaigns[name].quick === 0) && !(isResumed && isReached(name)))
    .toSorted((one, other) => secondsOf(other) - secondsOf(one));
  const running = new Set<ChildProcess>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      waiting.length = 0;
      for (const child of running) child.kill(signal);
      process.exitCode = 130;
    });
  }
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const left = Math.round((ends - performance.now()) / 1000);
      if (left <= 0) {
        console.log(`${name}: no time was left`);
        process.exitCode = 1;
        continue;
      }
      const flags = isQuick ? ['--count', String(campaigns[name].quick)] : ['--keep'];
      const words = ['tests/campaigns/run.ts', name, '--seconds', String(left), ...flags];
      // Another group: Ctrl-C ends a campaign once, by way of this process.
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      running.add(child);
      const [out, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      running.delete(child);
      console.log(out + problems);
      if (code !== 0 || !(isQuick || isReached(name))) process.exitCode = 1;
      if (!isQuick) await writePage();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  console.log(`all campaigns in ${Math.round((performance.now() - ends) / 1000 + seconds)} s`);
}

/** Whether a campaign has reached its count, and kept every promise, with what is checked out. */
function isReached(name: CampaignName): boolean {
  const report = keptIn<KeptReport>(keptFolder, name);
  return report?.violation === null && report.done >= campaigns[name].count && isCurrent(report.commit);
}

/** Makes docs/how-we-know.md from the kept reports. */
export async function writePage(): Promise<void> {
  writeFileSync('docs/how-we-know.md', await formatted('how-we-know.md', pageOf(keptFolder)));
}
