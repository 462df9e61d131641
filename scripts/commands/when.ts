import type { AnswerTo } from '../../api/openapi/calls.ts';
import { columns, formatTime, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';

/** A bank in the answer of `GET /sandbox/when`. */
type Row = AnswerTo<'GET /when'>['banks'][number];

const ofPayment = {
  '--amount <AMOUNT>': 'The amount. Left out: 2500.00.',
  '--currency <CODE>': 'Its currency. Left out: NOK, for sepa EUR.',
  '--product <NAME>': 'domestic, instant, sepa or cross-border. Left out: domestic.',
  '--customer <TYPE>': 'private or corporate. Left out: private.',
  '--creditor <NUMBER>': 'An account number or an IBAN. Left out: one in another bank.',
};

/** `GET /sandbox/when`. */
export const when = serverCommand({
  name: 'when',
  usage: '[INSTANT]',
  summary: 'Tells when one payment is where, at each bank of the platform. Changes nothing.',
  flags: ofPayment,
  words: [0, 1],
  notes: [
    'INSTANT is when the payment is initiated and signed: 2027-03-24T14:20:00+01:00. Left out: now, by the clock of the bank that answers.',
    'A time is published by the bank, or observed by a client; ~ marks an inferred or assumed one. GET /sandbox/when has the sources.',
  ],
  examples: ['sandbank when 2027-03-24T14:20:00+01:00', 'sandbank when --product sepa --customer corporate'],
  run: async (call) => {
    const [at] = call.given.words;
    const query = { at, ...call.given.query(ofPayment) };
    const answer = await call.client.ask('GET /when', 'banks', { query });
    printAnswer(call, answer, ({ banks, amount, ...asked }) => [
      `${amount.amount} ${amount.currency}, ${asked.product}, ${asked.customer}, at ${formatTime(asked.at)}:`,
      ...columns(whenTable(banks)),
      ofGuess,
    ]);
  },
});

/** The rows of a table of banks, with its heading. */
export function whenTable(banks: readonly Row[]): string[][] {
  return [['Bank', 'Cut-off', 'Run', 'Booked', 'Value date', 'Why'], ...banks.map(row)];
}

/** What the mark in the table means. */
export const ofGuess = '~: no bank publishes this time. It is inferred from other facts of the bank, or assumed.';

function row({ name, cutOff, run, booking, valueDate, reason = '' }: Row): string[] {
  const mark = ({ quality }: Pick<Row['run'], 'quality'>): string =>
    quality === 'inferred' || quality === 'assumed' ? '~' : '';
  const closes = cutOff === null ? '-' : `${mark(cutOff)}${cutOff.at.slice(11, 16)} ${cutOff.isMet ? 'met' : 'missed'}`;
  return [
    name,
    closes,
    `${mark(run)}${formatTime(run.at)}`,
    `${mark(booking)}${formatTime(booking.at)}`,
    `${mark(valueDate)}${valueDate.date}`,
    reason,
  ];
}
