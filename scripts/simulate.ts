import { parseFlags } from '../api/parse-flags.ts';
import { simulate } from '../tests/simulation/simulate.ts';

/*
 * npm run simulate -- --seed 7 --days 3650
 *
 * Lives that many days with a bank in memory: payments, standing orders, signatures, cancellations, deposits. A model
 * that shares no code with the engine lives them too, and every status, balance and settlement is compared. Exits with
 * 1 where they differ. The same seed gives the same days.
 */
const options = { seed: { type: 'string', default: '1' }, days: { type: 'string', default: '3650' } } as const;
const { values } = parseFlags({ options });
const [seed, days] = [wholeNumber('seed', values.seed), wholeNumber('days', values.days)];

const { problems, ...counts } = await simulate(seed, days);
const told = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
console.log(`seed ${seed}, ${days} days: ${told.join(', ')}`);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'bank and auditor agree' : `${problems.length} differences`);
process.exitCode = problems.length === 0 ? 0 : 1;

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} is a whole number of at most nine digits, not ${text}`);
  process.exit(2);
}
