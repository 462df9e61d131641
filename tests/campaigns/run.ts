import { Mistake } from '../../engine/values/mistake.ts';
import { runScript } from '../../scripts/run-script.ts';
import { type CampaignName, campaignNames, campaigns } from './list.ts';
import { keptFolder } from './page.ts';
import { runAll, writePage } from './run-all.ts';
import { runOne } from './run-one.ts';

const usual = { all: 7_200, quick: 120 };
const usage = `npm run campaigns [-- --resume] [--seconds N]
npm run campaigns -- --quick | --page
npm run campaigns -- CAMPAIGN [--seed N] [--count N] [--seconds N] [--keep]

A campaign searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed the clock gives one, which is printed.

Without a name all campaigns run to their counts, one for each core at a time; years takes all cores. After two hours, or --seconds, each ends with the unit under way.
The report of each is kept in ${keptFolder}/CAMPAIGN.json as soon as it ends, and docs/how-we-know.md is made of these files.
--resume leaves out the campaigns that have reached their counts on this code. --quick runs two minutes and keeps nothing. --page makes the page alone.
Of one campaign --keep keeps the report. Ctrl-C and SIGTERM end it as --seconds does.

Campaigns:
${campaignNames.map((name) => `  ${name.padEnd(12)}${campaigns[name].count} ${campaigns[name].unit}: ${campaigns[name].tries}\n`).join('')}`;

const [text, yes] = [{ type: 'string' }, { type: 'boolean' }] as const;
const config = {
  options: { seed: text, count: text, seconds: text, keep: yes, resume: yes, quick: yes, page: yes },
  allowPositionals: true,
} as const;

await runScript(usage, config, async ({ values: flags, positionals: names }) => {
  const isListed = (each: string): each is CampaignName => Object.hasOwn(campaigns, each);
  const unknown = names.find((each) => !isListed(each));
  if (unknown !== undefined) throw new Mistake(`There is no campaign ${unknown}`);
  if (names.length > 1) throw new Mistake('Name one campaign, or none for all');
  const [seed, count, seconds] = [
    whole('seed', flags.seed),
    whole('count', flags.count),
    whole('seconds', flags.seconds),
  ];
  const { keep, resume, quick, page } = flags;
  const [name] = names.filter(isListed);
  if (name === undefined) {
    if ((flags.seed ?? flags.count ?? keep) !== undefined)
      throw new Mistake('Name the campaign of --seed, --count or --keep');
    const isQuick = quick === true;
    const limit = seconds ?? (isQuick ? usual.quick : usual.all);
    if (page !== true) return runAll({ isQuick, isResumed: resume === true, seconds: limit });
    return writePage();
  }
  if ((quick ?? resume ?? page) !== undefined) throw new Mistake('--quick, --resume and --page are for all campaigns');
  return runOne(name, { seed, count, seconds, isKept: keep === true });
});

/** A flag's number; null: it was not given. */
function whole(name: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Mistake(`--${name} is a whole number of at most nine digits, not ${given}`);
}
