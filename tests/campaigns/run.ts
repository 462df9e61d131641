import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { type Campaign, runCampaign } from './campaign.ts';

/** Campaigns by name. `NAME.ts` exports NAME, or the file of {@link besides}; it is loaded when it runs. */
const campaigns: Readonly<Record<string, string>> = {
  kill: 'kill -9 during everything that writes',
  hosted: 'a hundred banks in files: clients, kills, banks made and removed',
  faults: 'the disk fails once, anywhere',
  retries: 'clients that send again while answers break',
  fuzz: 'requests of any kind',
  signatures: 'signatures, valid and mutated',
  years: 'simulated years against an auditor',
  profiles: 'banks under the profiles with most habits of settlement, against the auditor',
  alarm: 'five settlement times in five minutes, by node-cron alone',
  clock: 'jumps of the wall clock, restarts',
  reader: 'a reader of account information',
  forecasts: 'banks of all kinds, forecast and then advanced',
  life: 'lives of all personas, by any steps of the clock',
  habits: 'a reader under the habits of each profile',
  quirks: 'random banks under each quirk',
  drift: 'recordings of Sandbank, replayed in Sandbank',
  privacy: 'recordings of personal data, spelled in any way',
  secrets: 'tokens and keys, spelled in any way',
  bodies: 'bodies too large, slow, or broken',
  bundles: 'bundles that were built wrong',
  schemas: 'bundles with objects of all kinds',
};

/** The files of campaigns that are beside another one. */
const besides: Readonly<Record<string, string>> = { profiles: 'years', habits: 'reader', schemas: 'bundles' };

const usage = `npm run soak -- CAMPAIGN [--seed N] [--count N]

Searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed the clock gives one, which is printed.
Ctrl-C, or SIGTERM, ends it after the unit under way and prints the counts.

Campaigns:
${Object.entries(campaigns)
  .map(([name, summary]) => `  ${name.padEnd(12)}${summary}\n`)
  .join('')}`;

const config = { options: { seed: { type: 'string' }, count: { type: 'string' } }, allowPositionals: true } as const;

await runScript(usage, config, ({ values, positionals }) => main(positionals, values));

async function main(names: readonly string[], flags: { readonly seed?: string; readonly count?: string }) {
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
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ending.abort();
      process.exitCode = 130;
    });
  }
  const progress = (done: number): void => bar(done, count);
  const report = await runCampaign(campaign, { seed, count, progress, ending: ending.signal });
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const [what, times] of Object.entries(report.tallies)) console.log(`${String(times).padStart(10)}  ${what}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${report.done} of ${count} ${campaign.unit} in ${seconds} s`);
  if (report.violation === null) return console.log('no violation');
  console.error(`violation: ${report.violation}\nagain with: npm run soak -- ${name} --seed ${seed} --count ${count}`);
  process.exitCode = 1;
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
