PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('001-ledger','2026-11-21T23:59:14.476Z');
INSERT INTO kysely_migration VALUES('002-clock-rate','2026-11-21T23:59:14.478Z');
INSERT INTO kysely_migration VALUES('003-payment-initiation','2026-11-21T23:59:14.491Z');
INSERT INTO kysely_migration VALUES('004-narrower-indexes','2026-11-21T23:59:14.492Z');
INSERT INTO kysely_migration VALUES('005-entries-by-day','2026-11-21T23:59:14.493Z');
INSERT INTO kysely_migration VALUES('006-clock-seen','2026-11-21T23:59:14.494Z');
INSERT INTO kysely_migration VALUES('007-wrong-numbers','2026-11-21T23:59:14.495Z');
INSERT INTO kysely_migration VALUES('008-transfers-of-orders','2026-11-21T23:59:14.497Z');
CREATE TABLE IF NOT EXISTS "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO kysely_migration_lock VALUES('migration_lock',0);
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
INSERT INTO bank_state VALUES(1,1807599600000,'frozen','frozen',1807599600000,'05:30,09:30,11:30,13:30,15:30',1807587000000,0,0,1,1807599600000,1807599600000);
CREATE TABLE customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer
  ) strict;
INSERT INTO customer VALUES(1,'enc!!99E_TOPp7gy5qQrs-IQeqDphlv5IpqdSnMNFut1B3Q==','13039319955','Test Testperson 3','private',NULL);
INSERT INTO customer VALUES(2,'enc!!jDzlPUfPD0ewH6WuZ5ccxC2oJF2JmCACyETUzPGEJg==','12085592767','Test Testperson 2','private',NULL);
INSERT INTO customer VALUES(3,'enc!!itwXtiXGANzXjIWiyhxb20zU9e1qlcd_CC-4IpK7BA==','18129215603','Corporate Customer 1','private',NULL);
INSERT INTO customer VALUES(4,'enc!!LClbwT4fucB7EbxhyniHkyRzEOhL5SE4U4RlR53tLg==','20079518612','Corporate Customer 2','private',NULL);
INSERT INTO customer VALUES(5,'enc!!Jh7tQpprdEneM27YGoP02WrTwunYQuHEC_deJDbLUA==','11111111','Corporation 1 AS','corporate',NULL);
INSERT INTO customer VALUES(6,'enc!!3dSo5IVzph7WP2L7_jS-EQ-etR_XT8N2WH3l6DaWSQ==','22222222','Corporation 2 AS','corporate',NULL);
INSERT INTO customer VALUES(7,'enc!!AvuT0jF8XqwfUEt0_loWE0hl6P5qGGk4jYMNRW_YpQ==','01819050062','Anne Uten Dekning','private',NULL);
INSERT INTO customer VALUES(8,'enc!!NT6kA_G8Hori0NaB8qQRJedBu6Ia4-iL4itPuanmtg==','02818550068','Kari Kidkrav','private',NULL);
INSERT INTO customer VALUES(9,'enc!!NyQQq9g4YolRtBIlNWk0Zx8yIAfo_-sxaDmlL5qrbg==','15817550018','Per Sperret','private',NULL);
INSERT INTO customer VALUES(10,'enc!!dqHbKpbRGZfPxdNUW7jI7LuMvtBsaXbYZo5nib8vIA==','17818050100','Sigrid Signerer','private',NULL);
INSERT INTO customer VALUES(11,'enc!!_jtPyvQGXFh1kWzYCTf5szSpaEQi3Yuh3CQG3Fb76A==','20818850094','Tor Signerer','private',NULL);
INSERT INTO customer VALUES(12,'enc!!fvSFhUQCHCxwst2wIcjSFrQX9mZbIpPCzFJbvGyPgA==','33333333','To Nøkler AS','corporate',NULL);
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
INSERT INTO account VALUES(1,'enc!!DUrq5nEEqjDigiWFIBf8O--rQG7mMU9MBnRVOC46EQ==','clearing',NULL,'Clearing NOK',NULL,NULL,'NOK',NULL,NULL,0,-82711600,NULL,1,0,NULL);
INSERT INTO account VALUES(2,'enc!!ltrYN0ZhWEqYXSwECf-mzZaUaMbRYQu5Y2MT-ajZjQ==','customer',1,'Totalkonto','09232911044','NO7809232911044','NOK','Brukskonto','CACC',0,1800000,NULL,1,1,NULL);
INSERT INTO account VALUES(3,'enc!!1vYy3GWsubRcuxgFow25irY4LpwDFo55-XnHObPQuw==','customer',1,'Regningskonto','70323119469','NO8870323119469','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(4,'enc!!1A0owGEbDw9UkoM2bj7huSBH4egv9oC71VhCgzCyyA==','clearing',NULL,'Clearing EUR',NULL,NULL,'EUR',NULL,NULL,0,-333601100,NULL,1,0,NULL);
INSERT INTO account VALUES(5,'enc!!VQdChpFJLrmLfV3kAj6z876Cvha3nD-WonSpE-0_SQ==','customer',1,'Valutakonto','85523166859','NO8085523166859','EUR','Brukskonto','CACC',0,332601100,NULL,1,1,NULL);
INSERT INTO account VALUES(6,'enc!!ee2vnDxriqKKdFYqwNknndRHry5dY3E3PB3_jFE0Aw==','customer',1,'Skattetrekkskonto','86620069552','NO7986620069552','NOK','Skattetrekkskonto','TAXE',0,1500000,NULL,1,1,NULL);
INSERT INTO account VALUES(7,'enc!!JumM1kl9FsUPiNwivmVKScpphGVIb2poLMoT6Ah5Hw==','customer',2,'Totalkonto','74712699947','NO1874712699947','NOK','Brukskonto','CACC',0,1579600,NULL,1,1,NULL);
INSERT INTO account VALUES(8,'enc!!OnRochjOWPkDpy2v72WhrXgJgOPEV8kOiBQ44OBGkg==','customer',2,'Regningskonto','24628359081','NO8824628359081','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(9,'enc!!Vz7L3GEoaAUd2j2GSFMINZLTtBVJcGZLhz5KHOzOOA==','customer',2,'Valutakonto','41305545238','NO6041305545238','EUR','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(10,'enc!!4Xpln9wGfKqgawIbI6KTkmeHDqA8lOKMVXJODG3xjA==','customer',2,'Skattetrekkskonto','87049752626','NO6687049752626','NOK','Skattetrekkskonto','TAXE',0,9880800,NULL,1,1,NULL);
INSERT INTO account VALUES(11,'enc!!vIIHiQ6XvC7RZghyCfa0y4ZPqbx7e3o-wbfvXByU3w==','customer',5,'Driftskonto','34110000016','NO2034110000016','NOK','Brukskonto','CACC',0,25000000,NULL,1,1,NULL);
INSERT INTO account VALUES(12,'enc!!XAw3dUdphzz5DqYalfNEKjFIqKhdrGvNZAWSZGP8pw==','customer',5,'Regningskonto','34110000024','NO9534110000024','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(13,'enc!!orSJpVrYME3wzgJe8eSOQRVUGXUvLP8vg35tUrwLZg==','customer',6,'Driftskonto','34220000011','NO8734220000011','NOK','Brukskonto','CACC',0,25000000,NULL,1,1,NULL);
INSERT INTO account VALUES(14,'enc!!ikVqENNTAveJRPwejvjDfXanmiHlx_0KGn2X_doVmA==','customer',6,'Regningskonto','34220000038','NO3734220000038','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(15,'enc!!ZSHncNwRBZ021jr37S7ds3O1wQjKDNSB5ZhEEJA1hA==','customer',7,'Brukskonto','34300000012','NO3734300000012','NOK','Brukskonto','CACC',0,1200,NULL,1,1,NULL);
INSERT INTO account VALUES(16,'enc!!lLhRaPOZw1NKuvR-ES27l28a6Jr8n4YAVzkmRA4B0Q==','customer',8,'Innbetalinger','34400000028','NO3734400000028','NOK','Brukskonto','CACC',0,100000,'MOD10',1,1,NULL);
INSERT INTO account VALUES(17,'enc!!YZ5HctRj0TQ80eRo-_yUMbNjOxitBw-Kmh7zqLw9kA==','customer',8,'Kredittkonto','34400000036','NO1534400000036','NOK','Brukskonto','CACC',2000000,50000,NULL,1,1,NULL);
INSERT INTO account VALUES(18,'enc!!NQbUyFvSce-IojEpNKmdegG0NbJu9zqf5z6HoxpwKg==','customer',9,'Brukskonto','34500000017','NO8734500000017','NOK','Brukskonto','CACC',0,800000,NULL,1,1,NULL);
INSERT INTO account VALUES(19,'enc!!QSzRwHjiPvh9ZtnXd9qpZ7k0Mrd0FZ74iANEqH4lKA==','customer',9,'Sparekonto','34500000025','NO6534500000025','NOK','Sparekonto','SVGS',0,4000000,NULL,1,0,NULL);
INSERT INTO account VALUES(20,'enc!!LZwKzLp256VvRqGtzLYM5zjSsnt9GirOM1EBqWfOlA==','customer',12,'Driftskonto','34330000017','NO5134330000017','NOK','Brukskonto','CACC',0,9000000,NULL,2,1,NULL);
CREATE TABLE agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict;
INSERT INTO agreement VALUES(1,'59b6b605-8a63-4cc7-8e71-fac90bbb62db',1,'Test Testperson 3',NULL);
INSERT INTO agreement VALUES(2,'c3155134-7353-4a0a-bf5d-332807014ac6',2,'Test Testperson 2',NULL);
INSERT INTO agreement VALUES(3,'e1c5e42f-13b4-4e3f-aaba-cf53c32c5f7c',3,'Corporate Customer 1',NULL);
INSERT INTO agreement VALUES(4,'53803a29-5005-46d1-859a-1ba37366c1ff',4,'Corporate Customer 2',NULL);
INSERT INTO agreement VALUES(5,'04d6dd9f-42bb-4fa1-a588-3debe18b5031',7,'Anne Uten Dekning',NULL);
INSERT INTO agreement VALUES(6,'3f5c334e-cc5c-4873-a6d0-f48f209717f4',8,'Kari Kidkrav',NULL);
INSERT INTO agreement VALUES(7,'d657e493-9b36-46a1-9a52-12f2880b1d42',9,'Per Sperret',NULL);
INSERT INTO agreement VALUES(8,'aad79f7e-5b3d-4529-9b67-e18f918aece2',10,'Sigrid Signerer',NULL);
INSERT INTO agreement VALUES(9,'bd25961a-b551-4912-acad-f4c0054c7be4',11,'Tor Signerer',NULL);
INSERT INTO agreement VALUES(10,'82f11fbf-1f99-4806-a1c9-cd284ece1601',5,'Corporation 1 AS',NULL);
INSERT INTO agreement VALUES(11,'32df7ed2-51f3-4325-9ff0-f1704995f1e2',6,'Corporation 2 AS',NULL);
INSERT INTO agreement VALUES(12,'eab984b7-2509-47b1-a250-8dcab02b4d01',12,'To Nøkler AS',NULL);
CREATE TABLE engagement (
    id integer primary key,
    agreement_id integer not null references agreement (id),
    customer_id integer not null references customer (id),
    account_id integer not null references account (id),
    may_view integer not null check (may_view in (0, 1)),
    may_register integer not null check (may_register in (0, 1)),
    unique (agreement_id, customer_id, account_id)
  ) strict;
INSERT INTO engagement VALUES(1,10,3,11,1,1);
INSERT INTO engagement VALUES(2,10,3,12,1,1);
INSERT INTO engagement VALUES(3,11,4,13,1,1);
INSERT INTO engagement VALUES(4,11,4,14,1,1);
INSERT INTO engagement VALUES(5,12,10,20,1,1);
INSERT INTO engagement VALUES(6,12,11,20,1,1);
CREATE TABLE psu (
    id integer primary key,
    psu_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    last_sca_at integer not null,
    unique (tpp_id, customer_id)
  ) strict;
INSERT INTO psu VALUES(1,'b547f946-8256-439f-a79f-d7b9a9dd2044','PSDNO-FSA-987654321',1,1807599600000);
INSERT INTO psu VALUES(2,'b92d0a59-6c42-467e-be98-e16df3206c19','PSDNO-FSA-987654321',2,1807599600000);
INSERT INTO psu VALUES(3,'31f413cb-1b01-4395-a0f9-d194dbc11777','PSDNO-FSA-987654321',8,1807599600000);
INSERT INTO psu VALUES(4,'a1f8e05e-5f0e-4fc7-8226-a82a021fbdfa','PSDNO-FSA-987654321',7,1807599600000);
INSERT INTO psu VALUES(5,'2815f2fb-543e-47e5-8142-4078347b2fac','PSDNO-FSA-987654321',9,1807599600000);
CREATE TABLE sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict;
INSERT INTO sca_session VALUES(1,1,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(2,1,'session-2',1807599600000,NULL);
INSERT INTO sca_session VALUES(3,5,'session-3',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(4,5,'session-4',1807599600000,NULL);
CREATE TABLE consent (
    id integer primary key,
    psu_key integer not null references psu (id),
    agreement_id integer not null references agreement (id),
    granted_at integer not null,
    ended_at integer
  ) strict;
INSERT INTO consent VALUES(1,1,1,1807599600000,NULL);
INSERT INTO consent VALUES(2,2,2,1807599600000,NULL);
INSERT INTO consent VALUES(3,3,6,1807599600000,NULL);
INSERT INTO consent VALUES(4,4,5,1807599600000,NULL);
INSERT INTO consent VALUES(5,5,7,1807599600000,1807599600000);
INSERT INTO consent VALUES(6,5,7,1807599600000,NULL);
CREATE TABLE consent_account (
    consent_id integer not null references consent (id),
    account_id integer not null references account (id),
    primary key (consent_id, account_id)
  ) strict, without rowid;
INSERT INTO consent_account VALUES(1,2);
INSERT INTO consent_account VALUES(1,3);
INSERT INTO consent_account VALUES(2,7);
INSERT INTO consent_account VALUES(2,8);
INSERT INTO consent_account VALUES(2,9);
INSERT INTO consent_account VALUES(2,10);
INSERT INTO consent_account VALUES(3,16);
INSERT INTO consent_account VALUES(3,17);
INSERT INTO consent_account VALUES(5,18);
INSERT INTO consent_account VALUES(5,19);
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
INSERT INTO card_account VALUES(1,'enc!!8RmWYGQ_4hoXtXn4IZdinLinNUG2CP9H9MyXDg42dw==',1,'123456******1234','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
INSERT INTO card_account VALUES(2,'enc!!0FP0GoGuO7iWYeMlCxEF5RtHcy8aRQm45oDIgkbPYQ==',2,'123456******5678','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
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
CREATE TABLE consent_card (
    consent_id integer not null references consent (id),
    card_account_id integer not null references card_account (id),
    primary key (consent_id, card_account_id)
  ) strict, without rowid;
INSERT INTO consent_card VALUES(2,2);
CREATE TABLE unattended_read (
    id integer primary key,
    psu_key integer not null references psu (id),
    account_id text not null,
    kind text not null check (kind in ('balances', 'transactions', 'transaction-details')),
    at integer not null
  ) strict;
CREATE TABLE tpp_contact (
    tpp_id text primary key,
    email text not null
  ) strict, without rowid;
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
INSERT INTO payment VALUES(1,'enc!!ql0YljYNCTpEDJHNKXb8D-2AMAeIwChFbOdZ-MyDMA==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'PDNG','2027-04-13','https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
CREATE TABLE signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid;
INSERT INTO signature VALUES(1,1,1807599600000);
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
INSERT INTO credit_transfer VALUES(1,1,0,2,'74712699947','NOK',100,'2027-04-13',NULL);
CREATE TABLE bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict;
CREATE TABLE initiation_answer (
    tpp_id text not null,
    request_id text not null,
    payment_id integer not null references payment (id),
    fingerprint text not null,
    answer text not null,
    primary key (tpp_id, request_id)
  ) strict, without rowid;
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
INSERT INTO execution VALUES(1,1,0,'2027-04-13','2027-04-13',1807599600000,2,'74712699947',100,'PDNG',0,0);
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
CREATE TABLE status_change (
    id integer primary key,
    payment_id integer not null references payment (id),
    status text not null,
    at integer not null,
    wall integer not null,
    cause text not null
  ) strict;
INSERT INTO status_change VALUES(1,1,'RCVD',1807599600000,1807599600000,'initiation');
INSERT INTO status_change VALUES(2,1,'PDNG',1807599600000,1807599600000,'signed by the PSU');
CREATE TABLE batch (
    id integer primary key,
    payment_id integer not null references payment (id),
    run_at integer not null,
    leading_execution_id integer not null references execution (id),
    number_of_transactions integer not null,
    amount_minor integer not null,
    unique (payment_id, run_at)
  ) strict;
CREATE TABLE direct_posting (
    id integer primary key,
    kind text not null check (kind in ('opening', 'transaction', 'reversal', 'closing')),
    details text not null,
    reversed_by integer references direct_posting (id)
  ) strict;
INSERT INTO direct_posting VALUES(1,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(2,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(3,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(4,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(5,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(6,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(7,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(8,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(9,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(10,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(11,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(12,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(13,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(14,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(15,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(16,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(17,'opening','{}',NULL);
INSERT INTO direct_posting VALUES(18,'opening','{}',NULL);
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
INSERT INTO entry VALUES(1,1,-1800000,NULL,1,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(2,2,1800000,NULL,1,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(3,1,-1000000,NULL,2,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(4,3,1000000,NULL,2,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(5,4,-332601100,NULL,3,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(6,5,332601100,NULL,3,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(7,1,-1500000,NULL,4,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(8,6,1500000,NULL,4,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(9,1,-1579600,NULL,5,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(10,7,1579600,NULL,5,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(11,1,-1000000,NULL,6,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(12,8,1000000,NULL,6,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(13,4,-1000000,NULL,7,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(14,9,1000000,NULL,7,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(15,1,-9880800,NULL,8,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(16,10,9880800,NULL,8,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(17,1,-25000000,NULL,9,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(18,11,25000000,NULL,9,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(19,1,-1000000,NULL,10,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(20,12,1000000,NULL,10,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(21,1,-25000000,NULL,11,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(22,13,25000000,NULL,11,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(23,1,-1000000,NULL,12,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(24,14,1000000,NULL,12,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(25,1,-1200,NULL,13,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(26,15,1200,NULL,13,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(27,1,-100000,NULL,14,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(28,16,100000,NULL,14,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(29,1,-50000,NULL,15,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(30,17,50000,NULL,15,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(31,1,-800000,NULL,16,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(32,18,800000,NULL,16,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(33,1,-4000000,NULL,17,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(34,19,4000000,NULL,17,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(35,1,-9000000,NULL,18,'2027-04-12','2027-04-12',NULL,0,NULL);
INSERT INTO entry VALUES(36,20,9000000,NULL,18,'2027-04-12','2027-04-12',NULL,0,NULL);
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
CREATE TABLE basket_payment (
    basket_id integer not null references signing_basket (id),
    payment_id integer not null references payment (id),
    position integer not null,
    primary key (basket_id, payment_id)
  ) strict, without rowid;
CREATE TABLE certificate_status (
    serial text primary key,
    status text not null check (status in ('blocked', 'revoked')),
    at integer not null
  ) strict, without rowid;
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
INSERT INTO sca VALUES(1,'f2LZB93u-98cNP1xL23qnbtkOLaDeAV3','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807599600000,NULL,0);
INSERT INTO sca VALUES(2,'TvqPsMl524QQfLX7cWnJlsNiTnzFm3el','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807599600000,'approved',0);
INSERT INTO sca VALUES(3,'K7lIBBLYdXuPUe2KSZQgRw9Vhdpa-Iv8','consent',NULL,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-2',NULL,NULL,NULL,1807599600000,'approved',0);
INSERT INTO sca VALUES(4,'3vkUkzaKcDznDOidg3KLfuBSBzU91uDo','consent',NULL,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back',NULL,8,NULL,NULL,1807599600000,'approved',0);
INSERT INTO sca VALUES(5,'x2Mc3C4FNZs1z_QQwrJJgjmiVTXMGH4X','consent',NULL,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back',NULL,NULL,NULL,NULL,1807599600000,'approved',0);
INSERT INTO sca VALUES(6,'YPgzg6qQnoGAtnvRABeW3ZVdxm6fJJvG','consent',NULL,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-3',NULL,NULL,NULL,1807599600000,'approved',0);
INSERT INTO sca VALUES(7,'P57ixnubX_mQE3r0ubHM0e40gO7aIzz2','consent',NULL,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-4',NULL,NULL,NULL,1807599600000,'approved',0);
CREATE TABLE payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict;
INSERT INTO payment_initiation VALUES(1,'{"instructedAmount":{"amount":"1.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even"}');
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
