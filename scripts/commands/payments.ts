import type { AnswerTo } from '../../api/openapi/calls.ts';
import { accountAt, amountAt, textAt } from '../../api/console/payments/sent-body.ts';
import { baseFlag, pathPart } from '../cli/bank-address.ts';
import { CommandFailed } from '../cli/command.ts';
import type { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { columns, counted, formatTime, indented, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';

const filters = {
  '--status <STATUS>': 'Only payments in this status, such as ACSP or RJCT.',
  '--account <ACCOUNT>': 'Only payments from or to this account, a BBAN or an IBAN.',
  '--service <SERVICE>': 'Only payments, periodic-payments or bulk-payments.',
  '--from <DATE>': 'Only payments that execute on this day or later.',
  '--to <DATE>': 'Only payments that execute on this day or earlier.',
  '--offset <N>': 'Skips the newest N payments.',
  '--limit <N>': 'Shows the newest N payments at most [50].',
};

/** `GET /sandbox/payments` of a server. */
export const payments = serverCommand({
  name: 'payments',
  summary: 'Lists the latest payments of all TPPs, one a line.',
  flags: { ...filters, ...baseFlag },
  notes: [
    'The oldest payment comes first. A line shows: initiated, status, amount, debtor, creditor, execution date, payment id.',
  ],
  examples: ['sandbank payments', 'sandbank payments --status ACSP --limit 5 --json'],
  run: async (call) => {
    const answer = await call.client.ask('GET /payments', 'payments', { query: call.given.query(filters) });
    printAnswer(call, answer, ({ payments: found, total }) => [
      ...paymentLines(found),
      `${found.length === total ? '' : `${found.length} of `}${counted(total, 'payment')}`,
    ]);
  },
});

/** Payments as lines in columns, the oldest first. */
export function paymentLines(found: AnswerTo<'GET /payments'>['payments']): string[] {
  return columns(
    found
      .toReversed()
      .map(({ paymentId, status, amount, debtor, creditor, initiatedAt, executionDate }) => [
        formatTime(initiatedAt),
        status,
        `${amount.amount} ${amount.currency}`,
        debtor.number,
        creditor?.number ?? 'several',
        executionDate ?? 'none left',
        paymentId,
      ]),
  );
}

type Payment = AnswerTo<'GET /payments/:paymentId'>;
type Sca = AnswerTo<'GET /sca'>['scas'][number];

/** `GET /sandbox/payments/{id}` of a server, with the SCA that waits for it. */
export const payment = serverCommand({
  name: 'payment',
  usage: '[ID]',
  summary: 'Shows what happened to a payment, its dates and why they moved, and its links.',
  flags: { ...baseFlag },
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
    printAnswer(call, answer, (payment) => story(payment, open, client.address));
  },
});

async function latestOf(client: ControlPlaneClient): Promise<string> {
  const { payments: found } = await client.ask('GET /payments', 'payments', { query: { limit: '1' } });
  const [latest] = found;
  if (latest === undefined) throw new CommandFailed(`the bank at ${client.address} has no payment yet`);
  return latest.paymentId;
}

function story(payment: Payment, open: readonly Sca[], address: string): string[] {
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
    ...payment.signatures.map(({ psu, name, at }) => ['Signed by', `${psu} ${name}, ${formatTime(at)}`]),
    ...open.map((sca) => ['To sign', sca.address]),
    ['Console', `${address}/console/payments/${pathPart(paymentId)}`],
    ['JSON', `${address}/sandbox/payments/${pathPart(paymentId)}`],
  ];
  return [
    `${amount === null ? 'Bulk payment' : `${amount.amount} ${amount.currency}`}, ${paymentId}`,
    ...indented(facts.filter(([, value]) => value !== '')),
    'History',
    ...indented(payment.history.map(({ at, status: was, cause }) => [formatTime(at), was, cause])),
    ...block('Dates', payment.occurrences.map(dateRow)),
    ...block('Attempts', payment.attempts.map(attemptRow)),
    ...block('Entries', payment.entries.map(entryRow)),
  ];
}

function dateRow({ item = '', executionDate, nominalDate, status, moved, rejection }: Payment['occurrences'][number]) {
  const why = [moved ?? (nominalDate === executionDate ? '' : `for ${nominalDate}`), rejection ?? ''];
  return [item, executionDate, status, why.filter((text) => text !== '').join('; ')];
}

function attemptRow({ item = '', at, outcome, needed, available, reason }: Payment['attempts'][number]) {
  const funds = `${needed.amount} ${needed.currency}, available ${available.amount}`;
  return [item, formatTime(at), outcome, reason === undefined ? funds : `${funds}; ${reason}`];
}

function entryRow({ item = '', account, amount, bookingDate, booked }: Payment['entries'][number]) {
  const when = booked ? `booked ${bookingDate ?? ''}` : 'pending';
  return [item, account, `${amount.amount} ${amount.currency}`, when];
}

/** The rows below their title; nothing without rows. A first column that is empty throughout is left out. */
function block(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const isBulk = rows.some(([item]) => item !== '');
  return [title, ...indented(isBulk ? rows : rows.map(([, ...row]) => row))];
}
