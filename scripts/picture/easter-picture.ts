import { createBank, type Bank } from '../../api/harness/index.ts';
import { main } from '../cli/main.ts';
import { svg, type Day } from './svg.ts';

const from = '2027-03-24';
const to = '2027-03-30';

interface CalendarAnswer {
  readonly days: readonly { readonly date: string; readonly reason?: string; readonly runs: readonly object[] }[];
}

/**
 * The story of a payment over Easter 2027, as an SVG text: the bank's own calendar, and what `sandbank forecast` and
 * `sandbank advance` print. The same each time.
 */
export async function easterPicture(): Promise<string> {
  const bank = await createBank({ now: `${from}T12:00:00+01:00`, idSeed: 'easter', port: 0 });
  try {
    const payment = await bank
      .tpp()
      .pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
    const days = await calendar(bank);
    const lines = [...(await run(bank, 'forecast 2027-03-31')), '', ...(await run(bank, 'advance 2027-03-31'))];
    const { attempts } = await bank.payments(payment);
    const settled = attempts[0]?.at ?? '';
    const notes = new Map([
      [from, 'signed 12:00'],
      ['2027-03-25', 'asked for'],
      [settled.slice(0, 10), `settles ${settled.slice(11, 16)}`],
    ]);
    return svg(
      days.map((day) => ({ ...day, note: notes.get(day.date) ?? '' })),
      lines,
    );
  } finally {
    await bank.close();
  }
}

async function calendar(bank: Bank): Promise<Omit<Day, 'note'>[]> {
  const answer = await bank.fetch(`/sandbox/calendar?from=${from}&to=${to}`);
  const { days } = (await answer.json()) as CalendarAnswer;
  return days.map(({ date, reason, runs }) => ({ date, runs: runs.length, reason: reason ?? '' }));
}

/** A command as somebody types it, and what it prints. */
async function run(bank: Bank, command: string): Promise<string[]> {
  const lines: string[] = [`$ sandbank ${command}`];
  const keep = (line: string): void => void lines.push(line);
  const env = { BANK: bank.url };
  const program = 'sandbank';
  const terminal = {
    env,
    program,
    isInteractive: false,
    isColoured: false,
    out: keep,
    error: keep,
    draw: () => undefined,
  };
  const code = await main(command.split(' '), terminal);
  if (code !== 0) throw new Error(lines.join('\n'));
  return lines;
}
