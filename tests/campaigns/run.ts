import { runScript } from '../../scripts/run-script.ts';
import { campaigns } from './list.ts';
import { keptFolder } from './page.ts';
import { runAll, writePage } from './run-all.ts';
import { runOne } from './run-one.ts';
import { Mistake } from '../../engine/values/mistake.ts';

const usage = `npm run campaigns -- CAMPAIGN [--seed N] [--count N] [--seconds N] [--report FILE]
npm run campaigns [-- --quick | --seconds N | --page]

A campaign searches for faults of the bank for a long time, and ends with exit code 1 and the seed at the first one.
The same seed makes the same moves. Without --seed the clock gives one, which is printed.
Ctrl-C, SIGTERM or the end of --seconds ends it after the unit under way and prints the counts. --report writes them to FILE as JSON.

Without a name all campaigns run, one for each core at a time, each to its usual count or for --seconds (an hour): about ten hours on two cores.
Their reports are written to ${keptFolder}/CAMPAIGN.json, and docs/how-we-know.md is made of these files.
--quick gives each campaign 12 seconds; a report of more work stays. It leaves out the alarm, which takes five minutes. --page makes the page alone.

Campaigns:
${Object.entries(campaigns)
  .map(([name, summary]) => `  ${name.padEnd(12)}${summary}\n`)
  .join('')}`;

const [text, yes] = [{ type: 'string' }, { type: 'boolean' }] as const;
const config = {
  options: { seed: text, count: text, seconds: text, report: text, quick: yes, page: yes },
  allowPositionals: true,
} as const;

await runScript(usage, config, async ({ values: flags, positionals: names }) => {
  const unknown = names.find((each) => !Object.hasOwn(campaigns, each));
  if (unknown !== undefined) throw new Mistake(`There is no campaign ${unknown}`);
  if (names.length > 1) throw new Mistake('Name one campaign, or none for all');
  const [name] = names;
  const { seed, count, report, quick, page, seconds } = flags;
  if (name === undefined) {
    if ((seed ?? count ?? report) !== undefined) throw new Mistake('Name the campaign of --seed, --count or --report');
    if (page !== true) await runAll({ isQuick: quick === true, seconds: whole('seconds', seconds) });
    return writePage();
  }
  if ((quick ?? page) !== undefined) throw new Mistake('--quick and --page are for all campaigns');
  const numbers = { seed: whole('seed', seed), count: whole('count', count), seconds: whole('seconds', seconds) };
  return runOne(name, { ...numbers, report: report ?? null });
});

/** A flag's number; null: it was not given. */
function whole(name: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Mistake(`--${name} is a whole number of at most nine digits, not ${given}`);
}
