import { writeFileSync } from 'node:fs';
import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { type Campaign, runCampaign } from './campaign.ts';
import { campaigns } from './list.ts';
import { headCommit, type Proved } from './proof-page.ts';

/** The files of campaigns that are beside another one. */
const besides: Readonly<Record<string, string>> = { profiles: 'reader', schemas: 'bundles' };

const usage = `npm run soak -- CAMPAIGN [--seed N] [--count N] [--seconds N] [--report FILE]

Searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed the clock gives one, which is printed.
Ctrl-C, SIGTERM or the end of --seconds ends it after the unit under way and prints the counts. --report writes them to FILE as JSON.

Campaigns:
${Object.entries(campaigns)
  .map(([name, summary]) => `  ${name.padEnd(12)}${summary}\n`)
  .join('')}`;

const text = { type: 'string' } as const;
const config = { options: { seed: text, count: text, seconds: text, report: text }, allowPositionals: true } as const;

await runScript(usage, config, async ({ values: flags, positionals: names }) => {
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
  const progress = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}${done < count ? '' : '\n'}`);
  };
  const report = await runCampaign(campaign, { seed, count, progress, ending: ending.signal });
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
});

function whole(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new WrongFlags(`--${name} is a whole number of at most nine digits, not ${text}`);
}
