import type { GeneratedAlways, Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Frequency } from '../time/rules/occurrences.ts';
import { runTriggers } from '../time/rules/settlement-run.ts';
import { type CashAccountType, customerTypes } from '../values/customer-type.ts';
import type { Product } from '../values/product.ts';
import type { ReturnReason } from '../values/return-reasons.ts';
import type { TransactionStatus } from '../values/transaction-status.ts';
import {
  amount,
  checked,
  circumstance,
  column,
  type Copied,
  currency,
  date,
  drawn,
  eitherOf,
  flag,
  has,
  id,
  instant,
  integer,
  json,
  key,
  may,
  minor,
  notNegative,
  oneOf,
  orNull,
  orZero,
  positive,
  primary,
  ref,
  table,
  text,
  type TypeOf,
  unique,
  wallInstant,
} from './columns.ts';

const status = column<TransactionStatus>('text not null');
/** The JSON of a transfer that a TPP sent. */
const transfer = has('text', 'creditorName') + ' and ' + has('object', 'creditorAccount');
/** JSON of TransactionDetails. */
const transactionDetails = json(
  may('text', 'remittanceInformationUnstructured', 'additionalInformation', 'creditorName', 'debtorName'),
  may('object', 'creditorAccount', 'debtorAccount'),
  may('array', 'entryDetails', 'remittanceInformationUnstructuredArray', 'remittanceInformationStructuredArray'),
);

/**
 * Every table. The migration creates it, and Kysely takes its type. A new column takes one line here.
 *
 * Instants are INTEGER milliseconds since 1970 UTC, dates TEXT 'YYYY-MM-DD', money INTEGER minor units in columns named
 * *_minor, which are bigint. A resource_id is the id that the interface shows.
 *
 * Keys of payments and executions begin with the day on which they are due: engine/ledger/queries.ts.
 *
 * The order of columns is part of the content hash. Tables come after those that they refer to: they are dropped in the
 * opposite order.
 */
