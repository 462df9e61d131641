import { writeFileSync } from 'node:fs';
import { campaignIn, runCampaign } from './campaign.ts';
import { type CampaignName, campaigns, type Listed } from './list.ts';
import { onThreads } from './on-threads.ts';
import { headCommit, keptFolder, type KeptReport } from './page.ts';

interface OneOptions {
  /** Null: the clock gives one. */
  readonly seed: number | null;
  /** Null: that of the list. */
  readonly count: number | null;
  /** Ends the campaign after the unit under way. Null: it runs to its count. */
  readonly seconds: number | null;
  /** Whether the report is written to {@link keptFolder}. */
  readonly isKept: boolean;
}

/**
 * Runs a campaign in this process, on all cores if it has parts, and prints its counts. A violation sets the exit code
 * 1, a signal 130.
 */
export async function runOne(name: CampaignName, options: OneOptions): Promise<void> {
  const { unit, count: usualCount, part = Infinity }: Listed = campaigns[name];
  const seed = options.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000;
  const count = options.count ?? usualCount;
  console.log(`${name}: seed ${seed}, ${count} ${unit}`);
  const started = performance.now();
  // As it is now: a long campaign may end after the next commit.
  const commit = headCommit();
  const progress = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}${done < count ? '' : '\n'}`);
  };
  const file = new URL(`${name}.ts`, import.meta.url);
  const campaign = count > part ? onThreads(file, name, { part }) : await campaignIn(file, name);
  const report = await runCampaign(campaign, { seed, count, progress, ending: endingAfter(options.seconds) });
  const seconds = Math.round((performance.now() - started) / 1000);
  const kept: KeptReport = { campaign: name, unit, asked: count, seconds, ...report, commit };
  if (options.isKept) writeFileSync(`${keptFolder}/${name}.json`, `${JSON.stringify(kept, null, 2)}\n`);
  for (const [what, times] of Object.entries(report.tallies)) console.log(`${String(times).padStart(10)}  ${what}`);
  const { user, system } = process.cpuUsage();
  const processor = `${Math.round((user + system) / 1_000_000)} of them of the processor`;
  console.log(`${name}: ${report.done} of ${count} ${unit} in ${seconds} s, ${processor}`);
  if (report.violation === null) return console.log('no violation');
  const again = `npm run campaigns -- ${name} --seed ${seed} --count ${count}`;
  console.error(`violation: ${report.violation}\nagain with: ${again}`);
  process.exitCode = 1;
}

/** Aborted by SIGINT, SIGTERM or the end of the seconds. */
function endingAfter(seconds: number | null): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ending.abort();
      process.exitCode = 130;
    });
  }
  if (seconds !== null) setTimeout(() => ending.abort(), seconds * 1000).unref();
  return ending.signal;
}
