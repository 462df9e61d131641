import type { AnswerTo } from '../../api/openapi/calls.ts';
import { accountColumns, entryColumns, pendingColumns } from '../../api/openapi/columns.ts';
import { baseFlag, pathPart } from '../cli/bank-address.ts';
import { WrongUse } from '../cli/command.ts';
import { answerTable } from '../cli/answer-table.ts';
import { below, counted, indented, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';

type Statement = AnswerTo<'GET /accounts/:number'>;

const period = {
  '--from <DATE>': 'Only entries booked on this day or later.',
  '--to <DATE>': 'Only entries booked on this day or earlier.',
};

/** Entries on the screen; --json has all. */
const maxEntries = 10;

/** `GET /sandbox/accounts` of a server, or `GET /sandbox/accounts/{number}`. */
export const account = serverCommand({
  name: 'account',
  usage: '[NUMBER]',
  summary: 'Shows the balances and the latest entries of an account, or lists all accounts.',
  flags: { ...period, ...baseFlag },
  words: [0, 1],
  notes: [
    `NUMBER is a BBAN or an IBAN. The latest ${maxEntries} entries are shown, the oldest first; --json has all of them.`,
    'The available amount includes pending entries and the credit line.',
  ],
  examples: ['sandbank account', 'sandbank account 09232911044'],
  run: async (call) => {
    const { given, client } = call;
    const [number] = given.words;
    if (number === undefined) {
      if (given.has('from') || given.has('to')) throw new WrongUse('--from and --to need a NUMBER');
      printAnswer(call, await client.ask('GET /accounts', 'accounts'), ({ accounts }) => [
        ...answerTable(accountColumns, accounts),
        counted(accounts.length, 'account'),
      ]);
    } else {
      const asked = { params: { number }, query: given.query(period) };
      const answer = await client.ask('GET /accounts/:number', 'entries', asked);
      printAnswer(call, answer, (told) => statementLines(told, client.address));
    }
  },
});

function statementLines(told: Statement, address: string): string[] {
  const { number, name, iban, owner, booked, available, expected, creditLine, entries, pending } = told;
  const latest = entries.slice(-maxEntries);
  return [
    `${number}, ${name}`,
    ...indented([
      ['Owner', `${owner.number} ${owner.name}`],
      ...(iban === null ? [] : [['IBAN', iban]]),
      ['Booked', amountOf(booked)],
      ['Available', `${amountOf(available)}, credit line ${creditLine.amount}`],
      ['Expected', amountOf(expected)],
      ['JSON', `${address}/sandbox/accounts/${pathPart(number)}`],
    ]),
    latest.length === entries.length
      ? titled('Entries', entries)
      : `Entries: the latest ${latest.length} of ${entries.length}`,
    ...below(answerTable(entryColumns, latest)),
    titled('Pending', pending),
    ...below(answerTable(pendingColumns, pending)),
  ];
}

function titled(title: string, rows: readonly object[]): string {
  return rows.length === 0 ? `${title}: none` : title;
}

function amountOf({ amount, currency }: Statement['booked']): string {
  return `${amount} ${currency}`;
}
