import { sql } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import type { Tables } from '../../ledger/tables.ts';
import { transactionStatuses } from '../../settlement/rules/transaction-status.ts';
import { choiceOf, isProblem, noQuirks, switched } from '../../bank/rules/quirk.ts';
import { lastAttempt, openExecutionStatuses } from '../../settlement/rules/settlement.ts';
import { frequencies } from '../../time/rules/occurrences.ts';
import { parseSettlementTimes, runTriggers } from '../../time/rules/settlement-run.ts';
import { parseIban } from '../../values/account-number.ts';
import { products } from '../../values/product.ts';
import { parseRate } from '../../values/price-list.ts';
import { type Word, words } from '../../values/text.ts';
import { roles } from '../../life/rules/persona-form.ts';
import { customerTypes } from '../../values/customer-type.ts';
import {
  type Allowed,
  amount,
  balance,
  bankDate,
  count,
  currency,
  date,
  dayKey,
  flagged,
  formed,
  id,
  instant,
  json,
  key,
  name,
  notNegative,
  oneOf,
  orNull,
  positive,
  text,
  wallInstant,
  whole,
  bulkItem,
  cardDetails,
  cardTransactionDetails,
  initiation,
  transactionDetails,
} from '../rules/stored-values.ts';
import { persona } from '../rules/stored-persona.ts';

/** The allowed values of every column of every table. A new column without an entry here does not compile. */
type Columns = { readonly [Table in keyof Tables]: { readonly [Column in keyof Tables[Table]]: Allowed } };

/** The same allowed values for several columns, their names separated by blanks. */
function each<const Names extends string>(allowed: Allowed, names: Names): Readonly<Record<Word<Names>, Allowed>> {
  return Object.fromEntries(words([names]).map((name) => [name, allowed])) as Record<Word<Names>, Allowed>;
}

const status = oneOf(Object.keys(transactionStatuses));
const executionStatus = oneOf([...openExecutionStatuses, 'ACSC', 'RJCT', 'CANC']);
const mode = oneOf(['running', 'frozen']);
/** Longer than any header or address. */
const address = text(20_000);
const sessionId = orNull(text(20_000));
const tpp = { tpp_id: text(1_000, 1), tpp_name: text(1_000), tpp_redirect_uri: address, tpp_session_id: sessionId };
const number = text(40, 1);
/** As the bank keeps one: without blanks. */
const iban: Allowed = (value) =>
  typeof value === 'string' && !value.includes(' ') && typeof parseIban(value) !== 'string';
const sequence = whole(0, 1_000_000);
const rate: Allowed = (value) => typeof value === 'string' && parseRate(value) !== null;
const customerNumber = formed(/^\d{1,35}$/);
const anyObject: Allowed = (value) => typeof value === 'object' && value !== null;
const quirkList: Allowed = (value) => typeof value === 'string' && !isProblem(switched(noQuirks, choiceOf(value)));
const times: Allowed = (value) => typeof value === 'string' && parseSettlementTimes(value).ok;

