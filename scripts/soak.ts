import { runScript, WrongFlags } from './run-script.ts';
import { type Campaign, runCampaign } from './soak/campaign.ts';

const usage = `npm run soak -- CAMPAIGN [--seed N] [--count N]

Searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed one is drawn from the clock, and printed.
Ctrl-C, or SIGTERM, ends it after the unit under way and prints what it has counted.

Campaigns:
`;

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Campaign>;
}

const campaigns: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'kill',
    { summary: 'kill -9 during everything that writes', load: async () => (await import('./soak/kill.ts')).kill },
  ],
  ['faults', { summary: 'the disk fails once, anywhere', load: async () => (await import('./soak/faults.ts')).faults }],
  ['fuzz', { summary: 'requests of any kind', load: async () => (await import('./soak/fuzz.ts')).fuzz }],
  [
    'signatures',
    { summary: 'signatures, valid and mutated', load: async () => (await import('./soak/signatures.ts')).signatures },
  ],
  [
    'years',
    { summary: 'simulated years against an auditor', load: async () => (await import('./soak/years.ts')).years },
  ],
  [
    'clock',
    { summary: 'jumps of the wall clock, restarts', load: async () => (await import('./soak/clock.ts')).clock },
  ],
  [
    'reader',
    { summary: 'a reader of account information', load: async () => (await import('./soak/reader.ts')).reader },
  ],
  [
    'secrets',
    { summary: 'tokens and keys, spelled in any way', load: async () => (await import('./soak/secrets.ts')).secrets },
  ],
  [
    'bodies',
    { summary: 'bodies too large, slow, or broken', load: async () => (await import('./soak/bodies.ts')).bodies },
  ],
  [
    'bundles',
    { summary: 'bundles that were built wrong', load: async () => (await import('./soak/bundles.ts')).bundles },
  ],
  [
    'schemas',
    { summary: 'bundles with objects of all kinds', load: async () => (await import('./soak/bundles.ts')).schemas },
  ],
  [
    'samples',
    { summary: 'what the tests sample, whole', load: async () => (await import('./soak/samples.ts')).samples },
  ],
]);

const config = { options: { seed: { type: 'string' }, count: { type: 'string' } }, allowPositionals: true } as const;

await runScript(
  usage + [...campaigns].map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}\n`).join(''),
  config,
  ({ values, positionals }) => main(positionals, values),
);

async function main(
  names: readonly string[],
  values: { readonly seed?: string; readonly count?: string },
): Promise<void> {
  const unknown = names.find((each) => !campaigns.has(each));
  if (unknown !== undefined) throw new WrongFlags(`There is no campaign ${unknown}`);
  const [name = ''] = names;
  const entry = campaigns.get(name);
  if (entry === undefined || names.length > 1) throw new WrongFlags('Name one campaign');
  const campaign = await entry.load();
  const seed =
    values.seed === undefined ? Math.floor(performance.timeOrigin) % 1_000_000_000 : whole('seed', values.seed);
  const count = values.count === undefined ? campaign.usualCount : whole('count', values.count);
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
  if (report.violation === null) {
    console.log('no violation');
    return;
  }
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
