PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE account (
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
  ) strict;
INSERT INTO "account" VALUES(1,'enc!!GJrSXFkC4kOsJDPn5wVflydJLXpXJHjJYCUsxYt1Sw==','clearing',NULL,'Clearing NOK',NULL,NULL,'NOK',NULL,NULL,0,-1800100,NULL,1,0,NULL);
INSERT INTO "account" VALUES(2,'enc!!Ok2DPaYWVxiQKsxdhAM44LDbQpd_vKttbZCKVP02uA==','customer',1,'Konto','09232911044','NO7809232911044','NOK','Konto','CACC',0,1800100,NULL,1,1,NULL);
CREATE TABLE agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict;
INSERT INTO "agreement" VALUES(1,'8af5051a-af73-4214-adeb-87c6306d403a',1,'Nora Nordmann',NULL);
INSERT INTO "agreement" VALUES(2,'2ff658d3-6f09-4c63-a543-4e3627e1fba0',3,'Even',NULL);
CREATE TABLE attempt (
    execution_id integer not null references execution (id),
    number integer not null,
    run_date text,
    run_number integer,
    available_minor integer not null,
    needed_minor integer not null,
    outcome text not null check (outcome in ('settle', 'retry', 'reject')),
    primary key (execution_id, number),
    foreign key (run_date, run_number) references settlement_run (date, number) deferrable initially deferred
  ) strict, without rowid;
CREATE TABLE bank_state (
    id integer primary key check (id = 1),
    seeded_at integer not null,
    seeded_mode text not null check (seeded_mode in ('running', 'frozen')),
    clock_mode text not null check (clock_mode in ('running', 'frozen')),
    clock_value integer not null,
    settlement_times text not null,
    last_run_at integer not null,
    unbooked_executions integer not null,
    ended_orders integer not null
  , clock_rate integer not null default 1
    check (clock_rate between 1 and 86400), clock_since integer not null default 0, clock_seen integer not null default 0) strict;
INSERT INTO "bank_state" VALUES(1,1805886000000,'frozen','frozen',1805886000000,'05:30,09:30,11:30,13:30,15:30',1805884200000,0,0,1,1805886000000,1805886000000);
CREATE TABLE basket_payment (
    basket_id integer not null references signing_basket (id),
    payment_id integer not null references payment (id),
    position integer not null,
    primary key (basket_id, payment_id)
  ) strict, without rowid;
CREATE TABLE batch (
    id integer primary key,
    payment_id integer not null references payment (id),
    run_at integer not null,
    leading_execution_id integer not null references execution (id),
    number_of_transactions integer not null,
    amount_minor integer not null,
    unique (payment_id, run_at)
  ) strict;
CREATE TABLE bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict;
CREATE TABLE card_account (
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
  ) strict;
INSERT INTO "card_account" VALUES(1,'enc!!FHWu281q-waYVzA5YkT2UM3RjC-VZhUe5Y7WoJ6zeg==',1,'123456******1234','Kort','Basic Credit','NOK',3000000,-50000,'{}',NULL);
CREATE TABLE card_transaction (
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
  ) strict;
INSERT INTO "card_transaction" VALUES(1,1,'purchase','2027-03-20','2027-03-18',-116550,-10000,'EUR','{}');
INSERT INTO "card_transaction" VALUES(2,1,'payment','2027-03-20','2027-03-18',20000,NULL,NULL,'{}');
CREATE TABLE certificate_status (
    serial text primary key,
    status text not null check (status in ('blocked', 'revoked')),
    at integer not null
  ) strict, without rowid;
CREATE TABLE consent (
    id integer primary key,
    psu_key integer not null references psu (id),
    agreement_id integer not null references agreement (id),
    granted_at integer not null,
    ended_at integer
  ) strict;
CREATE TABLE consent_account (
    consent_id integer not null references consent (id),
    account_id integer not null references account (id),
    primary key (consent_id, account_id)
  ) strict, without rowid;
CREATE TABLE consent_card (
    consent_id integer not null references consent (id),
    card_account_id integer not null references card_account (id),
    primary key (consent_id, card_account_id)
  ) strict, without rowid;
CREATE TABLE credit_transfer (
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
  ) strict;
CREATE TABLE customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer
  ) strict;
