import { sql } from 'kysely';
import { transactionDetails } from '../../accounts/rules/transaction-details.ts';
import { choiceOf, isProblem, noQuirks, switched } from '../../bank/rules/quirk.ts';
import { cardDetails, cardTransactionDetails } from '../../cards/rules/card-transaction.ts';
import type { Table } from '../../ledger/columns.ts';
import type { Reader } from '../../ledger/database.ts';
import { tables } from '../../ledger/tables.ts';
import { roles } from '../../life/rules/persona-form.ts';
import { initiation } from '../../payments/rules/payment-initiation.ts';
import { lastAttempt } from '../../settlement/rules/settlement.ts';
import { type Allowed, json, oneOf, orNull, whole } from '../../values/allowed.ts';
import { bulkPaymentItem } from '../../values/credit-transfer.ts';
import { persona } from '../rules/stored-persona.ts';

/** `TABLE.COLUMN` of the columns that leave their test to this file. */
type ProvenHere = {
  [Name in keyof typeof tables]: ProvenOf<Name, (typeof tables)[Name]['columns']>;
}[keyof typeof tables];
type ProvenOf<Name extends string, Columns> = {
  [Column in keyof Columns & string]: Columns[Column] extends { isAllowed: null } ? `${Name}.${Column}` : never;
}[keyof Columns & string];

const anyObject: Allowed = (value) => typeof value === 'object' && value !== null;
const quirkList: Allowed = (value) => typeof value === 'string' && !isProblem(switched(noQuirks, choiceOf(value)));

const provenHere: Readonly<Record<ProvenHere, Allowed>> = {
  'bank_state.quirks': orNull(quirkList),
  'card_account.details': json(cardDetails),
  'card_transaction.details': json(cardTransactionDetails),
  'payment_initiation.body': json(initiation),
  'credit_transfer.initiation': orNull(json(bulkPaymentItem)),
  'execution.attempts': whole(0, lastAttempt),
  'attempt.number': whole(1, lastAttempt),
  'direct_posting.details': json(transactionDetails),
  'reservation.details': json(transactionDetails),
  'persona.content': json(persona),
  'life.role': orNull(oneOf(roles)),
  'first_answer.answer': json(anyObject),
};

/** Maximum bytes of a value: those of the largest body (rules.md E2). The length is checked before the value is read. */
const maxBytes = 8 * 1024 * 1024;

/** The first value that the bank cannot have written, by table and column in a few words; else null. Reads every row once. */
export async function findSenselessValue(reader: Reader): Promise<string | null> {
  for (const [table, { columns }] of Object.entries<Table>(tables)) {
    const checks = Object.entries(columns).map(
      ([column, { isAllowed }]) => [column, isAllowed ?? provenHere[`${table}.${column}` as ProvenHere]] as const,
    );
    const tooLong = sql.join(
      checks.map(([column]) => sql`octet_length(${sql.ref(column)}) > ${maxBytes}`),
      sql` or `,
    );
    const { rows: long } = await sql`select 1 from ${sql.table(table)} where ${tooLong} limit 1`.execute(reader);
    if (long.length > 0) return `a row of ${table} has a value of more than ${maxBytes} bytes`;
    const names = sql.join(checks.map(([column]) => sql.ref(column)));
    const rows = reader
      .selectFrom(sql<Record<string, unknown>>`(select ${names} from ${sql.table(table)})`.as('t'))
      .selectAll();
    for await (const row of rows.stream()) {
      const wrong = checks.find(([column, isAllowed]) => !isAllowed(decoded(column, row[column])));
      if (wrong !== undefined) return `a row of ${table} has a ${wrong[0]} that makes no sense`;
    }
  }
  return null;
}

/** A stream has every integer as a bigint; only money stays one. Beyond 2^53 it is rounded, and beyond every bound. */
function decoded(column: string, value: unknown): unknown {
  return typeof value === 'bigint' && !column.endsWith('_minor') ? Number(value) : value;
}
