import { textAt } from '../bodies/rule.ts';
import type { AnswerTo } from './calls.ts';

/* The columns of lists in answers. The console and the commands make their tables of them. */

/** The values of cells, by kind. The console links what has a page; a command prints a text. */
export interface Cells {
  readonly text: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly date: string;
  readonly instant: string;
  /** `item`: the path of an item of a bulk payment. */
  readonly dateOfItem: { readonly item?: string | undefined; readonly date: string };
  readonly account: { readonly number: string; readonly name: string | null; readonly item?: string | undefined };
  readonly owner: { readonly number: string; readonly name: string };
  /** It is null if no payment made it. */
  readonly payment: { readonly paymentId: string | null; readonly text: string };
  readonly status: string;
  /** `at`: an instant, or a date. It is null if no run is known. */
  readonly run: { readonly id: string | null; readonly at: string };
  readonly outcome: 'settle' | 'retry' | 'reject';
}

type Kind = keyof Cells;

/**
 * A column: its head, the kind and the values of its cells, and how much room a text takes in the console. It is null
 * if the cell is empty.
 */
export type AnswerColumn<Row> = {
  readonly [Each in Kind]: readonly [
    head: string,
    kind: Each,
    value: (row: Row) => Cells[Each] | null,
    width?: 'text' | 'line',
  ];
}[Kind];

type Columns<Row> = readonly AnswerColumn<Row>[];

/** The cell of a row, as `writers` show its kind. Null if it is empty. */
export function cellOf<Row, Shown>(
  [, kind, valueOf]: AnswerColumn<Row>,
  row: Row,
  writers: { readonly [Each in Kind]: (value: Cells[Each]) => Shown },
): Shown | null {
  const value = valueOf(row);
  // The value is of the kind of its column.
  return value === null ? null : (writers[kind] as (of: unknown) => Shown)(value);
}

export const accountColumns: Columns<AnswerTo<'GET /accounts'>['accounts'][number]> = [
  ['Name', 'text', ({ name }) => name, 'text'],
  ['Owner', 'owner', ({ owner }) => owner, 'text'],
  ['Account', 'account', ({ number }) => ({ number, name: null })],
  ['Booked', 'amount', ({ booked }) => booked],
  ['Available', 'amount', ({ available }) => available],
  ['Expected', 'amount', ({ expected }) => expected],
];

type Statement = AnswerTo<'GET /accounts/:number'>;

export const entryColumns: Columns<Statement['entries'][number]> = [
  ['Text', 'payment', (entry) => entry, 'text'],
  ['Amount', 'amount', ({ amount }) => amount],
  ['Balance after it', 'amount', ({ balance }) => balance],
  ['Booked', 'date', ({ bookingDate }) => bookingDate],
  ['Value date', 'date', ({ valueDate }) => valueDate],
];

export const pendingColumns: Columns<Statement['pending'][number]> = [
  ['Text', 'payment', (entry) => entry, 'text'],
  ['Amount', 'amount', ({ amount }) => amount],
  ['Value date', 'date', ({ valueDate }) => valueDate],
  ['Booked', 'text', whenBooked],
];

function whenBooked({ isPosted, amount }: Statement['pending'][number]): string {
  if (isPosted) return 'by the next settlement run';
  return amount.amount.startsWith('-') ? 'later: it is reserved' : 'later: it is announced';
}

type Listed = AnswerTo<'GET /payments'>['payments'][number];

export const paymentColumns: Columns<Listed> = [
  ['Payee', 'payment', ({ paymentId, creditor }) => ({ paymentId, text: payeeText(creditor) }), 'line'],
  ['Amount', 'amount', ({ amount }) => amount],
  ['Status', 'status', ({ status }) => status],
  ['From', 'account', ({ debtor }) => debtor, 'line'],
  ['Initiated', 'instant', ({ initiatedAt }) => initiatedAt],
  ['Executes', 'run', executes],
];

/** The run that tries it next, or that ended it: a payment without funds ends days after its execution date. */
function executes({ nextAttempt, endedAt, executionDate }: Listed): Cells['run'] | null {
  const at = endedAt ?? executionDate;
  return nextAttempt ?? (at === null ? null : { id: null, at });
}

function payeeText(creditor: { readonly name: string | null; readonly number: string } | null): string {
  return creditor === null ? 'Several payees' : [creditor.number, creditor.name ?? ''].join(' ').trim();
}

type Payment = AnswerTo<'GET /payments/:paymentId'>;

/** The day that was requested, the day of the payment, and why they differ. */
export function dateColumns({ initiation, service, history }: Payment): Columns<Payment['occurrences'][number]> {
  // Without a date a single or bulk payment asks for the day on which it was made (rules.md P3).
  const made = service === 'periodic-payments' ? null : (history[0]?.at.slice(0, 10) ?? null);
  const asked = textAt(initiation, 'requestedExecutionDate') ?? made;
  return [
    ['Requested', 'dateOfItem', ({ item, nominalDate }) => ({ item, date: asked ?? nominalDate })],
    ['Executes', 'date', ({ executionDate }) => executionDate],
    ['Why', 'text', whyThen, 'text'],
    ['Status', 'status', ({ status }) => status],
  ];
}

