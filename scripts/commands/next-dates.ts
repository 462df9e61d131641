import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import { formatInstant, parseInstant, type Instant } from '../../engine/values/instant.ts';
import { parseLocalDate, weekday } from '../../engine/values/local-date.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { WrongUse } from '../cli/command.ts';
import { printAnswer } from '../cli/output.ts';
import { dayFlag, frequencyNamed, months, monthsFlag, ruleFlag, whole, wrongValue } from '../cli/flag-values.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Each flag with its member of a periodic payment. */
const members = {
  start: 'startDate',
  frequency: 'frequency',
  day: 'dayOfExecution',
  months: 'monthsOfExecution',
  rule: 'executionRule',
  end: 'endDate',
} as const;

/** `POST /sandbox/schedule` without a server: the same dates and the same refusals. */
export const nextDates: Command = {
  name: 'next-dates',
  usage: '--start YYYY-MM-DD --frequency FREQUENCY',
  summary: 'Prints the dates of a periodic payment, without a server.',
  flags: {
    '--start <YYYY-MM-DD>': 'startDate: the first day on which a payment may be made.',
    '--frequency <FREQUENCY>': 'How often, in any letter case.',
    ...dayFlag,
    ...monthsFlag,
    ...ruleFlag,
    '--end <YYYY-MM-DD>': 'endDate: the last day on which a payment may be made.',
    '--signed-at <TIME>':
      'When the PSU signs: a date, or an instant with its offset. Prints only later payments. Default: now, and past payments are printed too.',
    '--count <N>': 'How many dates [12].',
    '--json': 'Prints the answer of POST /sandbox/schedule as JSON.',
  },
  settings: ['SANDBANK_QUIRKS', 'SANDBANK_SETTLEMENT_TIMES'],
  notes: [
    'Each line shows the nominal date and the execution date with its weekday. If the date moved, the line says why. POST /sandbox/schedule gives the same answers and refusals.',
    `FREQUENCY: ${frequencies.join(', ')}.`,
  ],
  examples: [
    'sandbank next-dates --start 2027-01-31 --frequency Monthly --count 4',
    'sandbank next-dates --start 2027-01-15 --frequency Weekly --json',
  ],
  run: async (given, terminal) => {
    for (const name of ['start', 'frequency'] as const) {
      if (!given.has(name)) throw new WrongUse(`--${name} is missing`);
    }
    // Loaded here only, so that the other commands start faster.
    const { previewDates, maxDates } = await import('./preview-dates.ts');
    const count = whole('count', given.text('count') ?? '12', maxDates);
    const { quirks, settlementTimes: times } = given.config();
    const terms = { quirks, times, count, now: systemClock.now(), signedAt: signedAtOf(given.text('signed-at')) };
    const answer = await refusedInFlags(() => previewDates(bodyOf(given), terms));
    for (const { text } of answer.warnings ?? []) if (!given.has('json')) terminal.error(`Warning: ${text}`);
    printAnswer({ given, terminal }, answer, ({ occurrences }) => occurrences.map(line));
  },
};

function bodyOf(given: Arguments): Record<string, unknown> {
  const pairs = given
    .pairs(Object.keys(members))
    .map(([flag, text]) => [members[flag as keyof typeof members], valueOf(flag, text)]);
  return Object.fromEntries(pairs) as Record<string, unknown>;
}

function valueOf(flag: string, text: string): unknown {
  if (flag === 'months') return months(text);
  // Finds a name in any letter case. An unknown name stays as it is, for the refusal.
  return flag === 'frequency' ? (frequencyNamed(text) ?? text) : text;
}

function signedAtOf(text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const instant = parseInstant(text);
  if (instant !== null && instant >= clockRange.from && instant <= clockRange.to) return instant;
  const range = `from ${formatInstant(clockRange.from)} to ${formatInstant(clockRange.to)}`;
  throw wrongValue('signed-at', text, `a date, or an instant with its offset, ${range}`);
}

/** Words a refusal of the bank with flags instead of members. */
async function refusedInFlags<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new WrongUse(error.faults.map(({ path = '', text }) => `${flagOf(path)}${text}`).join(' '));
  }
}

function flagOf(path: string): string {
  const found = Object.entries(members).find(([, member]) => path.split('[')[0] === member);
  return found === undefined ? '' : `--${found[0]}: `;
}

function line(one: { readonly nominalDate: string; readonly executionDate: string; readonly reason?: string }): string {
  const { nominalDate, executionDate, reason = '' } = one;
  const date = parseLocalDate(executionDate);
  const day = date === null ? '' : (weekdays[weekday(date) - 1] ?? '');
  return [nominalDate, executionDate, day, reason].join('  ').trimEnd();
}
