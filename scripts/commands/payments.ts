import type { AnswerTo } from '../../api/openapi/calls.ts';
import {
  type AnswerColumn,
  attemptColumns,
  dateColumns,
  paymentColumns,
  postingColumns,
  storyOf,
} from '../../api/openapi/columns.ts';
import { accountAt, amountAt, textAt } from '../../api/bodies/rule.ts';
import { stepOf } from '../../api/causes/next-step.ts';
import { pathPart } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import type { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { answerTable } from '../cli/answer-table.ts';
import { below, formatTime, indented, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';

/** The columns of payments, with their ids, which other commands take. */
export const paymentTable: readonly AnswerColumn<AnswerTo<'GET /payments'>['payments'][number]>[] = [
  ...paymentColumns,
  ['Payment id', 'text', ({ paymentId }) => paymentId],
];

type Payment = AnswerTo<'GET /payments/:paymentId'>;
type Sca = AnswerTo<'GET /sca'>['scas'][number];

/** `GET /sandbox/payments/{id}` of a server, with the SCA that waits for it. */
export const payment = serverCommand({
  name: 'payment',
  usage: '[ID]',
  summary: 'Shows what happened to a payment, its dates and why they moved, and its links.',
  words: [0, 1],
  notes: [
    'ID is a payment id; write it in single quotes, because it contains ! and =. Default: the latest payment. `sandbank payments` lists the ids.',
  ],
  examples: ['sandbank payment'],
  run: async (call) => {
    const { given, client } = call;
    const id = given.words[0] ?? (await latestOf(client));
    const answer = await client.ask('GET /payments/:paymentId', 'history', { params: { paymentId: id } });
    const { scas } = await client.ask('GET /sca', 'scas');
    const open = scas.filter((sca) => sca.payments.includes(answer.paymentId));
    printAnswer(call, answer, (payment) => storyOfPayment(payment, open, client.address));
  },
});

async function latestOf(client: ControlPlaneClient): Promise<string> {
  const { payments: found } = await client.ask('GET /payments', 'payments', { query: { limit: '1' } });
  const [latest] = found;
  if (latest === undefined) throw new CommandFailed(`the bank at ${client.address} has no payment yet`);
  return latest.paymentId;
}

/** A payment, what it waits for and what happened to it, as lines. `open`: its SCAs that wait for a PSU. */
export function storyOfPayment(payment: Payment, open: readonly Sca[], address: string): string[] {
  const { paymentId, initiation, service, product, tpp, status, forcedStatus, executionDate, nextAttempt } = payment;
  const amount = amountAt(initiation, 'instructedAmount');
  const facts = [
    ['Status', forcedStatus === null ? status : `${status}, shown to the TPP as ${forcedStatus}`],
    ['Kind', `${service}, ${product}`],
    ['From', accountAt(initiation, 'debtorAccount') ?? ''],
    ['To', [accountAt(initiation, 'creditorAccount'), textAt(initiation, 'creditorName')].filter(Boolean).join(' ')],
    ['TPP', `${tpp.name}, ${tpp.id}`],
    ['Executes', executionDate ?? ''],
    ['Next run', nextAttempt === null ? '' : formatTime(nextAttempt.at)],
    ['Why', payment.why ?? ''],
    ['Next', stepOf(payment).text],
    ...payment.signatures.map(({ psu, name, at }) => ['Signed by', `${psu} ${name}, ${formatTime(at)}`]),
    ...open.map((sca) => ['To sign', sca.address]),
    ['Console', `${address}/console/payments/${pathPart(paymentId)}`],
    ['JSON', `${address}/sandbox/payments/${pathPart(paymentId)}`],
  ];
  return [
    `${amount === null ? 'Bulk payment' : `${amount.amount} ${amount.currency}`}, ${paymentId}`,
    ...indented(facts.filter(([, value]) => value !== '')),
    'History',
    ...indented(storyOf(payment).map(pointOf)),
    ...block('Dates', answerTable(dateColumns(payment), payment.occurrences)),
    ...block('Attempts', answerTable(attemptColumns, payment.attempts)),
    ...block('Entries', answerTable(postingColumns, payment.entries)),
  ];
}

/** The cells of a status change, or of a return. */
function pointOf(point: ReturnType<typeof storyOf>[number]): string[] {
  if ('status' in point) return [formatTime(point.at), point.status, point.cause];
  const { at, due, text, kept, item } = point;
  const why = [item, text, kept === undefined ? undefined : `kept: ${kept}`].filter(Boolean).join(', ');
  return at === null ? [due, 'to be returned', why] : [formatTime(at), 'returned', why];
}

/** Lines below their title; nothing without lines. */
function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...below(lines)];
}
