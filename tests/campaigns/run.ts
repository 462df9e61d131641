import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { type Campaign, type CampaignReport, runCampaign } from './campaign.ts';
import { headCommit } from './commit.ts';
import { campaigns } from './list.ts';
import type { Proved } from './proof-page.ts';

/** The files of campaigns that are beside another one. */
const besides: Readonly<Record<string, string>> = { habits: 'reader', schemas: 'bundles' };

const usage = `npm run soak -- CAMPAIGN [--seed N] [--count N] [--seconds N] [--report FILE] [--processes N]

Searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed the clock gives one, which is printed.
Ctrl-C, SIGTERM or the end of --seconds ends it after the unit under way and prints the counts. --report writes them to FILE as JSON.
--processes divides the count: the second process begins with the seed after those of the first. Years then are the same as in one process.

Campaigns:
${Object.entries(campaigns)
  .map(([name, summary]) => `  ${name.padEnd(12)}${summary}\n`)
  .join('')}`;

const text = { type: 'string' } as const;
const config = {
  options: { seed: text, count: text, seconds: text, report: text, processes: text },
  allowPositionals: true,
} as const;

await runScript(usage, config, ({ values, positionals }) => main(positionals, values));

interface Flags {
  readonly seed?: string;
  readonly count?: string;
  readonly seconds?: string;
  readonly report?: string;
  readonly processes?: string;
}

async function main(names: readonly string[], flags: Flags): Promise<void> {
  const unknown = names.find((each) => !Object.hasOwn(campaigns, each));
  if (unknown !== undefined) throw new WrongFlags(`There is no campaign ${unknown}`);
  const [name] = names;
  if (name === undefined || names.length > 1) throw new WrongFlags('Name one campaign');
  const file = `./${besides[name] ?? name}.ts`;
  const campaign = ((await import(file)) as Readonly<Record<string, Campaign>>)[name];
  if (campaign === undefined) throw new Error(`${file} exports no ${name}`);
  const seed =
    flags.seed === undefined ? Math.floor(performance.timeOrigin) % 1_000_000_000 : whole('seed', flags.seed);
  const count = flags.count === undefined ? campaign.usualCount : whole('count', flags.count);
  console.log(`${name}: seed ${seed}, ${count} ${campaign.unit}`);
  const started = performance.now();
  // As it is now: a long campaign may end after the next commit.
  const commit = flags.report === undefined ? '' : headCommit();
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ending.abort();
      process.exitCode = 130;
    });
  }
  if (flags.seconds !== undefined) setTimeout(() => ending.abort(), whole('seconds', flags.seconds) * 1000).unref();
  const progress = (done: number): void => bar(done, count);
  const processes = flags.processes === undefined ? 1 : whole('processes', flags.processes);
  const report =
    processes > 1
      ? await inProcesses({ name, seed, share: Math.ceil(count / processes), processes, seconds: flags.seconds })
      : await runCampaign(campaign, { seed, count, progress, ending: ending.signal });
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const [what, times] of Object.entries(report.tallies)) console.log(`${String(times).padStart(10)}  ${what}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (flags.report !== undefined) {
    const { unit } = campaign;
    const row: Proved = { campaign: name, unit, asked: count, seconds, ...report, commit };
    writeFileSync(flags.report, `${JSON.stringify(row, null, 2)}\n`);
  }
  console.log(`${report.done} of ${count} ${campaign.unit} in ${seconds} s`);
  if (report.violation === null) return console.log('no violation');
  console.error(`violation: ${report.violation}\nagain with: npm run soak -- ${name} --seed ${seed} --count ${count}`);
  process.exitCode = 1;
}

interface Shares {
  readonly name: string;
  readonly seed: number;
  /** Count of each process. */
  readonly share: number;
  readonly processes: number;
  readonly seconds: string | undefined;
}

/** Runs shares of a campaign at a time, and adds up what they report. */
async function inProcesses({ name, seed, share, processes, seconds }: Shares): Promise<CampaignReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-soak-'));
  const reports = await Promise.all(
    Array.from({ length: processes }, async (_, index): Promise<CampaignReport> => {
      const report = join(folder, `${index}.json`);
      const flags = ['--seed', String(seed + index * share), '--count', String(share), '--report', report];
      if (seconds !== undefined) flags.push('--seconds', seconds);
      const file = fileURLToPath(import.meta.url);
      await once(spawn(process.execPath, [file, name, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
      return JSON.parse(readFileSync(report, 'utf8')) as CampaignReport;
    }),
  );
  rmSync(folder, { recursive: true });
  const tallies: Record<string, number> = {};
  for (const report of reports)
    for (const [what, times] of Object.entries(report.tallies)) tallies[what] = (tallies[what] ?? 0) + times;
  const done = reports.reduce((sum, report) => sum + report.done, 0);
  return { seed, done, tallies, violation: reports.find(({ violation }) => violation !== null)?.violation ?? null };
}

/** Draws a progress bar, on a terminal only. */
function bar(done: number, count: number): void {
  if (!process.stderr.isTTY) return;
  const width = 30;
  const full = Math.round((width * Math.min(done, count)) / Math.max(1, count));
  process.stderr.write(`\r[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${done} of ${count}`);
}

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new WrongFlags(`--${name} is a whole number of at most nine digits, not ${text}`);
}
