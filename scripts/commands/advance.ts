import type { Arguments } from '../cli/arguments.ts';
import { CommandFailed, WrongUse } from '../cli/command.ts';
import { numberIn } from '../cli/flag-values.ts';
import { serverCommand } from '../cli/server-command.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import type { AnswerColumn } from '../../api/openapi/columns.ts';
import { answerTable } from '../cli/answer-table.ts';
import { counted, printAnswer } from '../cli/output.ts';

/** `POST /sandbox/clock/advance` of a server. */
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
  ],
  examples: ['sandbank advance P3D', 'sandbank advance --runs 1 --json'],
  run: async (call) => {
    const body = targetOf(call.given);
    const answer = await call.client.ask('POST /clock/advance', 'runs', { body, signal: null });
    printAnswer(call, answer, linesOf);
    if (answer.reached !== false) return;
    const until = call.given.text('until');
    throw new CommandFailed(
      `${until} was not reached: the payment ended in another status, and the clock stopped there`,
    );
  },
});

function targetOf(given: Arguments): object {
  const [word] = given.words;
  const [runs, until] = ['runs', 'until'].map((flag) => given.text(flag));
  if ([word, runs, until].filter((target) => target !== undefined).length !== 1)
    throw new WrongUse('give one of INSTANT, DURATION, --runs N, --until PAYMENT=STATUS');
  if (runs !== undefined) return { runs: numberIn(runs) };
  if (word !== undefined) return word.startsWith('P') ? { by: word } : { to: word };
  const [status = '', ...id] = (until ?? '').split('=').toReversed();
  return { until: { paymentId: id.toReversed().join('='), status } };
}

type AdvanceAnswer = AnswerTo<'POST /clock/advance'>;
type Run = AdvanceAnswer['runs'][number];

const counts = ['settled', 'retried', 'rejected', 'booked', 'registered'] as const;

const columns: readonly AnswerColumn<Run>[] = [
  ['Run', 'text', ({ id }) => id],
  ['Oslo', 'text', ({ at }) => at.slice(11, 16)],
  ...counts.map((name): AnswerColumn<Run> => [name, 'text', (run) => String(run[name])]),
];

function linesOf({ from, to, runs, skippedEmptyRuns, lives = [] }: AdvanceAnswer): string[] {
  const totals = counts.map((name) => `${runs.reduce((sum, run) => sum + run[name], 0)} ${name}`);
  const did = runs.length === 0 ? '' : `: ${totals.join(', ')}`;
  return [
    ...answerTable(columns, runs),
    `${counted(runs.length, 'run')} with work, ${skippedEmptyRuns} without${did}.`,
    ...lives.map(
      ({ account, count, received, spent }) =>
        `${account}: its life booked ${counted(count, 'transaction')}, ${received.amount} NOK in and ${spent.amount} NOK out.`,
    ),
    `The bank clock went from ${from} to ${to}.`,
  ];
}
