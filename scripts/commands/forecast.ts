import type { AnswerTo } from '../../api/openapi/calls.ts';
import { inColour, type Terminal } from '../cli/terminal.ts';
import { whenOf } from '../cli/flag-values.ts';
import { formatTime, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';

/** The answer of `GET /sandbox/forecast`. */
type ForecastAnswer = AnswerTo<'GET /forecast'>;

/** `GET /sandbox/forecast` of a server. */
export const forecast = serverCommand({
  name: 'forecast',
  usage: '(INSTANT | DURATION)',
  summary: 'Lists what the settlement runs will do until an instant, and why. Changes nothing.',
  words: [1, 1],
  notes: [
    'INSTANT is 2027-12-31 or 2027-12-31T12:00:00+01:00, DURATION is P30D or PT12H. A forecast covers at most 10 years.',
  ],
  examples: ['sandbank forecast P30D'],
  run: async (call) => {
    const [until = ''] = call.given.words;
    whenOf(until, '2027-12-31, 2027-12-31T12:00:00+01:00 or P30D');
    const answer = await call.client.ask('GET /forecast', 'executions', { query: { to: until } });
    printAnswer(call, answer, (told) => lines(told, call.terminal));
  },
});

function lines({ from, to, executions, planned }: ForecastAnswer, terminal: Terminal): string[] {
  const outcomes = ['settle', 'retry', 'reject'] as const;
  const totals = outcomes.map((outcome) => `${executions.filter((one) => one.outcome === outcome).length} ${outcome}`);
  const did = executions.length === 0 ? 'No attempts' : `Attempts: ${totals.join(', ')}`;
  const lived = planned.map(({ date, account, amount, event }) => {
    return [
      date,
      [row(date, 'planned', `${amount.amount} ${amount.currency}, account ${account}: ${event.replaceAll('-', ' ')}`)],
    ] as const;
  });
  const tried = executions.map((one) => [formatTime(one.run.at), execution(one, terminal)] as const);
  // What is planned for a day stands before the runs of the day.
  const inOrder = [...lived, ...tried].toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const head = inOrder.length === 0 ? [] : [row('Time', 'What', 'Amount (money out is negative)')];
  return [...head, ...inOrder.flatMap(([, told]) => told), `${did}, from ${from} to ${to}.`];
}

function row(time: string, what: string, rest: string): string {
  return `${time.padEnd(16)}  ${what.padEnd(7)}  ${rest}`;
}

const outcomeColours = { settle: 'green', retry: 'yellow', reject: 'red' } as const;

function execution(one: ForecastAnswer['executions'][number], terminal: Terminal): string[] {
  const { run, outcome, needed, available, account, paymentId, item, reason } = one;
  const shown = inColour(terminal, outcomeColours[outcome], outcome.padEnd(7));
  const money = `-${needed.amount} ${needed.currency}, available ${available.amount}`;
  const payment = item === undefined ? paymentId : `${paymentId} ${item}`;
  return [row(formatTime(run.at), shown, `${money}, account ${account}`), `    ${payment}`, `    ${reason}`];
}