INSERT INTO "customer" VALUES(1,'enc!!l5g_8CqAsOUmy_odtFiWxB3QTE_xuiytZoee60Gq1A==','13039319955','Nora Nordmann','private',NULL);
INSERT INTO "customer" VALUES(2,'enc!!06NKIM5E7-J6ftBrYN6yBSIVze82v3vHAp1KrXV2RQ==','11111111','Firma','corporate',NULL);
INSERT INTO "customer" VALUES(3,'enc!!juW7_Dc_xXRcjpiAXOBr6RUk7OOXP1noJGpWgO2swA==','12085592767','Even','private',NULL);
CREATE TABLE direct_posting (
    id integer primary key,
    kind text not null check (kind in ('opening', 'transaction', 'reversal', 'closing')),
    details text not null,
    reversed_by integer references direct_posting (id)
  ) strict;
INSERT INTO "direct_posting" VALUES(1,'opening','{}',NULL);
INSERT INTO "direct_posting" VALUES(2,'transaction','{}',NULL);
CREATE TABLE engagement (
    id integer primary key,
    agreement_id integer not null references agreement (id),
    customer_id integer not null references customer (id),
    account_id integer not null references account (id),
    may_view integer not null check (may_view in (0, 1)),
    may_register integer not null check (may_register in (0, 1)),
    unique (agreement_id, customer_id, account_id)
  ) strict;
CREATE TABLE entry (
    id integer primary key,
    account_id integer not null references account (id),
    amount_minor integer not null check (amount_minor <> 0),
    execution_id integer references execution (id),
    direct_posting_id integer references direct_posting (id),
    booking_date text not null,
    value_date text not null,
    awaits_booking_since integer,
    is_fee integer not null default 0 check (is_fee in (0, 1)),
    batch_id integer references batch (id), booking_day integer
    generated always as (unixepoch(booking_date) / 86400) virtual,
    check ((execution_id is null) <> (direct_posting_id is null))
  ) strict;
INSERT INTO "entry" VALUES(1,1,-1800000,NULL,1,'2027-03-23','2027-03-23',NULL,0,NULL);
INSERT INTO "entry" VALUES(2,2,1800000,NULL,1,'2027-03-23','2027-03-23',NULL,0,NULL);
INSERT INTO "entry" VALUES(3,1,-100,NULL,2,'2027-03-01','2027-03-01',NULL,0,NULL);
INSERT INTO "entry" VALUES(4,2,100,NULL,2,'2027-03-01','2027-03-01',NULL,0,NULL);
CREATE TABLE execution (
    id integer primary key,
    payment_id integer not null references payment (id),
    sequence integer not null,
    nominal_date text not null,
    execution_date text not null,
    authorised_at integer not null,
    debtor_account_id integer not null references account (id),
    creditor_number text not null,
    amount_minor integer not null check (amount_minor > 0),
    status text not null check (status in ('ACSP', 'PDNG', 'ACCP', 'ACSC', 'RJCT', 'CANC')),
    attempts integer not null,
    is_foreign integer not null default 0 check (is_foreign in (0, 1)),
    unique (payment_id, sequence)
  ) strict;
CREATE TABLE foreign_transfer (
    payment_id integer primary key references payment (id),
    debit_minor integer not null check (debit_minor > 0),
    fee_minor integer not null check (fee_minor >= 0),
    instructed_minor integer not null check (instructed_minor > 0),
    instructed_currency text not null,
    credit_minor integer not null check (credit_minor > 0),
    credit_currency text not null,
    debit_rate text,
    credit_rate text,
    quotation_date text not null
  ) strict;
CREATE TABLE initiation_answer (
    tpp_id text not null,
    request_id text not null,
    payment_id integer not null references payment (id),
    fingerprint text not null,
    answer text not null,
    primary key (tpp_id, request_id)
  ) strict, without rowid;
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO "kysely_migration" VALUES('001-ledger','2026-11-21T23:43:08.659Z');
INSERT INTO "kysely_migration" VALUES('002-clock-rate','2026-11-21T23:43:08.660Z');
INSERT INTO "kysely_migration" VALUES('003-payment-initiation','2026-11-21T23:43:08.661Z');
INSERT INTO "kysely_migration" VALUES('004-narrower-indexes','2026-11-21T23:43:08.662Z');
INSERT INTO "kysely_migration" VALUES('005-entries-by-day','2026-11-21T23:43:08.663Z');
INSERT INTO "kysely_migration" VALUES('006-clock-seen','2026-11-21T23:43:08.665Z');
INSERT INTO "kysely_migration" VALUES('007-wrong-numbers','2026-11-21T23:43:08.666Z');
INSERT INTO "kysely_migration" VALUES('008-transfers-of-orders','2026-11-21T23:43:08.674Z');
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO "kysely_migration_lock" VALUES('migration_lock',0);
CREATE TABLE payment (
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
    settled_at integer,
    cancellation_requested_at integer,
    forced_status text,
    agreement_id integer references agreement (id)
  ) strict;
