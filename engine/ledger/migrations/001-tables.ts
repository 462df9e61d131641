import { sql, type Kysely } from 'kysely';

/*
 * Instants are INTEGER milliseconds since 1970 UTC, dates TEXT 'YYYY-MM-DD', money INTEGER minor units in columns
 * named *_minor. A resource_id is the id that the interface shows.
 *
 * Keys of payments and executions begin with the day on which they are due: engine/ledger/queries.ts.
 *
 * The order of columns is part of the content hash. Conditions on a status or an outcome compare one value after the other:
 * for `in` with more than two values SQLite fills a temporary table for each row that it checks.
 */
const tables = [
  `create table bank_state (
    id integer primary key check (id = 1),
    seeded_at integer not null,
    seeded_mode text not null check (seeded_mode in ('running', 'frozen')),
    clock_mode text not null check (clock_mode in ('running', 'frozen')),
    clock_value integer not null,
    settlement_times text not null,
    last_run_at integer not null,
    unbooked_executions integer not null,
    ended_orders integer not null,
    double_executions integer not null,
    clock_rate integer not null check (clock_rate between 1 and 86400),
    clock_since integer not null,
    clock_seen integer not null,
    last_booking_at integer not null,
    due_told text,
    lived_until integer,
    entries_before integer not null,
    list_key text not null,
    wire_key text not null,
    quirks text,
    fixtures text not null,
    known_state_hash text not null,
    profile text
  ) strict`,
  `create table customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer,
    is_type_in_capitals integer not null check (is_type_in_capitals in (0, 1))
  ) strict`,
  `create unique index customer_number_in_use on customer (customer_number) where deleted_at is null`,
  `create table account (
    id integer primary key,
    resource_id text not null unique,
    kind text not null check (kind in ('customer', 'clearing')),
    customer_id integer references customer (id),
    name text not null,
    bban text,
    iban text,
    currency text not null,
    product text,
    cash_account_type text,
    credit_line_minor integer not null check (credit_line_minor >= 0),
    balance_minor integer not null,
    kid_agreement text check (kid_agreement in ('MOD10', 'MOD11')),
    signatures_required integer not null check (signatures_required >= 1),
    payments_allowed integer not null check (payments_allowed in (0, 1)),
    closed_at integer,
    check ((kind = 'clearing') = (customer_id is null))
  ) strict`,
  `create unique index account_bban_in_use on account (bban) where closed_at is null and bban is not null`,
  `create unique index account_iban_in_use on account (iban) where closed_at is null and iban is not null`,
  `create unique index account_clearing on account (currency) where kind = 'clearing'`,
  `create index account_of_customer on account (customer_id)`,
  // Every run looks for closed accounts by their numbers (rules.md P5c).
  `create index account_bban_closed on account (bban) where closed_at is not null and bban is not null`,
  `create index account_iban_closed on account (iban) where closed_at is not null and iban is not null`,
  `create table agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict`,
  `create index agreement_of_owner on agreement (owner_id)`,
  `create table engagement (
    id integer primary key,
    agreement_id integer not null references agreement (id),
    customer_id integer not null references customer (id),
    account_id integer not null references account (id),
    may_view integer not null check (may_view in (0, 1)),
    may_register integer not null check (may_register in (0, 1)),
    unique (agreement_id, customer_id, account_id)
  ) strict`,
  `create index engagement_of_customer on engagement (customer_id)`,
  `create index engagement_of_account on engagement (account_id)`,
  `create table psu (
    id integer primary key,
    psu_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    last_sca_at integer not null,
    known_by_sca integer not null,
    unique (tpp_id, customer_id)
  ) strict`,
  `create table sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict`,
  `create index sca_session_of_psu on sca_session (psu_key) where ended_at is null`,
  `create table consent (
    id integer primary key,
    psu_key integer not null references psu (id),
    agreement_id integer not null references agreement (id),
    granted_at integer not null,
    ended_at integer,
    used_on text
  ) strict`,
  `create unique index consent_live on consent (psu_key, agreement_id) where ended_at is null`,
  `create table consent_account (
    consent_id integer not null references consent (id),
    account_id integer not null references account (id),
    primary key (consent_id, account_id)
  ) strict, without rowid`,
  `create index consent_account_of_account on consent_account (account_id)`,
  `create table card_account (
    id integer primary key,
    resource_id text not null unique,
    customer_id integer not null references customer (id),
    masked_pan text not null,
    name text not null,
    product text,
    currency text not null,
    credit_limit_minor integer not null check (credit_limit_minor >= 0),
    opening_minor integer not null,
    details text not null,
    closed_at integer
  ) strict`,
  `create index card_account_of_customer on card_account (customer_id)`,
  `create table card_transaction (
    id integer primary key,
    card_account_id integer not null references card_account (id),
    card_transaction_id text not null,
    booking_date text,
    transaction_date text not null,
    amount_minor integer not null check (amount_minor <> 0),
    original_minor integer,
    original_currency text,
    details text not null,
    unique (card_account_id, card_transaction_id),
    check ((original_minor is null) = (original_currency is null))
  ) strict`,
  `create table consent_card (
    consent_id integer not null references consent (id),
    card_account_id integer not null references card_account (id),
    primary key (consent_id, card_account_id)
  ) strict, without rowid`,
  `create index consent_card_of_card on consent_card (card_account_id)`,
  `create table unattended_read (
    id integer primary key,
    psu_key integer not null references psu (id),
    account_id text not null,
    kind text not null check (kind in ('balances', 'transactions', 'transaction-details')),
    at integer not null
  ) strict`,
  `create index unattended_read_of_account on unattended_read (psu_key, account_id, at)`,
  `create table tpp_contact (
    tpp_id text primary key,
    email text not null
  ) strict, without rowid`,
  `create table payment (
    id integer primary key,
    resource_id text not null unique,
    service text not null check (service in ('payments', 'periodic-payments', 'bulk-payments')),
    product text not null,
    tpp_id text not null,
    tpp_name text not null,
    customer_id integer not null references customer (id),
    debtor_account_id integer not null references account (id),
    status text not null,
    execution_date text,
    tpp_redirect_uri text not null,
    tpp_session_id text,
    initiated_at integer not null,
    authorised_at integer,
    received_at integer,
    leaves_at integer,
    cancellation_requested_at integer,
    forced_status text,
    agreement_id integer references agreement (id),
    forced_at integer
  ) strict`,
  // The order of initiation: 1073741824 keys belong to a day.
  `create index payment_in_order on payment (id % 1073741824)`,
  `create index payment_unfinished on payment (debtor_account_id)
    where status <> 'ACSC' and status <> 'RJCT' and status <> 'CANC'`,
  // Apart from the payment, so that a run does not write the body again with each status.
  `create table payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict`,
  // Rejections that the control plane asked for, also of occurrences that have no execution yet.
  `create table provoked_rejection (
    payment_id integer not null references payment (id),
    sequence integer not null,
    reason text not null,
    primary key (payment_id, sequence)
  ) strict, without rowid`,
  `create table signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid`,
  `create table standing_order (
    payment_id integer primary key references payment (id),
    start_date text not null,
    end_date text,
    frequency text not null,
    execution_rule text not null check (execution_rule in ('following', 'preceding')),
    day_of_execution integer,
    months_of_execution text,
    next_index integer
  ) strict`,
  `create table foreign_transfer (
    payment_id integer primary key references payment (id),
    debit_minor integer not null check (debit_minor > 0),
    fee_minor integer not null check (fee_minor >= 0),
    instructed_minor integer not null check (instructed_minor > 0),
    instructed_currency text not null,
    credit_minor integer not null check (credit_minor > 0),
    credit_currency text not null,
    debit_rate text,
    credit_rate text,
    quotation_date text not null,
    value_date text
  ) strict`,
  // A standing order has one without a date: its executions have their own.
  `create table credit_transfer (
    id integer primary key,
    payment_id integer not null references payment (id),
    sequence integer not null,
    debtor_account_id integer not null references account (id),
    creditor_number text not null,
    currency text not null,
    amount_minor integer not null check (amount_minor > 0),
    execution_date text,
    initiation text,
    unique (payment_id, sequence)
  ) strict`,
  `create index credit_transfer_alike
    on credit_transfer (debtor_account_id, execution_date, creditor_number, amount_minor)`,
  `create trigger credit_transfer_moves_with_its_payment after update of execution_date on payment
    when new.execution_date <> old.execution_date
    begin update credit_transfer set execution_date = new.execution_date where payment_id = new.id; end`,
  `create table bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict`,
  `create table execution (
    id integer primary key,
    payment_id integer not null references payment (id),
    sequence integer not null,
    nominal_date text not null,
    execution_date text not null,
    received_at integer not null,
    debtor_account_id integer not null references account (id),
    creditor_number text not null,
    amount_minor integer not null check (amount_minor > 0),
    status text not null check (
      status = 'ACSP' or status = 'PDNG' or status = 'ACCP' or status = 'ACSC' or status = 'RJCT' or status = 'CANC'
    ),
    attempts integer not null,
    is_foreign integer not null default 0 check (is_foreign in (0, 1)),
    unique (payment_id, sequence)
  ) strict`,
  `create index execution_due on execution (execution_date, received_at, nominal_date, id)
    where status = 'ACSP' or status = 'PDNG' or status = 'ACCP'`,
  `create table settlement_run (
    date text not null,
    number integer not null,
    at integer not null,
    settled integer not null,
    retried integer not null,
    rejected integer not null,
    booked integer not null,
    registered integer not null,
    "trigger" text not null check ("trigger" in ('cron', 'heartbeat', 'advance', 'start')),
    late_ms integer,
    primary key (date, number)
  ) strict, without rowid`,
  `create table attempt (
    execution_id integer not null references execution (id),
    number integer not null,
    run_date text,
    run_number integer,
    available_minor integer not null,
    needed_minor integer not null,
    outcome text not null check (outcome = 'settle' or outcome = 'retry' or outcome = 'reject'),
    reason text,
    primary key (execution_id, number),
    foreign key (run_date, run_number) references settlement_run (date, number) deferrable initially deferred
  ) strict, without rowid`,
  `create table status_change (
    id integer primary key,
    payment_id integer not null references payment (id),
    status text not null,
    at integer not null,
    wall integer not null,
    cause text not null
  ) strict`,
  `create index status_change_of_payment on status_change (payment_id)`,
  `create table batch (
    id integer primary key,
    payment_id integer not null references payment (id),
    run_at integer not null,
    leading_execution_id integer not null references execution (id),
    number_of_transactions integer not null,
    amount_minor integer not null,
    unique (payment_id, run_at)
  ) strict`,
  `create table direct_posting (
    id integer primary key,
    kind text not null check (kind in ('opening', 'transaction', 'reversal', 'closing', 'correction')),
    details text not null,
    reversed_by integer references direct_posting (id),
    event text
  ) strict`,
  // What the fault double-execution made runs carry out a second time.
  `create table double_execution (
    execution_id integer primary key references execution (id),
    corrected_by integer unique references direct_posting (id)
  ) strict`,
  `create index double_execution_open on double_execution (execution_id) where corrected_by is null`,
  `create table entry (
    id integer primary key,
    account_id integer not null references account (id),
    amount_minor integer not null check (amount_minor <> 0),
    execution_id integer references execution (id),
    direct_posting_id integer references direct_posting (id),
    booking_date text not null,
    value_date text not null,
    booked_at integer,
    is_fee integer not null default 0 check (is_fee in (0, 1)),
    batch_id integer references batch (id),
    booking_day integer generated always as (unixepoch(booking_date) / 86400) virtual,
    check ((execution_id is null) <> (direct_posting_id is null))
  ) strict`,
  // The day comes first and is a number: a run writes to the end of the index only, and takes no longer after years.
  `create index entry_of_account on entry (booking_day, account_id)`,
  `create index entry_of_execution on entry (execution_id) where execution_id is not null`,
  `create index entry_of_direct_posting on entry (direct_posting_id) where direct_posting_id is not null`,
  `create index entry_of_batch on entry (batch_id) where batch_id is not null`,
  `create trigger entry_is_never_changed before update on entry
    begin select raise(abort, 'entries are never changed'); end`,
  `create trigger entry_is_never_deleted before delete on entry
    begin select raise(abort, 'entries are never deleted'); end`,
  // Apart from entries, as no money has moved (rules.md S8b).
  `create table reservation (
    id integer primary key,
    resource_id text not null unique,
    account_id integer not null references account (id),
    amount_minor integer not null check (amount_minor <> 0),
    value_date text not null,
    booking_date text,
    event text,
    details text not null
  ) strict`,
  // Balances and runs sum them, and read nothing else of them.
  `create index reservation_of_account on reservation (account_id, amount_minor)`,
  `create index reservation_booked_on on reservation (booking_date) where booking_date is not null`,
  `create unique index reservation_of_event on reservation (account_id, event) where event is not null`,
  // Apart from the lives, as many share one (docs/life.md).
  `create table persona (
    id integer primary key,
    content text not null unique
  ) strict`,
  `create table life (
    id integer primary key,
    account_id integer not null unique references account (id),
    persona_id integer not null references persona (id),
    seed text not null,
    role text,
    household integer references account (id),
    from_date text not null,
    began_at integer not null
  ) strict`,
  `create table life_mark (mark text primary key) strict, without rowid`,
  `create table signing_basket (
    id integer primary key,
    resource_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    tpp_redirect_uri text not null,
    tpp_session_id text,
    created_at integer not null,
    expires_at integer not null,
    signed_at integer
  ) strict`,
  `create table basket_payment (
    basket_id integer not null references signing_basket (id),
    payment_id integer not null references payment (id),
    position integer not null,
    primary key (basket_id, payment_id)
  ) strict, without rowid`,
  `create index basket_payment_of_payment on basket_payment (payment_id)`,
  `create table certificate_status (
    serial text primary key,
    status text not null check (status in ('blocked', 'revoked')),
    at integer not null
  ) strict, without rowid`,
  `create table sca (
    id integer primary key,
    resource_id text not null unique,
    purpose text not null check (purpose in ('payment', 'cancellation', 'basket', 'consent', 'identification')),
    payment_id integer references payment (id),
    basket_id integer references signing_basket (id),
    tpp_id text not null,
    tpp_name text not null,
    tpp_redirect_uri text not null,
    tpp_session_id text,
    customer_id integer references customer (id),
    context text check (context in ('PRIVATE', 'CORPORATE')),
    agreement_id integer references agreement (id),
    created_at_wall integer not null,
    outcome text check (outcome in ('approved', 'cancelled', 'failed')),
    wrong_numbers integer not null default 0,
    context_binds integer not null,
    check ((purpose in ('payment', 'cancellation')) = (payment_id is not null)),
    check ((purpose = 'basket') = (basket_id is not null))
  ) strict`,
  `create index sca_of_payment on sca (payment_id) where payment_id is not null`,
  `create table first_answer (
    tpp_id text not null,
    method text not null,
    path text not null,
    request_id text not null,
    query text,
    content text not null,
    answer text not null,
    payment_id integer references payment (id),
    basket_id integer references signing_basket (id),
    sca_resource_id text references sca (resource_id),
    check ((payment_id is not null) + (basket_id is not null) + (sca_resource_id is not null) = 1),
    primary key (tpp_id, method, path, request_id)
  ) strict, without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db);
}