/**
 * Status changes and returns of a payment, in the order of time. Those to come, whose `at` is null, are last (rules.md
 * S12).
 */
export function storyOf({ history, returns }: Payment): (Payment['history'][number] | Payment['returns'][number])[] {
  const [toCome, booked] = [returns.filter(({ at }) => at === null), returns.filter(({ at }) => at !== null)];
  const past = [...history, ...booked].toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));
  return [...past, ...toCome];
}

function whyThen({ moved, rejection }: Payment['occurrences'][number]): string {
  return [moved ?? '', rejection === undefined ? '' : `to be rejected: ${rejection}`].join(' ').trim();
}

export const attemptColumns: Columns<Payment['attempts'][number]> = [
  ['Run', 'run', ({ run, at }) => ({ id: run, at })],
  ['Outcome', 'outcome', ({ outcome }) => outcome],
  ['Why', 'text', ({ reason }) => reason, 'text'],
  ['Needed', 'amount', ({ needed }) => needed],
  ['Funds seen', 'amount', ({ available }) => available],
  ['Payment of', 'dateOfItem', ({ item, nominalDate }) => ({ item, date: nominalDate })],
];

/** What the runs of a forecast will do. */
export const executionColumns: Columns<AnswerTo<'GET /forecast'>['executions'][number]> = [
  ['Run', 'run', ({ run }) => ({ id: null, at: run.at })],
  ['Outcome', 'outcome', ({ outcome }) => outcome],
  ['Needed', 'amount', ({ needed }) => needed],
  ['Available', 'amount', ({ available }) => available],
  ['Account', 'text', ({ account }) => account],
  ['Payment', 'text', ({ item = '', paymentId = '' }) => `${paymentId} ${item}`.trim()],
  ['Why', 'text', ({ reason }) => reason, 'text'],
];

/** The entries of a payment. */
export const postingColumns: Columns<Payment['entries'][number]> = [
  ['Account', 'account', ({ account: number, accountName: name, item }) => ({ number, name, item }), 'text'],
  ['Amount', 'amount', ({ amount }) => amount],
  ['Booked', 'text', ({ bookingDate }) => bookingDate ?? 'pending'],
  ['Value date', 'date', ({ valueDate }) => valueDate],
];

export const bankColumns: Columns<AnswerTo<'GET /banks'>['banks'][number]> = [
  ['Name', 'text', ({ name }) => name],
  ['Interface', 'text', ({ interface: address }) => address],
  ['Fixtures', 'text', ({ fixtures }) => fixtures],
  ['Bank time', 'instant', ({ clock }) => clock?.now ?? null],
  ['Damaged', 'text', ({ damage }) => damage],
];

export const snapshotColumns: Columns<AnswerTo<'GET /snapshots'>['snapshots'][number]> = [
  ['Name', 'text', ({ name }) => name],
  ['Bank time', 'instant', ({ now }) => now],
];

type Sca = AnswerTo<'GET /sca'>['scas'][number];

/** What an SCA is for, in words. */
export const aims: Readonly<Record<Sca['purpose'], string>> = {
  payment: 'a payment',
  cancellation: 'a cancellation',
  basket: 'a signing basket',
  consent: 'a consent to read accounts',
  identification: 'the identity of the PSU',
};

export const scaColumns: Columns<Sca> = [
  ['For', 'text', ({ purpose }) => aims[purpose], 'line'],
  ['TPP', 'text', ({ tpp }) => tpp.name, 'text'],
  ['Opened', 'instant', ({ startedAt }) => startedAt],
];

type WhenRow = AnswerTo<'GET /when'>['banks'][number];

/** When a payment is where at each bank. A time that no bank publishes says how it is known. */
export const whenColumns: Columns<WhenRow> = [
  ['Bank', 'text', ({ name }) => name],
  [
    'Cut-off',
    'text',
    ({ cutOff }) =>
      cutOff === null ? '-' : `${marked(cutOff, cutOff.at.slice(11, 16))} ${cutOff.isMet ? 'met' : 'missed'}`,
  ],
  ['Run', 'text', ({ run }) => marked(run, timeOf(run))],
  ['Booked', 'text', ({ booking }) => marked(booking, timeOf(booking))],
  ['Value date', 'text', ({ valueDate }) => marked(valueDate, valueDate.date)],
  ['Why', 'text', ({ reason }) => reason ?? null],
];

function marked({ quality }: Pick<WhenRow['run'], 'quality'>, text: string): string {
  return quality === 'inferred' || quality === 'assumed' ? `${text} (${quality})` : text;
}

function timeOf({ at }: { readonly at: string }): string {
  return at.slice(0, 16).replace('T', ' ');
}
