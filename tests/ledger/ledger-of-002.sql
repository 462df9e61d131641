PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('001-ledger','2026-11-21T08:24:20.949Z');
INSERT INTO kysely_migration VALUES('002-clock-rate','2026-11-21T08:24:20.956Z');
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
    unbooked_postings integer not null,
    agreements_to_close integer not null
  , clock_rate integer not null default 1
    check (clock_rate between 1 and 86400), clock_since integer not null default 0) strict;
INSERT INTO bank_state VALUES(1,1807264800000,'frozen','frozen',1807272000000,'05:30,09:30,11:30,13:30,15:30',1807270200000,1,0,1,1807264800000);
CREATE TABLE customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer
  ) strict;
INSERT INTO customer VALUES(1,'enc!!ZTJowz3Rytt_6ilQJTG7Yupz3RI1jkYJ3ThCICsRhw==','13039319955','Test Testperson 3','private',NULL);
INSERT INTO customer VALUES(2,'enc!!egqeql5VSAIq_rasVVV4ZYsos3wbLSown0jCx3lNJg==','12085592767','Test Testperson 2','private',NULL);
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
INSERT INTO account VALUES(1,'enc!!GdyjY0HepCn4zIXWOkLY4uIS6Fr8Fv_bVs5NWAO41A==','clearing',NULL,'Clearing NOK',NULL,NULL,'NOK',NULL,NULL,0,-16760400,NULL,1,0,NULL);
INSERT INTO account VALUES(2,'enc!!vXK-5SIMZ9a7msallTcF-zoIm-CNsS4wPr0wyzbzwQ==','customer',1,'Totalkonto','09232911044','NO7809232911044','NOK','Brukskonto','CACC',0,1790000,NULL,1,1,NULL);
INSERT INTO account VALUES(3,'enc!!ZEIur73kS-8iUByVoNoobJC0DGu0H3PlW3PjfTejlg==','customer',1,'Regningskonto','70323119469','NO8870323119469','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(4,'enc!!2wLz-fczAzCM-RT3C5cbgpWqV8-yhKvfQGhTLLHo1A==','clearing',NULL,'Clearing EUR',NULL,NULL,'EUR',NULL,NULL,0,-333601100,NULL,1,0,NULL);
INSERT INTO account VALUES(5,'enc!!Mxq9vASYZSZ6OS0L3poJE5-JiqlpiPg_f4dgHeYabg==','customer',1,'Valutakonto','85523166859','NO8085523166859','EUR','Brukskonto','CACC',0,332601100,NULL,1,1,NULL);
INSERT INTO account VALUES(6,'enc!!e8kOG_PvvOEK8_6D_gFzfGQgTqzYR7vq0YZvybC9XA==','customer',1,'Skattetrekkskonto','86620069552','NO7986620069552','NOK','Skattetrekkskonto','TAXE',0,1500000,NULL,1,1,NULL);
INSERT INTO account VALUES(7,'enc!!Tw24-eFp2aQGdmDzCDloyj1OfFEBwnq3BpBSBChmWg==','customer',2,'Totalkonto','74712699947','NO1874712699947','NOK','Brukskonto','CACC',0,1589600,NULL,1,1,NULL);
INSERT INTO account VALUES(8,'enc!!u6BKv7o056CGuJKhTdunz70-hYz38ZHo4ZMImfuUNQ==','customer',2,'Regningskonto','24628359081','NO8824628359081','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(9,'enc!!hHn6Ur6ibO-HWSHAeNRsUAiYIqpQbwz2B_Y4cYqWUw==','customer',2,'Valutakonto','41305545238','NO6041305545238','EUR','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(10,'enc!!CUrzDS7Jon06GnrpNPPRjorUNGuoYHhqHyMuM9Nalw==','customer',2,'Skattetrekkskonto','87049752626','NO6687049752626','NOK','Skattetrekkskonto','TAXE',0,9880800,NULL,1,1,NULL);
CREATE TABLE agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict;
INSERT INTO agreement VALUES(1,'3dcc7c56-62c8-43a1-9bab-cdb9e34d8661',1,'Test Testperson 3',NULL);
INSERT INTO agreement VALUES(2,'16032859-0cc4-4060-9ae4-613fba09c7f1',2,'Test Testperson 2',NULL);
CREATE TABLE engagement (
    id integer primary key,
    agreement_id integer not null references agreement (id),
    customer_id integer not null references customer (id),
    account_id integer not null references account (id),
    may_view integer not null check (may_view in (0, 1)),
    may_register integer not null check (may_register in (0, 1)),
    unique (agreement_id, customer_id, account_id)
  ) strict;
CREATE TABLE psu (
    id integer primary key,
    psu_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    last_sca_at integer not null,
    unique (tpp_id, customer_id)
  ) strict;
INSERT INTO psu VALUES(1,'4095e2fc-e1c1-4357-925b-93db108b73ae','PSDNO-FSA-987654321',1,1807264800000);
CREATE TABLE sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict;
INSERT INTO sca_session VALUES(1,1,'session-1',1807264800000,1807264800000);
INSERT INTO sca_session VALUES(2,1,'session-1',1807264800000,1807264800000);
INSERT INTO sca_session VALUES(3,1,'session-1',1807264800000,NULL);
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
INSERT INTO card_account VALUES(1,'enc!!Bj7jndc7IZcdt1OniosHrdOUdYAFkgFAVPKUdP_7ew==',1,'123456******1234','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
INSERT INTO card_account VALUES(2,'enc!!Ls49ZGKfZwki-pTpAHTNFTWs6n18p5LOki6p42yV5Q==',2,'123456******5678','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
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
    initiation text not null,
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
INSERT INTO payment VALUES(1,'enc!!r2Qq4ivDqMirjaZrmUBMhZvIn0IIGoEWfGCaJkoVIg==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'{"instructedAmount":{"amount":"100.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even"}','ACSC','2027-04-09','https://tpp.example/back','session-1',1807264800000,1807264800000,1807270200000,NULL,NULL,NULL);
INSERT INTO payment VALUES(2,'enc!!-yLV09REYJoJoebNFlQ1KYTuouB9z7O5nucLk4qWKg==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'{"instructedAmount":{"amount":"10.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even","startDate":"2027-04-12","frequency":"Weekly","executionRule":"following"}','ACSP',NULL,'https://tpp.example/back','session-1',1807264800000,1807264800000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(3,'enc!!TeZz3MnzdvgSCKo5ivjkwd4OO1dLeiq3kpXXoD9bFQ==','bulk-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'{"debtorAccount":{"bban":"09232911044","currency":"NOK"},"requestedExecutionDate":"2027-04-12"}','ACSP','2027-04-12','https://tpp.example/back','session-1',1807264800000,1807264800000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(4,'enc!!tExWnZQSNBunJq6Bb-22EDjnPj8XpkI_oVoFRu5VeA==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'{"instructedAmount":{"amount":"7.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even","requestedExecutionDate":"2027-04-13"}','RCVD','2027-04-13','https://tpp.example/back','session-1',1807272000000,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid;
INSERT INTO signature VALUES(1,1,1807264800000);
INSERT INTO signature VALUES(2,1,1807264800000);
INSERT INTO signature VALUES(3,1,1807264800000);
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
INSERT INTO standing_order VALUES(2,'2027-04-12',NULL,'Weekly','following',NULL,NULL,1);
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
    execution_date text not null,
    initiation text,
    unique (payment_id, sequence)
  ) strict;
INSERT INTO credit_transfer VALUES(1,1,0,2,'74712699947','NOK',10000,'2027-04-09',NULL);
INSERT INTO credit_transfer VALUES(2,3,0,2,'74712699947','NOK',100,'2027-04-12','{"instructedAmount":{"amount":"1.00","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even"}');
INSERT INTO credit_transfer VALUES(3,3,1,2,'74712699947','NOK',200,'2027-04-12','{"instructedAmount":{"amount":"2.00","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"even"}');
INSERT INTO credit_transfer VALUES(4,4,0,2,'74712699947','NOK',700,'2027-04-13',NULL);
CREATE TABLE bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict;
INSERT INTO bulk_payment VALUES(3,2);
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
INSERT INTO execution VALUES(1,1,0,'2027-04-09','2027-04-09',1807264800000,2,'74712699947',10000,'ACSC',0,0);
INSERT INTO execution VALUES(2,2,0,'2027-04-12','2027-04-12',1807264800000,2,'74712699947',1000,'ACSP',0,0);
INSERT INTO execution VALUES(3,3,0,'2027-04-12','2027-04-12',1807264800000,2,'74712699947',100,'ACSP',0,0);
INSERT INTO execution VALUES(4,3,1,'2027-04-12','2027-04-12',1807264800000,2,'74712699947',200,'ACSP',0,0);
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
INSERT INTO settlement_run VALUES('2027-04-09',4,1807270200000,1,0,0,0,0);
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
INSERT INTO attempt VALUES(1,1,'2027-04-09',4,1800000,10000,'settle');
CREATE TABLE status_change (
    id integer primary key,
    payment_id integer not null references payment (id),
    status text not null,
    at integer not null,
    wall integer not null,
    cause text not null
  ) strict;
INSERT INTO status_change VALUES(1,1,'RCVD',1807264800000,1807264800000,'initiation');
INSERT INTO status_change VALUES(2,1,'PDNG',1807264800000,1807264800000,'signed by the PSU');
INSERT INTO status_change VALUES(3,2,'RCVD',1807264800000,1807264800000,'initiation');
INSERT INTO status_change VALUES(4,2,'ACSP',1807264800000,1807264800000,'signed by the PSU');
INSERT INTO status_change VALUES(5,3,'RCVD',1807264800000,1807264800000,'initiation');
INSERT INTO status_change VALUES(6,3,'ACSP',1807264800000,1807264800000,'signed by the PSU');
INSERT INTO status_change VALUES(7,1,'ACSC',1807270200000,1807264800000,'run 2027-04-09/4, attempt 1');
INSERT INTO status_change VALUES(8,4,'RCVD',1807272000000,1807264800000,'initiation');
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
    batch_id integer references batch (id),
    check ((execution_id is null) <> (direct_posting_id is null))
  ) strict;
INSERT INTO entry VALUES(1,1,-1800000,NULL,1,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(2,2,1800000,NULL,1,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(3,1,-1000000,NULL,2,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(4,3,1000000,NULL,2,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(5,4,-332601100,NULL,3,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(6,5,332601100,NULL,3,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(7,1,-1500000,NULL,4,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(8,6,1500000,NULL,4,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(9,1,-1579600,NULL,5,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(10,7,1579600,NULL,5,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(11,1,-1000000,NULL,6,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(12,8,1000000,NULL,6,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(13,4,-1000000,NULL,7,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(14,9,1000000,NULL,7,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(15,1,-9880800,NULL,8,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(16,10,9880800,NULL,8,'2027-04-08','2027-04-08',NULL,0,NULL);
INSERT INTO entry VALUES(17,2,-10000,1,NULL,'2027-04-09','2027-04-09',1807270200000,0,NULL);
INSERT INTO entry VALUES(18,7,10000,1,NULL,'2027-04-09','2027-04-09',1807270200000,0,NULL);
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
    outcome text check (outcome in ('approved', 'cancelled', 'failed')),
    check ((purpose in ('payment', 'cancellation')) = (payment_id is not null)),
    check ((purpose = 'basket') = (basket_id is not null))
  ) strict;
INSERT INTO sca VALUES(1,'otGOrZ5mpBd4oqhEvmUkU0ujJ4-OVe_H','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807264800000,NULL);
INSERT INTO sca VALUES(2,'EvzhB0QY4aChvPbdTJ2yRert7QK5QzAU','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807264800000,'approved');
INSERT INTO sca VALUES(3,'QD5RhcWVYzf0Ktbmtlgid-v7CGdPZeCi','payment',2,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807264800000,NULL);
INSERT INTO sca VALUES(4,'hnzn4_uk7Qb_Fyr7Zw0BGVHZT-mc4yqR','payment',2,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807264800000,'approved');
INSERT INTO sca VALUES(5,'irH9D4GuGJyFAXP3xS28sC55m8YifVhF','payment',3,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807264800000,NULL);
INSERT INTO sca VALUES(6,'ZiSGoMTk1h95aFrAWTRu971isbiJOaV9','payment',3,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807264800000,'approved');
INSERT INTO sca VALUES(7,'coIjgddi473k97MiRgT1g6WmGyLsQrDz','payment',4,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807264800000,NULL);
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
CREATE INDEX execution_due_from_account on execution (debtor_account_id) where status in ('ACSP', 'PDNG', 'ACCP');
CREATE INDEX status_change_of_payment on status_change (payment_id);
CREATE INDEX entry_of_account on entry (account_id, booking_date);
CREATE INDEX entry_of_execution on entry (execution_id) where execution_id is not null;
CREATE INDEX entry_of_direct_posting on entry (direct_posting_id) where direct_posting_id is not null;
CREATE INDEX entry_of_batch on entry (batch_id) where batch_id is not null;
CREATE TRIGGER entry_is_never_changed before update on entry
    begin select raise(abort, 'entries are never changed'); end;
CREATE TRIGGER entry_is_never_deleted before delete on entry
    begin select raise(abort, 'entries are never deleted'); end;
CREATE INDEX basket_payment_of_payment on basket_payment (payment_id);
CREATE INDEX sca_of_payment on sca (payment_id) where payment_id is not null;
COMMIT;