export const tables = {
  bank_state: table('bank', 'all', {
    id: column<1>('integer primary key check ($ = 1)'),
    /** A reset sets the clock to this instant and mode (rules.md T7). */
    seeded_at: instant,
    seeded_mode: oneOf('running', 'frozen'),
    clock_mode: oneOf('running', 'frozen'),
    /**
     * Running: bank time minus steady time (engine/time/clock.ts), in ms, at the steady clock's clock_since. Frozen:
     * the bank time.
     */
    clock_value: integer,
    /** Settlement times of this ledger, comma-separated; run numbers follow from them (rules.md T4). */
    settlement_times: text,
    /** The last scheduled run that has passed, empty runs included (rules.md T6). */
    last_run_at: instant,
    /** Executions whose entries are pending: the run that books them counts them (rules.md S6). */
    unbooked_executions: integer,
    /** Standing orders that the last run completed: the next run removes them from the payment API (rules.md R9). */
    ended_orders: integer,
    /** Speed relative to the steady clock, from clock_since on. */
    clock_rate: checked(integer, '$ between 1 and 86400'),
    clock_since: wallInstant,
    /** The steady clock at the last write; after a restart it does not start earlier (rules.md T7). */
    clock_seen: wallInstant,
    /**
     * The latest instant at which an execution's entries are booked; no pending one is booked later. 0: none has been.
     */
    last_booking_at: instant,
    /** The last day whose due payments were announced (rules.md S2b); null before the first. */
    due_told: orNull(date),
    /** Lives have happened up to this instant. Null if no account has a life (docs/life.md). */
    lived_until: orNull(instant),
    /** Entries that this bank had before its last initialize: transactionIds count on from there (rules.md D7). */
    entries_before: drawn(integer),
    /** Secret of the cursors of lists; another after each reset, initialize and restore (rules.md A9c). */
    list_key: circumstance(text),
    /** Secret of the addresses of the pages of access; another after each reset and initialize (rules.md A7e). */
    access_key: circumstance(text),
    /** Secret of the ids on the wire (rules.md Q3), drawn with the ids of the known state. */
    wire_key: drawn(text),
    /**
     * The quirks that were switched since the last reset, as a list (rules.md Q1). Until then those of the start are
     * on.
     */
    quirks: circumstance(orNull(text)),
    /** Name of the known state that the ledger began with. */
    fixtures: circumstance(text),
    /** Hash of its content ({@link hashOfKnownState}): a file of fixtures can be edited, and keep its name. */
    known_state_hash: circumstance(text),
    /** Id of the profile that it began with (rules.md Q8). */
    profile: circumstance(orNull(text)),
  }),
  customer: table('parties', 'all', {
    id: key,
    resource_id: unique(id),
    customer_number: text,
    name: text,
    type: oneOf(...customerTypes),
    deleted_at: orNull(instant),
    /** How the type was posted, and comes back (rules.md D6). */
    is_type_in_capitals: flag,
  }).with('create unique index customer_number_in_use on customer (customer_number) where deleted_at is null'),
  account: table('accounts', 'all', {
    id: key,
    resource_id: unique(id),
    kind: oneOf('customer', 'clearing'),
    customer_id: orNull(ref('customer')),
    name: text,
    bban: orNull(text),
    iban: orNull(text),
    currency,
    product: orNull(text),
    cash_account_type: orNull(column<CashAccountType>('text not null')),
    credit_line_minor: notNegative,
    /** The sum of the account's entries, stored with them so that no read adds them up (rules.md S5). */
    balance_minor: minor,
    kid_agreement: orNull(oneOf('MOD10', 'MOD11')),
    signatures_required: checked(integer, '$ >= 1'),
    payments_allowed: flag,
    closed_at: orNull(instant),
  }).with(
    `check ((kind = 'clearing') = (customer_id is null))`,
    'create unique index account_bban_in_use on account (bban) where closed_at is null and bban is not null',
    'create unique index account_iban_in_use on account (iban) where closed_at is null and iban is not null',
    `create unique index account_clearing on account (currency) where kind = 'clearing'`,
    'create index account_of_customer on account (customer_id)',
    // Every run looks for closed accounts by their numbers (rules.md P5c).
    'create index account_bban_closed on account (bban) where closed_at is not null and bban is not null',
    'create index account_iban_closed on account (iban) where closed_at is not null and iban is not null',
  ),
  agreement: table('parties', 'none', {
    id: key,
    resource_id: unique(id),
    owner_id: ref('customer'),
    name: text,
    deleted_at: orNull(instant),
  }).with('create index agreement_of_owner on agreement (owner_id)'),
  engagement: table('parties', 'none', {
    id: key,
    agreement_id: ref('agreement'),
    customer_id: ref('customer'),
    account_id: ref('account'),
    may_view: flag,
    may_register: flag,
  }).with(
    'unique (agreement_id, customer_id, account_id)',
    'create index engagement_of_customer on engagement (customer_id)',
    'create index engagement_of_account on engagement (account_id)',
  ),
  psu: table('parties', 'none', {
    id: key,
    psu_id: unique(id),
    tpp_id: text,
    customer_id: ref('customer'),
    /** The last SCA, or the last consent that the PSU granted directly with the bank (rules.md A7). */
    last_sca_at: instant,
    /** Whether the PSU has completed an SCA with this TPP; a direct grant does not count (rules.md A5). */
    known_by_sca: column<0 | 1>('integer not null'),
  }).with('unique (tpp_id, customer_id)'),
  sca_session: table('parties', 'none', {
    id: key,
    psu_key: ref('psu'),
    tpp_session_id: circumstance(text),
    started_at: instant,
    ended_at: orNull(instant),
  }).with('create index sca_session_of_psu on sca_session (psu_key) where ended_at is null'),
  consent: table('consents', 'none', {
    id: key,
    psu_key: ref('psu'),
    agreement_id: ref('agreement'),
    granted_at: instant,
    ended_at: orNull(instant),
    /** The last bank day on which the TPP read with it. A read changes no hash. */
    used_on: circumstance(orNull(date)),
  }).with('create unique index consent_live on consent (psu_key, agreement_id) where ended_at is null'),
  consent_account: table('consents', 'none', {
    consent_id: ref('consent'),
    account_id: ref('account'),
  }).with(
    'primary key (consent_id, account_id)',
    'create index consent_account_of_account on consent_account (account_id)',
  ),
  card_account: table('cards', 'none', {
    id: key,
    resource_id: unique(id),
    customer_id: ref('customer'),
    masked_pan: text,
    name: text,
    product: orNull(text),
    currency,
    credit_limit_minor: notNegative,
    opening_minor: minor,
    /** JSON: CardDetails. */
    details: json(),
    closed_at: orNull(instant),
  }).with('create index card_account_of_customer on card_account (customer_id)'),
  card_transaction: table('cards', 'none', {
    id: key,
    card_account_id: ref('card_account'),
    card_transaction_id: drawn(text),
    /** Null while pending; pending too until this day (rules.md D3d). */
    booking_date: orNull(date),
    transaction_date: date,
    /** A purchase is positive, a refund negative (rules.md D5). */
    amount_minor: amount,
    original_minor: orNull(minor),
    original_currency: orNull(currency),
    /** JSON: CardTransactionDetails. */
    details: json(),
  }).with(
    'unique (card_account_id, card_transaction_id)',
    'check ((original_minor is null) = (original_currency is null))',
  ),
  consent_card: table('consents', 'none', {
    consent_id: ref('consent'),
    card_account_id: ref('card_account'),
  }).with(
    'primary key (consent_id, card_account_id)',
    'create index consent_card_of_card on consent_card (card_account_id)',
  ),
  /** One read of an account without the PSU; deleted when it no longer counts (rules.md A8). */
  unattended_read: table('consents', 'none', {
    id: key,
    psu_key: ref('psu'),
    /** The resource_id of an account or a card account. */
    account_id: id,
    kind: oneOf('balances', 'transactions', 'transaction-details'),
    at: instant,
  }).with('create index unattended_read_of_account on unattended_read (psu_key, account_id, at)'),
  tpp_contact: table('tpps', 'none', {
    tpp_id: primary(text),
    email: text,
  }),
  payment: table('payments', 'some', {
    id: key,
    resource_id: unique(id),
    service: oneOf('payments', 'periodic-payments', 'bulk-payments'),
    product: column<Product>('text not null'),
    tpp_id: text,
    tpp_name: text,
    customer_id: ref('customer'),
    debtor_account_id: ref('account'),
    status,
    /** A banking day (rules.md P3); null for a periodic payment: each of its executions has its own. */
    execution_date: orNull(date),
    tpp_redirect_uri: text,
    tpp_session_id: circumstance(orNull(text)),
    initiated_at: instant,
    authorised_at: orNull(instant),
    /** When the authorised payment counts as received: then, or later (rules.md T4d, T4f). */
    received_at: orNull(instant),
    /** Its place in the order of signatures (rules.md T9); null until it is authorised. */
    place: circumstance(orNull(integer)),
    /** From this instant on an ACSC payment has left the payment API: the first run after it settled (rules.md S6). */
    leaves_at: orNull(instant),
    cancellation_requested_at: orNull(instant),
    /** Shown to the TPP instead of the status until the status changes (rules.md S9b). */
    forced_status: orNull(status),
    /** The corporate agreement under which it is made; null for a PSU's own account, and until a signature decides. */
    agreement_id: orNull(ref('agreement')),
    /** When the status was forced; meaningless without one. */
    forced_at: orNull(instant),
  }).with(
    // The order of initiation: 1073741824 keys belong to a day.
    'create index payment_in_order on payment (id % 1073741824)',
    'create unique index payment_place on payment (place) where place is not null',
    `create index payment_unfinished on payment (debtor_account_id)
    where status <> 'ACSC' and status <> 'RJCT' and status <> 'CANC'`,
  ),
  /** Apart from the payment, so that a run does not write the body again with each status. */
  payment_initiation: table('payments', 'due', {
    payment_id: primary(ref('payment')),
    /** The request body as JSON; a bulk payment's without its items, which are in credit_transfer. */
    body: json(
      has('object', 'debtorAccount'),
      `ifnull($$ ->> 'requestedExecutionDate' = date($$ ->> 'requestedExecutionDate'),
        json_type($$, '$.requestedExecutionDate') is null)`,
      `(exists (select 1 from payment where id = payment_id and service = 'bulk-payments') or ${transfer})`,
    ),
  }),
  /** A rejection that the control plane asked for (rules.md P14b). Its execution may not exist yet. */
  provoked_rejection: table('settlement', 'due', {
    payment_id: ref('payment'),
    /** The sequence of the execution; 0 for a payment that is rejected before it is signed. */
    sequence: integer,
    reason: text,
  }).with('primary key (payment_id, sequence)'),
  /** One PSU's signature under a payment (interface: Multiple signatures). */
  signature: table('payments', 'none', {
    payment_id: ref('payment'),
    customer_id: ref('customer'),
    signed_at: instant,
  }).with('primary key (payment_id, customer_id)'),
  standing_order: table('payments', 'due', {
    payment_id: primary(ref('payment')),
    start_date: date,
    end_date: orNull(date),
    frequency: column<Frequency>('text not null'),
    execution_rule: oneOf('following', 'preceding'),
    day_of_execution: orNull(integer),
    /** Comma-separated, all different. */
    months_of_execution: orNull(text),
    /** Index of the first occurrence without an execution; null when none is left. */
    next_index: orNull(integer),
  }),
  /**
   * Amounts, fee and rates of a SEPA or cross-border payment: of its initiation, or of the fixing that it waits for
   * (rules.md P11, T4f).
   */
  foreign_transfer: table('payments', 'due', {
    payment_id: primary(ref('payment')),
    /** Debit and fee are in the debtor account's currency. */
    debit_minor: positive,
    fee_minor: notNegative,
    instructed_minor: positive,
    instructed_currency: currency,
    /** Credited to a creditor account of this bank, in its currency. */
    credit_minor: positive,
    credit_currency: currency,
    /** Units of the debtor's and creditor's currency for one unit instructed; null where the currency is the same. */
    debit_rate: orNull(text),
    credit_rate: orNull(text),
    quotation_date: date,
    /** Null means the execution date (rules.md T4d). */
    value_date: orNull(date),
  }),
  /**
   * One transfer: a payment has one, a bulk payment one for each item. Executions and the duplicate check use it
   * (rules.md P7).
   */
  credit_transfer: table('payments', 'due', {
    id: key,
    payment_id: ref('payment'),
    /** The index of a bulk payment's item, else 0. */
    sequence: integer,
    debtor_account_id: ref('account'),
    creditor_number: text,
    currency,
    amount_minor: positive,
    /** A copy of the payment's, kept equal by a trigger; null for a periodic payment: its executions have their own. */
    execution_date: orNull(date),
    /** A bulk payment's item as sent, as JSON; null otherwise: payment_initiation has the body. */
    initiation: orNull(json(transfer)),
  }).with(
    'unique (payment_id, sequence)',
    `create index credit_transfer_alike
    on credit_transfer (debtor_account_id, execution_date, creditor_number, amount_minor)`,
    `create trigger credit_transfer_moves_with_its_payment after update of execution_date on payment
    when new.execution_date <> old.execution_date
    begin update credit_transfer set execution_date = new.execution_date where payment_id = new.id; end`,
  ),
  bulk_payment: table('payments', 'due', {
    payment_id: primary(ref('payment')),
    number_of_transactions: checked(integer, '$ >= 1'),
  }),
  execution: table('settlement', 'due', {
    id: key,
    payment_id: ref('payment'),
    /** The place in its payment: index of a standing order's occurrence or of a bulk payment's item, else 0. */
    sequence: integer,
    nominal_date: date,
    execution_date: date,
    /** When it counts as received (rules.md T4d, T4f); runs before that do not take it. */
    received_at: instant,
    /** The place of its payment, copied so that one index has the order of a run (rules.md T9). */
    place: circumstance(integer),
    /** The key of its lane (engine/time/rules/lanes.ts): which runs try it (rules.md T9). */
    lane: circumstance(text),
    debtor_account_id: ref('account'),
    /** The creditor's BBAN or IBAN. Credits an account of the sandbox, else the clearing account (rules.md S5). */
    creditor_number: text,
    amount_minor: positive,
    status: eitherOf('ACSP', 'PDNG', 'ACCP', 'ACSC', 'RJCT', 'CANC'),
    /** Attempts that lacked funds. */
    attempts: integer,
    /** Whether the payment has a foreign_transfer row with fee and exchange. */
    is_foreign: orZero(flag),
  }).with(
    'unique (payment_id, sequence)',
    `create index execution_due on execution (execution_date, received_at, place, nominal_date, id)
    where status = 'ACSP' or status = 'PDNG' or status = 'ACCP'`,
  ),
  settlement_run: table('settlement', 'none', {
    date: date,
    number: integer,
    at: instant,
    settled: integer,
    retried: integer,
    rejected: integer,
    booked: integer,
    registered: integer,
    trigger: circumstance(oneOf(...runTriggers)),
    late_ms: circumstance(orNull(integer)),
  }).with('primary key (date, number)'),
  attempt: table('settlement', 'some', {
    execution_id: ref('execution'),
    number: integer,
    /** Null for an instant payment, which settles outside the runs (rules.md P10). */
    run_date: orNull(date),
    run_number: orNull(integer),
    available_minor: minor,
    needed_minor: minor,
    outcome: eitherOf('settle', 'retry', 'reject'),
    /** Why it was rejected whatever the funds (rules.md P5c, P14b); null if the funds decided. */
    reason: orNull(text),
  }).with(
    'primary key (execution_id, number)',
    'foreign key (run_date, run_number) references settlement_run (date, number) deferrable initially deferred',
  ),
  /** A line of the history of a payment (rules.md S10). */
  status_change: table('payments', 'none', {
    id: key,
    payment_id: ref('payment'),
    status,
    at: instant,
    wall: wallInstant,
    cause: text,
  }).with('create index status_change_of_payment on status_change (payment_id)'),
  /**
   * The transfers of a bulk payment that one run settled. The debtor has one transaction for all; each creditor has
   * one.
   */
  batch: table('accounts', 'none', {
    id: key,
    payment_id: ref('payment'),
    run_at: instant,
    /** The execution whose debit represents the batch in account information. */
    leading_execution_id: ref('execution'),
    number_of_transactions: integer,
    /** The sum of the debits, as a positive number. */
    amount_minor: minor,
  }).with('unique (payment_id, run_at)'),
  direct_posting: table('accounts', 'none', {
    id: key,
    /**
     * Postings without a payment: opening balance, mock transaction, its reversal, last balance of a closed account.
     */
    kind: oneOf('opening', 'transaction', 'reversal', 'closing'),
    details: transactionDetails,
    reversed_by: orNull(ref('direct_posting')),
    /** The event of the account's life that made it, see docs/life.md. */
    event: orNull(text),
  }),
  entry: table('accounts', 'some', {
    id: key,
    account_id: ref('account'),
    /** Credit positive, debit negative. */
    amount_minor: amount,
    execution_id: orNull(ref('execution')),
    direct_posting_id: orNull(ref('direct_posting')),
    /** The bank date of the run that books the entry (rules.md S6). */
    booking_date: date,
    value_date: date,
    /**
     * The entry is pending before this instant, which is known when it is posted. Null if it is booked at once
     * (rules.md S6).
     */
    booked_at: orNull(instant),
    /** True for the fee of a payment, which is a separate entry (rules.md P11). */
    is_fee: orZero(flag),
    /** Set on a debit of a bulk payment: account information shows all debits of a batch as one transaction. */
    batch_id: orNull(ref('batch')),
    /** The booking date in days since 1970, for the index. */
    booking_day: circumstance(
      column<GeneratedAlways<number>>('integer generated always as (unixepoch(booking_date) / 86400) virtual'),
    ),
  }).with(
    'check ((execution_id is null) <> (direct_posting_id is null))',
    // The day comes first and is a number: a run writes to the end of the index only, and takes no longer after years.
    'create index entry_of_account on entry (booking_day, account_id)',
    'create index entry_of_execution on entry (execution_id) where execution_id is not null',
    'create index entry_of_direct_posting on entry (direct_posting_id) where direct_posting_id is not null',
    'create index entry_of_batch on entry (batch_id) where batch_id is not null',
    `create trigger entry_is_never_changed before update on entry
    begin select raise(abort, 'entries are never changed'); end`,
    `create trigger entry_is_never_deleted before delete on entry
    begin select raise(abort, 'entries are never deleted'); end`,
  ),
  /**
   * What settled to another bank and comes back (rules.md S12). It has all that booking it needs: a forecast copies
   * this row alone.
   */
  payment_return: table('payments', 'some', {
    id: key,
    execution_id: unique(ref('execution')),
    payment_id: ref('payment'),
    account_id: ref('account'),
    product: column<Product>('text not null'),
    reason: column<ReturnReason>('text not null'),
    /** The banking day whose first run books it. */
    due: date,
    /** Abroad as instructed, else in the currency of the account. */
    amount_minor: positive,
    currency,
    details: transactionDetails,
    booked_at: orNull(instant),
    /** Null until it is booked, and if it was kept. */
    posting_id: orNull(ref('direct_posting')),
    /** Why the money stayed with the clearing account. It is null if it did not, or is to come. */
    kept: orNull(text),
  }).with(
    'create index payment_return_due on payment_return (due) where booked_at is null',
    'create index payment_return_of_posting on payment_return (posting_id) where posting_id is not null',
    'create index payment_return_of_payment on payment_return (payment_id)',
  ),
  /**
   * A transaction that is announced and not posted: money that is reserved, or that will come (rules.md S8b, D3d).
   * Apart from entries, as no money has moved.
   */
  reservation: table('accounts', 'all', {
    // It orders them only, and counts on from the last one that is left.
    id: circumstance(key),
    resource_id: unique(id),
    account_id: ref('account'),
    /** Credit positive, debit negative; in the account's currency. */
    amount_minor: amount,
    value_date: date,
    /** The bank books it as it is at 00:00 of this day. It is null if it stays until somebody books or releases it. */
    booking_date: orNull(date),
    /** The event of the account's life that made it. Null if `/v1/sandbox` made it. */
    event: orNull(text),
    details: transactionDetails,
  }).with(
    // Balances and runs sum them, and read nothing else of them.
    'create index reservation_of_account on reservation (account_id, amount_minor)',
    'create index reservation_booked_on on reservation (booking_date) where booking_date is not null',
    'create unique index reservation_of_event on reservation (account_id, event) where event is not null',
  ),
  /** Apart from the lives, as many share one (docs/life.md). */
  persona: table('life', 'all', {
    id: key,
    /** JSON of a Persona. */
    content: unique(json()),
  }),
  life: table('life', 'all', {
    id: key,
    account_id: unique(ref('account')),
    persona_id: ref('persona'),
    seed: text,
    /** Which account of its household it is, if it has one. */
    role: orNull(text),
    /** The key of one account of the household, the same for all of them. */
    household: orNull(ref('account')),
    /** The first day of its past. */
    from_date: date,
    /** What happened until then was booked when the life began. */
    began_at: instant,
  }),
  life_mark: table('life', 'some', {
    /** Account and event of a purchase that happened, and on which others hang (rules.md L9). */
    mark: primary(text),
  }),
  /** Payments that one PSU signs with one SCA (interface: Endpoints, rule 5). */
  signing_basket: table('approval', 'none', {
    id: key,
    resource_id: unique(id),
    tpp_id: text,
    customer_id: ref('customer'),
    tpp_redirect_uri: text,
    tpp_session_id: circumstance(orNull(text)),
    created_at: instant,
    /** From this instant on it counts as removed (interface: Limits); the settings decide how much later that is. */
    expires_at: instant,
    signed_at: orNull(instant),
  }),
  basket_payment: table('approval', 'none', {
    basket_id: ref('signing_basket'),
    payment_id: ref('payment'),
    /** Index in the request. */
    position: integer,
  }).with(
    'primary key (basket_id, payment_id)',
    'create index basket_payment_of_payment on basket_payment (payment_id)',
  ),
  /** A certificate that the bank refuses, by its normalised serial. */
  certificate_status: table('tpps', 'none', {
    serial: primary(text),
    status: oneOf('blocked', 'revoked'),
    at: instant,
  }),
  sca: table('sca', 'none', {
    id: key,
    resource_id: unique(id),
    purpose: oneOf('payment', 'cancellation', 'basket', 'consent', 'identification'),
    payment_id: orNull(ref('payment')),
    basket_id: orNull(ref('signing_basket')),
    tpp_id: text,
    tpp_name: text,
    tpp_redirect_uri: text,
    tpp_session_id: circumstance(orNull(text)),
    /** The customer who is to sign, if the TPP named one. */
    customer_id: orNull(ref('customer')),
    /** PSU-Context of the request. */
    context: orNull(oneOf('PRIVATE', 'CORPORATE')),
    /** The agreement that the request named in PSU-Corporate-ID. */
    agreement_id: orNull(ref('agreement')),
    created_at_wall: wallInstant,
    outcome: orNull(oneOf('approved', 'cancelled', 'failed')),
    /** Count of national identity numbers entered on its page that belong to no PSU who may sign (rules.md A2c). */
    wrong_numbers: orZero(integer),
    /** Whether `context` is the only one in which the PSU can approve (rules.md A7d); else the page preselects it. */
    context_binds: column<0 | 1>('integer not null'),
  }).with(
    `check ((purpose in ('payment', 'cancellation')) = (payment_id is not null))`,
    `check ((purpose = 'basket') = (basket_id is not null))`,
    'create index sca_of_payment on sca (payment_id) where payment_id is not null',
  ),
  /** The first answer to each X-Request-ID of a TPP, method and path (rules.md P9). */
  first_answer: table('calls', 'none', {
    tpp_id: text,
    method: text,
    /** Below `/v1`, decoded. It contains the id of the payment or basket. */
    path: drawn(text),
    /** In lower case. */
    request_id: circumstance(text),
    /** It is null if an older program kept it and did not know this. */
    query: orNull(text),
    /** Digest of the body, and the PSU headers: both may have ids. */
    content: drawn(text),
    /** The response body, as JSON. It contains the host name of the request. */
    answer: circumstance(json()),
    /** What the call made; one of the three. */
    payment_id: orNull(ref('payment')),
    basket_id: orNull(ref('signing_basket')),
    /** The id of the SCA, with which its link ends. */
    sca_resource_id: drawn(orNull(column<string>('text not null references sca (resource_id) on update cascade'))),
  }).with(
    'check ((payment_id is not null) + (basket_id is not null) + (sca_resource_id is not null) = 1)',
    'primary key (tpp_id, method, path, request_id)',
  ),
};

/** The tables of which a forecast copies as much. */
export type CopiedTables<Of extends Copied> = {
  [Name in keyof typeof tables]: (typeof tables)[Name]['copied'] extends Of ? Name : never;
}[keyof typeof tables];

/** The names of the tables of which a forecast copies as much, in the order in which they refer to each other. */
export function tablesCopied<Of extends Copied>(copied: Of): readonly CopiedTables<Of>[] {
  const names = Object.keys(tables) as (keyof typeof tables)[];
  return names.filter((name): name is CopiedTables<Of> => tables[name].copied === copied);
}

/** Row types by table text, for Kysely. */
export type Tables = { [Name in keyof typeof tables]: TypeOf<(typeof tables)[Name]> };
/** A row of a table. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
/** A row to insert; what has a default may be left out. */
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;

/**
 * Reads a consistent view of the ledger. Only selects; raw SQL that could write throws when it is executed.
 */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'getExecutor'>;
/** Reads and writes in one transaction. Only `write`, `writeAndSave` and `restore` create one. */
export type Writer = Transaction<Tables>;
