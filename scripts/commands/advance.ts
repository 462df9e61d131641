import type { Terminal } from '../cli/terminal.ts';
import type { Arguments } from '../cli/arguments.ts';
import { CommandFailed, WrongUse } from '../cli/command.ts';
import type { ReceivedEvent } from '../cli/control-plane-client.ts';
import { wrongValue, whenOf } from '../cli/flag-values.ts';
import { refusal } from '../cli/refusal.ts';
import { serverCommand } from '../cli/server-command.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { counted, printAnswer } from '../cli/output.ts';

/** `POST /sandbox/clock/advance` of a server, with each run as it comes. */
export const advance = serverCommand({
  name: 'advance',
  usage: '(INSTANT | DURATION | --runs N | --until PAYMENT=STATUS)',
  summary: 'Moves the bank clock forward, and shows what each settlement run did.',
  flags: {
    '--runs <N>': 'Moves the clock past N settlement runs.',
    '--until <PAYMENT=STATUS>':
      'Moves the clock until the payment has the status, which stands after the last =: an id may end in = too. Exit code 1 if the payment ends in another status.',
  },
  words: [0, 1],
  notes: [
    'INSTANT is 2027-04-01 or 2027-04-01T12:00:00+02:00, DURATION is P3D or PT12H. One call moves the clock by at most 10 years.',
    'Ctrl-C stops the advance between two runs. The next advance continues there.',
  ],
  examples: ['sandbank advance P3D', 'sandbank advance --runs 1 --json'],
  run: async (call) => {
    const { given, terminal, client } = call;
    const onRun = given.has('json') ? () => undefined : printRuns(terminal);
    const answer = await ending(client.follow('/clock/advance', targetOf(given)), given.program, onRun);
    printAnswer(call, answer, endLines);
    if (answer.reached === false)
      throw new CommandFailed(
        `${given.text('until')} was not reached: the payment ended in another status, and the clock stopped there`,
      );
  },
});

function targetOf(given: Arguments): object {
  const [word] = given.words;
  const runs = given.text('runs');
  const until = given.text('until');
  if ([word, runs, until].filter((target) => target !== undefined).length !== 1) {
    throw new WrongUse('give one of INSTANT, DURATION, --runs N, --until PAYMENT=STATUS');
  }
  if (runs !== undefined) return { runs: wholeNumber(runs) };
  if (until !== undefined) return { until: awaited(until) };
  const isInstant = whenOf(word ?? '', '2027-04-01, 2027-04-01T12:00:00+02:00 or P3D') === 'instant';
  return isInstant ? { to: word } : { by: word };
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw wrongValue('runs', text, 'a whole number, 1 or more');
}

/** Splits at the last `=`, as payment ids may end in `=`. */
function awaited(text: string): object {
  const [, paymentId, status] = /^(.+)=([A-Z]{4})$/.exec(text) ?? [];
  if (paymentId !== undefined) return { paymentId, status };
  throw wrongValue('until', text, "PAYMENT=STATUS, such as 'enc!!...==ACSC' in single quotes");
}

/** Reads the events to the end and returns the answer. */
async function ending(
  events: AsyncIterable<ReceivedEvent>,
  program: string,
  onRun: (run: RunAnswer) => void,
): Promise<AdvanceAnswer> {
  for await (const { event, data } of events) {
    if (event === 'done') return data as AdvanceAnswer;
    if (event === 'error') throw refusal(data, program) ?? new CommandFailed('the advance failed');
    if (event === 'run') onRun(data as RunAnswer);
  }
  throw new CommandFailed('the server went away before the advance was done: what its runs did is kept');
}

type AdvanceAnswer = AnswerTo<'POST /clock/advance'>;
type RunAnswer = AdvanceAnswer['runs'][number];

const counts = ['settled', 'retried', 'rejected', 'booked', 'registered'] as const;

/** Prints a row for each run, as it comes, below a heading. */
function printRuns(terminal: Terminal): (run: RunAnswer) => void {
  let isFirst = true;
  return (run) => {
    if (isFirst) terminal.out(row('Run', 'Oslo', counts));
    isFirst = false;
    const figures = counts.map((name) => String(run[name]));
    terminal.out(row(run.id, run.at.slice(11, 16), figures));
  };
}

function endLines({ from, to, runs, skippedEmptyRuns, lives = [] }: AdvanceAnswer): string[] {
  const totals = counts.map((name) => `${runs.reduce((sum, run) => sum + run[name], 0)} ${name}`);
  const did = runs.length === 0 ? '' : `: ${totals.join(', ')}`;
  return [
    `${counted(runs.length, 'run')} with work, ${skippedEmptyRuns} without${did}.`,
    ...lives.map(
      ({ account, count, received, spent }) =>
        `${account}: its life booked ${counted(count, 'transaction')}, ${received.amount} NOK in and ${spent.amount} NOK out.`,
    ),
    `The bank clock went from ${from} to ${to}.`,
  ];
}

function row(id: string, time: string, figures: readonly string[]): string {
  const cells = figures.map((figure) => figure.padStart(12));
  return `${id.padEnd(14)}${time.padEnd(5)}${cells.join('')}`;
}