const columns: Columns = {
  bank_state: {
    id: key,
    ...each(mode, 'seeded_mode clock_mode'),
    ...each(instant, 'seeded_at last_run_at'),
    // A running clock stores its distance from the steady clock.
    clock_value: whole(-1e13, 1e13),
    clock_rate: whole(1, 86_400),
    ...each(wallInstant, 'clock_since clock_seen'),
    settlement_times: times,
    ...each(count, 'unbooked_executions ended_orders double_executions entries_before'),
    // 0: none.
    last_booking_at: (value) => value === 0 || instant(value),
    lived_until: orNull(instant),
    due_told: orNull(bankDate),
    ...each(formed(/^[0-9a-f]{64}$/), 'list_key wire_key known_state_hash'),
    quirks: orNull(quirkList),
    fixtures: text(20_000),
    profile: orNull(name),
  },
  customer: {
    id: key,
    resource_id: id,
    customer_number: customerNumber,
    name,
    type: oneOf(customerTypes),
    is_type_in_capitals: flagged,
    deleted_at: orNull(instant),
  },
  account: {
    id: key,
    resource_id: id,
    kind: oneOf(['customer', 'clearing']),
    customer_id: orNull(key),
    name,
    bban: orNull(number),
    iban: orNull(iban),
    currency,
    ...each(orNull(name), 'product cash_account_type'),
    credit_line_minor: notNegative,
    balance_minor: balance,
    kid_agreement: orNull(oneOf(['MOD10', 'MOD11'])),
    signatures_required: whole(1, 1_000),
    payments_allowed: flagged,
    closed_at: orNull(instant),
  },
  agreement: { id: key, resource_id: id, owner_id: key, name, deleted_at: orNull(instant) },
  engagement: { ...each(key, 'id agreement_id customer_id account_id'), ...each(flagged, 'may_view may_register') },
  psu: { id: key, psu_id: id, tpp_id: tpp.tpp_id, customer_id: key, last_sca_at: instant, known_by_sca: flagged },
  sca_session: { id: key, psu_key: key, tpp_session_id: address, started_at: instant, ended_at: orNull(instant) },
  consent: {
    ...each(key, 'id psu_key agreement_id'),
    granted_at: instant,
    ended_at: orNull(instant),
    used_on: orNull(date),
  },
  consent_account: each(key, 'consent_id account_id'),
  consent_card: each(key, 'consent_id card_account_id'),
  unattended_read: {
    ...each(key, 'id psu_key'),
    account_id: id,
    kind: oneOf(['balances', 'transactions', 'transaction-details']),
    at: instant,
  },
  card_account: {
    ...each(key, 'id customer_id'),
    resource_id: id,
    masked_pan: text(40, 1),
    name,
    product: orNull(name),
    currency,
    credit_limit_minor: notNegative,
    opening_minor: balance,
    details: json(cardDetails),
    closed_at: orNull(instant),
  },
  card_transaction: {
    ...each(key, 'id card_account_id'),
    card_transaction_id: text(1_000, 1),
    booking_date: orNull(date),
    transaction_date: date,
    amount_minor: amount,
    original_minor: orNull(balance),
    original_currency: orNull(currency),
    details: json(cardTransactionDetails),
  },
  tpp_contact: { tpp_id: tpp.tpp_id, email: text(1_000) },
  certificate_status: { serial: text(200, 1), status: oneOf(['blocked', 'revoked']), at: instant },
  payment: {
    id: dayKey,
    resource_id: id,
    service: oneOf(['payments', 'periodic-payments', 'bulk-payments']),
    product: oneOf(Object.values(products)),
    ...tpp,
    ...each(key, 'customer_id debtor_account_id'),
    status,
    execution_date: orNull(bankDate),
    initiated_at: instant,
    ...each(orNull(instant), 'authorised_at received_at leaves_at cancellation_requested_at forced_at'),
    agreement_id: orNull(key),
    forced_status: orNull(status),
  },
  payment_initiation: { payment_id: dayKey, body: json(initiation) },
  signature: { payment_id: dayKey, customer_id: key, signed_at: instant },
  standing_order: {
    payment_id: dayKey,
    start_date: bankDate,
    end_date: orNull(date),
    frequency: oneOf(frequencies),
    execution_rule: oneOf(['following', 'preceding']),
    day_of_execution: orNull(whole(1, 31)),
    // All different.
    months_of_execution: orNull(formed(/^(?!.*\b(\d+)\b.*\b\1\b)(?:[1-9]|1[0-2])(?:,(?:[1-9]|1[0-2])){0,11}$/)),
    next_index: orNull(whole(0, 50_000)),
  },
  credit_transfer: {
    ...each(key, 'id debtor_account_id'),
    payment_id: dayKey,
    sequence,
    creditor_number: text(60, 1),
    currency,
    amount_minor: positive,
    execution_date: orNull(bankDate),
    initiation: orNull(json(bulkItem)),
  },
  bulk_payment: { payment_id: dayKey, number_of_transactions: whole(1, 1_000_000) },
  foreign_transfer: {
    payment_id: dayKey,
    ...each(positive, 'debit_minor instructed_minor credit_minor'),
    fee_minor: notNegative,
    ...each(currency, 'instructed_currency credit_currency'),
    ...each(orNull(rate), 'debit_rate credit_rate'),
    quotation_date: date,
    value_date: orNull(bankDate),
  },
  execution: {
    ...each(dayKey, 'id payment_id'),
    sequence,
    ...each(bankDate, 'nominal_date execution_date'),
    received_at: instant,
    debtor_account_id: key,
    creditor_number: text(60, 1),
    amount_minor: positive,
    status: executionStatus,
    attempts: whole(0, lastAttempt),
    is_foreign: flagged,
  },
  provoked_rejection: { payment_id: dayKey, sequence, reason: text(10_000) },
  settlement_run: {
    date: bankDate,
    number: whole(1, 1_440),
    at: instant,
    ...each(count, 'settled retried rejected booked registered'),
    trigger: oneOf(runTriggers),
    late_ms: orNull(count),
  },
  attempt: {
    execution_id: dayKey,
    number: whole(1, lastAttempt),
    run_date: orNull(bankDate),
    run_number: orNull(whole(1, 1_440)),
    available_minor: balance,
    needed_minor: notNegative,
    outcome: oneOf(['settle', 'retry', 'reject']),
    reason: orNull(text(10_000)),
  },
  double_execution: { execution_id: dayKey, corrected_by: orNull(key) },
  status_change: { id: key, payment_id: dayKey, status, at: instant, wall: wallInstant, cause: text(10_000) },
  batch: {
    id: key,
    ...each(dayKey, 'payment_id leading_execution_id'),
    run_at: instant,
    number_of_transactions: whole(1, 1_000_000),
    amount_minor: balance,
  },
  direct_posting: {
    id: key,
    kind: oneOf(['opening', 'transaction', 'reversal', 'closing', 'correction']),
    details: json(transactionDetails),
    reversed_by: orNull(key),
    event: orNull(name),
  },
  entry: {
    ...each(key, 'id account_id'),
    amount_minor: amount,
    execution_id: orNull(dayKey),
    ...each(orNull(key), 'direct_posting_id batch_id'),
    ...each(date, 'booking_date value_date'),
    booking_day: whole(-1_000_000, 4_000_000),
    booked_at: orNull(instant),
    is_fee: flagged,
  },
  reservation: {
    ...each(key, 'id account_id'),
    resource_id: id,
    amount_minor: amount,
    value_date: date,
    booking_date: orNull(date),
    event: orNull(name),
    details: json(transactionDetails),
  },
  persona: { id: key, content: json(persona) },
  life: {
    ...each(key, 'id account_id persona_id'),
    seed: text(200),
    role: orNull(oneOf(roles)),
    household: orNull(key),
    from_date: bankDate,
    began_at: instant,
  },
  life_mark: { mark: text(100) },
  signing_basket: {
    ...each(key, 'id customer_id'),
    resource_id: id,
    tpp_id: tpp.tpp_id,
    tpp_redirect_uri: address,
    tpp_session_id: sessionId,
    created_at: instant,
    // The settings decide how much later.
    expires_at: whole(0, 1e15),
    signed_at: orNull(instant),
  },
  basket_payment: { basket_id: key, payment_id: dayKey, position: sequence },
  sca: {
    id: key,
    resource_id: id,
    purpose: oneOf(['payment', 'cancellation', 'basket', 'consent', 'identification']),
    payment_id: orNull(dayKey),
    ...each(orNull(key), 'basket_id customer_id agreement_id'),
    ...tpp,
    context: orNull(oneOf(['PRIVATE', 'CORPORATE'])),
    context_binds: flagged,
    created_at_wall: wallInstant,
    wrong_numbers: whole(0, 1_000),
    outcome: orNull(oneOf(['approved', 'cancelled', 'failed'])),
  },
  first_answer: {
    tpp_id: tpp.tpp_id,
    method: text(20, 1),
    path: text(20_000, 1),
    request_id: text(1_000),
    query: orNull(text(100_000)),
    content: text(100_000),
    answer: json(anyObject),
    payment_id: orNull(dayKey),
    basket_id: orNull(key),
    sca_resource_id: orNull(id),
  },
};

/** Maximum bytes of a value: those of the largest body (rules.md E2). The length is checked before the value is read. */
const maxBytes = 8 * 1024 * 1024;

/** The first value that the bank cannot have written, by table and column in a few words; else null. Reads every row once. */
export async function findSenselessValue(reader: Reader): Promise<string | null> {
  for (const [table, allowed] of Object.entries(columns)) {
    const checks = Object.entries(allowed as Readonly<Record<string, Allowed>>);
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
