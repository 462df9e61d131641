import { writeFileSync } from 'node:fs';
import { type Campaign, runCampaign } from './campaign.ts';
import { headCommit, type KeptReport } from './page.ts';

interface OneOptions {
  /** Null: the clock gives one. */
  readonly seed: number | null;
  /** Null: the usual count of the campaign. */
  readonly count: number | null;
  /** Ends the campaign after the unit under way. Null: it runs to its count. */
  readonly seconds: number | null;
  /** Where the report is written; null: nowhere. */
  readonly report: string | null;
}

/** Runs a campaign in this process and prints its counts. A violation sets the exit code 1, a signal 130. */
export async function runOne(name: string, options: OneOptions): Promise<void> {
  const campaign = await campaignOf(name);
  const { unit, usualCount } = campaign;
  const seed = options.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000;
  const count = options.count ?? usualCount;
  console.log(`${name}: seed ${seed}, ${count} ${unit}`);
  const started = performance.now();
  // As it is now: a long campaign may end after the next commit.
  const commit = options.report === null ? '' : headCommit();
  const progress = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}${done < count ? '' : '\n'}`);
  };
  const report = await runCampaign(campaign, { seed, count, progress, ending: endingAfter(options.seconds) });
  for (const [what, times] of Object.entries(report.tallies)) console.log(`${String(times).padStart(10)}  ${what}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (options.report !== null) {
    const kept: KeptReport = { campaign: name, unit, asked: count, seconds, ...report, commit };
    writeFileSync(options.report, `${JSON.stringify(kept, null, 2)}\n`);
  }
  console.log(`${report.done} of ${count} ${unit} in ${seconds} s`);
  if (report.violation === null) return console.log('no violation');
  const again = `npm run campaigns -- ${name} --seed ${seed} --count ${count}`;
  console.error(`violation: ${report.violation}\nagain with: ${again}`);
  process.exitCode = 1;
}

async function campaignOf(name: string): Promise<Campaign> {
  const file = `./${name}.ts`;
  const campaign = ((await import(file)) as Readonly<Record<string, Campaign>>)[name];
  if (campaign === undefined) throw new Error(`${file} exports no ${name}`);
  return campaign;
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
