import {
  accountColumns,
  entryColumns,
  executionColumns,
  pendingColumns,
  snapshotColumns,
  whenColumns,
} from '../../api/openapi/columns.ts';
import { paymentTable } from './payments.ts';
import { commandOfVerbs, passOn, plainCommand } from '../cli/plain-command.ts';

/*
 * The commands that pass a call of the control plane on: the words of a command, and the call. The control document has
 * the rest.
 */

export const payments = plainCommand(
  { name: 'payments', examples: ['sandbank payments', 'sandbank payments --status ACSP --limit 5 --json'] },
  passOn('GET /payments', { columns: { payments: paymentTable } }),
);

export const status = plainCommand(
  {
    name: 'status',
    notes: [
      '`sandbank payments --status ACCP` lists the payments short of funds, `sandbank requests` the last requests.',
    ],
    examples: ['sandbank status'],
  },
  passOn('GET /clock'),
);

export const accounts = plainCommand(
  { name: 'accounts', examples: ['sandbank accounts'] },
  passOn('GET /accounts', { columns: { accounts: accountColumns } }),
);

export const account = plainCommand(
  { name: 'account', examples: ['sandbank account 09232911044'] },
  passOn('GET /accounts/:number', {
    words: { number: 'NUMBER' },
    columns: { entries: entryColumns, pending: pendingColumns },
  }),
);

export const reset = plainCommand(
  {
    name: 'reset',
    notes: [
      '--fixtures, --now and --mode hold for this reset and later ones. After a restart of the server, resets use the fixtures of that start. Snapshots stay.',
    ],
    examples: ['sandbank reset', 'sandbank reset --now 2027-03-24'],
  },
  passOn('POST /reset', {
    lines: ({ clock }, { client }) => [
      `The bank at ${client.address} is back to its known state, at ${clock.now} (${clock.mode}).`,
    ],
  }),
);

export const forecast = plainCommand(
  { name: 'forecast', examples: ['sandbank forecast P30D'] },
  passOn('GET /forecast', { words: { to: 'UNTIL' }, columns: { executions: executionColumns } }),
);

export const when = plainCommand(
  {
    name: 'when',
    notes: [
      'A time is published by the bank, or observed by a client, unless its mark says otherwise. GET /sandbox/when has the sources.',
    ],
    examples: ['sandbank when 2027-03-24T14:20:00+01:00', 'sandbank when --product sepa --customer corporate'],
  },
  passOn('GET /when', { words: { at: '[INSTANT]' }, columns: { banks: whenColumns } }),
);

export const nextDates = plainCommand(
  {
    name: 'next-dates',
    examples: [
      'sandbank next-dates --start 2027-01-31 --frequency Monthly --count 4',
      'sandbank next-dates --start 2027-01-15 --frequency Weekly --json',
    ],
  },
  passOn('POST /schedule', {
    flags: {
      startDate: 'start',
      frequency: 'frequency',
      dayOfExecution: 'day',
      monthsOfExecution: 'months',
      executionRule: 'rule',
      endDate: 'end',
      signedAt: 'signed-at',
      count: 'count',
    },
    body: (typed) => ({
      instructedAmount: { amount: '100.00', currency: 'NOK' },
      creditorName: 'Company 123',
      creditorAccount: { bban: '95360573002', currency: 'NOK' },
      debtorAccount: { bban: '91351631959', currency: 'NOK' },
      ...typed,
    }),
  }),
);

export const snapshot = commandOfVerbs(
  {
    name: 'snapshot',
    summary: 'Saves the ledger and the clock under a name, and restores them.',
    notes: ['The snapshot called seeded always exists. `sandbank reset` restores it and keeps the others.'],
    examples: [
      'sandbank snapshot save before',
      'sandbank snapshot list',
      'sandbank snapshot restore before',
      'sandbank snapshot remove before',
    ],
  },
  {
    save: passOn('POST /snapshots', { words: { name: 'NAME' } }),
    list: passOn('GET /snapshots', { columns: { snapshots: snapshotColumns } }),
    restore: passOn('POST /snapshots/:name/restore', { words: { name: 'NAME' } }),
    remove: passOn('DELETE /snapshots/:name', { words: { name: 'NAME' } }),
  },
);