CREATE TABLE payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict;
CREATE TABLE psu (
    id integer primary key,
    psu_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    last_sca_at integer not null,
    unique (tpp_id, customer_id)
  ) strict;
CREATE TABLE sca (
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
    outcome text check (outcome in ('approved', 'cancelled', 'failed')), wrong_numbers integer not null default 0,
    check ((purpose in ('payment', 'cancellation')) = (payment_id is not null)),
    check ((purpose = 'basket') = (basket_id is not null))
  ) strict;
CREATE TABLE sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict;
CREATE TABLE settlement_run (
    date text not null,
    number integer not null,
    at integer not null,
    settled integer not null,
    retried integer not null,
    rejected integer not null,
    booked integer not null,
    registered integer not null,
    primary key (date, number)
  ) strict, without rowid;
CREATE TABLE signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid;
CREATE TABLE signing_basket (
    id integer primary key,
    resource_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    tpp_redirect_uri text not null,
    tpp_session_id text,
    created_at integer not null,
    expires_at integer not null,
    signed_at integer
  ) strict;
CREATE TABLE standing_order (
    payment_id integer primary key references payment (id),
    start_date text not null,
    end_date text,
    frequency text not null,
    execution_rule text not null check (execution_rule in ('following', 'preceding')),
    day_of_execution integer,
    months_of_execution text,
    next_index integer
  ) strict;
CREATE TABLE status_change (
    id integer primary key,
    payment_id integer not null references payment (id),
    status text not null,
    at integer not null,
    wall integer not null,
    cause text not null
  ) strict;
CREATE TABLE tpp_contact (
    tpp_id text primary key,
    email text not null
  ) strict, without rowid;
CREATE TABLE unattended_read (
    id integer primary key,
    psu_key integer not null references psu (id),
    account_id text not null,
    kind text not null check (kind in ('balances', 'transactions', 'transaction-details')),
    at integer not null
  ) strict;
CREATE UNIQUE INDEX customer_number_in_use on customer (customer_number) where deleted_at is null;
CREATE UNIQUE INDEX account_bban_in_use on account (bban) where closed_at is null and bban is not null;
CREATE UNIQUE INDEX account_iban_in_use on account (iban) where closed_at is null and iban is not null;
CREATE UNIQUE INDEX account_clearing on account (currency) where kind = 'clearing';
CREATE INDEX account_of_customer on account (customer_id);
CREATE INDEX agreement_of_owner on agreement (owner_id);
CREATE INDEX engagement_of_customer on engagement (customer_id);
CREATE INDEX engagement_of_account on engagement (account_id);
CREATE INDEX sca_session_of_psu on sca_session (psu_key) where ended_at is null;
CREATE UNIQUE INDEX consent_live on consent (psu_key, agreement_id) where ended_at is null;
CREATE INDEX consent_account_of_account on consent_account (account_id);
CREATE INDEX card_account_of_customer on card_account (customer_id);
CREATE INDEX consent_card_of_card on consent_card (card_account_id);
CREATE INDEX unattended_read_of_account on unattended_read (psu_key, account_id, at);
CREATE INDEX payment_unfinished on payment (debtor_account_id) where status not in ('ACSC', 'RJCT', 'CANC');
CREATE INDEX credit_transfer_alike
    on credit_transfer (debtor_account_id, execution_date, creditor_number, amount_minor);
CREATE TRIGGER credit_transfer_moves_with_its_payment after update of execution_date on payment
    when new.execution_date <> old.execution_date
    begin update credit_transfer set execution_date = new.execution_date where payment_id = new.id; end;
CREATE INDEX execution_due on execution (execution_date, authorised_at, nominal_date, id)
    where status in ('ACSP', 'PDNG', 'ACCP');
CREATE INDEX status_change_of_payment on status_change (payment_id);
CREATE INDEX entry_of_execution on entry (execution_id) where execution_id is not null;
CREATE INDEX entry_of_direct_posting on entry (direct_posting_id) where direct_posting_id is not null;
CREATE INDEX entry_of_batch on entry (batch_id) where batch_id is not null;
CREATE TRIGGER entry_is_never_changed before update on entry
    begin select raise(abort, 'entries are never changed'); end;
CREATE TRIGGER entry_is_never_deleted before delete on entry
    begin select raise(abort, 'entries are never deleted'); end;
CREATE INDEX basket_payment_of_payment on basket_payment (payment_id);
CREATE INDEX sca_of_payment on sca (payment_id) where payment_id is not null;
CREATE INDEX entry_of_account on entry (booking_day, account_id);
COMMIT;
