PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('001-ledger','2026-11-21T23:52:45.984Z');
INSERT INTO kysely_migration VALUES('002-clock-rate','2026-11-21T23:52:45.986Z');
INSERT INTO kysely_migration VALUES('003-payment-initiation','2026-11-21T23:52:45.989Z');
INSERT INTO kysely_migration VALUES('004-narrower-indexes','2026-11-21T23:52:46.040Z');
INSERT INTO kysely_migration VALUES('005-entries-by-day','2026-11-21T23:52:46.041Z');
INSERT INTO kysely_migration VALUES('006-clock-seen','2026-11-21T23:52:46.042Z');
INSERT INTO kysely_migration VALUES('007-wrong-numbers','2026-11-21T23:52:46.043Z');
INSERT INTO kysely_migration VALUES('008-transfers-of-orders','2026-11-21T23:52:46.090Z');
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
INSERT INTO bank_state VALUES(1,1807524000000,'frozen','frozen',1807524000000,'05:30,09:30,11:30,13:30,15:30',1807522200000,0,0,1,1795305166105,1795305168287);
CREATE TABLE customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer
  ) strict;
INSERT INTO customer VALUES(1,'enc!!hZ7a_Ges2g0SgudYBdPDpI5pZykdtDUWEn3vyayEeQ==','13039319955','Test Testperson 3','private',NULL);
INSERT INTO customer VALUES(2,'enc!!onPhgcDqG9l8PMKCsicGaSfjkJumll-lEOqncS-Cww==','12085592767','Test Testperson 2','private',NULL);
INSERT INTO customer VALUES(3,'enc!!5qfqgrMulIagvic_SeW5FzAN1matwLrubGYvlS5RAQ==','18129215603','Corporate Customer 1','private',NULL);
INSERT INTO customer VALUES(4,'enc!!hokSIpTsz-ME55C_Vc-yrznTSUqMr0Qws3MtZi0ctg==','20079518612','Corporate Customer 2','private',NULL);
INSERT INTO customer VALUES(5,'enc!!gb-CNXD0K60vWzd0kCPSu0-knACi2QILEz2y5PskpA==','11111111','Corporation 1 AS','corporate',NULL);
INSERT INTO customer VALUES(6,'enc!!hH_5AoNu9sqPJT2beWvzMz11Ct3N-PJCk2wsBSZMAA==','22222222','Corporation 2 AS','corporate',NULL);
INSERT INTO customer VALUES(7,'enc!!9tFRHK_EZF28nAopd1xg0e5RPuL4K8OyDDXKo4m60w==','01819050062','Anne Uten Dekning','private',NULL);
INSERT INTO customer VALUES(8,'enc!!81u8Lpz8XNMJPYQYV9FbUuH3yaOwwnPtKIxB8jC4lQ==','02818550068','Kari Kidkrav','private',NULL);
INSERT INTO customer VALUES(9,'enc!!6kCgpovrqBHRXm4izDHBnOC4x24qMvPPIB3gpkswyQ==','15817550018','Per Sperret','private',NULL);
INSERT INTO customer VALUES(10,'enc!!JqbK2E1RsJ_QAJiiK0G3WWHtHXfzoaTOVz3LVmerqQ==','17818050100','Sigrid Signerer','private',NULL);
INSERT INTO customer VALUES(11,'enc!!VJnGsXjYvJpA9uAqvKYsKgL3FeaI-QFjKUqT9tietw==','20818850094','Tor Signerer','private',NULL);
INSERT INTO customer VALUES(12,'enc!!oQMWpeIX1XUyPbQyHS-knebHwlGh1HcSsbFJc1TUHw==','33333333','To Nøkler AS','corporate',NULL);
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
INSERT INTO account VALUES(1,'enc!!m5LOoYPzuTtnkDjPDIxY2UjdsEBSlcTPbOvOO_mlpg==','clearing',NULL,'Clearing NOK',NULL,NULL,'NOK',NULL,NULL,0,-82711600,NULL,1,0,NULL);
INSERT INTO account VALUES(2,'enc!!8mqQl5owN2Iyoh5LH8iOyZIw6WO7caA19YzKb_04xA==','customer',1,'Totalkonto','09232911044','NO7809232911044','NOK','Brukskonto','CACC',0,1800000,NULL,1,1,NULL);
INSERT INTO account VALUES(3,'enc!!uMIbZSvO9l6RxEGWeNzgkTIK4UJylyxBn3nYtnIbMA==','customer',1,'Regningskonto','70323119469','NO8870323119469','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(4,'enc!!UsuXZMLDSe1l89FZZDCmp-z9EpOYwEVnYcs6jxOutQ==','clearing',NULL,'Clearing EUR',NULL,NULL,'EUR',NULL,NULL,0,-333601100,NULL,1,0,NULL);
INSERT INTO account VALUES(5,'enc!!kS4XNQ0GMPw1B50mxZ4p8SrZJMOquC6MrltEoh6yPA==','customer',1,'Valutakonto','85523166859','NO8085523166859','EUR','Brukskonto','CACC',0,332601100,NULL,1,1,NULL);
INSERT INTO account VALUES(6,'enc!!sWtndbxaFFq5p47h7EnO0S3BFw0SX82CEqDw7cksmg==','customer',1,'Skattetrekkskonto','86620069552','NO7986620069552','NOK','Skattetrekkskonto','TAXE',0,1500000,NULL,1,1,NULL);
INSERT INTO account VALUES(7,'enc!!Y2xrvuXr5saZuduWoNg-cDRuckhvBNZVESQvNoo_WA==','customer',2,'Totalkonto','74712699947','NO1874712699947','NOK','Brukskonto','CACC',0,1579600,NULL,1,1,NULL);
INSERT INTO account VALUES(8,'enc!!UquCo4TjPcbz9vGMq93KSfKhp2b-sHZQVhlXN1pDiQ==','customer',2,'Regningskonto','24628359081','NO8824628359081','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(9,'enc!!Xfc7EdnKT0BxwxeYLADkjuM7ucKhw48_YfeF9XtjTA==','customer',2,'Valutakonto','41305545238','NO6041305545238','EUR','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(10,'enc!!tvlbkfAVFKOgZ3aYoEymO5_mltN2NNXL6YeD0anVMw==','customer',2,'Skattetrekkskonto','87049752626','NO6687049752626','NOK','Skattetrekkskonto','TAXE',0,9880800,NULL,1,1,NULL);
INSERT INTO account VALUES(11,'enc!!g_tQ4uEFrN5k-Ub42VXa3fuUt7v3D2VXk1huSdyBeg==','customer',5,'Driftskonto','34110000016','NO2034110000016','NOK','Brukskonto','CACC',0,25000000,NULL,1,1,NULL);
INSERT INTO account VALUES(12,'enc!!Ps4pgGt7BCZmTKXoyn3QkV8T1lM_wz12Awvy64OR6g==','customer',5,'Regningskonto','34110000024','NO9534110000024','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(13,'enc!!ldbnR1BwmvHySKReGca8qcaSxgquC7_sNmH1-CrOUw==','customer',6,'Driftskonto','34220000011','NO8734220000011','NOK','Brukskonto','CACC',0,25000000,NULL,1,1,NULL);
INSERT INTO account VALUES(14,'enc!!CMVUVNFpcFTpjT_oRp9Ud_91gWqRJn7CQuyEJfwc_A==','customer',6,'Regningskonto','34220000038','NO3734220000038','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(15,'enc!!g7FHteGAnNYiMpJVwHD6eWNct9NMfTzpIZVJY3sBYw==','customer',7,'Brukskonto','34300000012','NO3734300000012','NOK','Brukskonto','CACC',0,1200,NULL,1,1,NULL);
INSERT INTO account VALUES(16,'enc!!hsXK-fdJNK9haYUKCuc3SFl6ifc0ymMMO4fpugHHYg==','customer',8,'Innbetalinger','34400000028','NO3734400000028','NOK','Brukskonto','CACC',0,100000,'MOD10',1,1,NULL);
INSERT INTO account VALUES(17,'enc!!DILQ5KndA_bcPTlZbkrduq0cI4r18kMwmtT1AproyQ==','customer',8,'Kredittkonto','34400000036','NO1534400000036','NOK','Brukskonto','CACC',2000000,50000,NULL,1,1,NULL);
INSERT INTO account VALUES(18,'enc!!Jpvi5DqVYvfOVwEZlpP_dCKQ_NufIp9zIjOJ3a776A==','customer',9,'Brukskonto','34500000017','NO8734500000017','NOK','Brukskonto','CACC',0,800000,NULL,1,1,NULL);
INSERT INTO account VALUES(19,'enc!!ldaXUAkAx0X7x93Qpf0cBxkDLiOcmbSbPUiSU3dPCA==','customer',9,'Sparekonto','34500000025','NO6534500000025','NOK','Sparekonto','SVGS',0,4000000,NULL,1,0,NULL);
INSERT INTO account VALUES(20,'enc!!fbDj8CLUkhwgpwTvNq9O4VEyQPr29TMvEzzO7LXc0w==','customer',12,'Driftskonto','34330000017','NO5134330000017','NOK','Brukskonto','CACC',0,9000000,NULL,2,1,NULL);
CREATE TABLE agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict;
INSERT INTO agreement VALUES(1,'a60b0c22-7f17-4041-902a-cacab7cb4b00',1,'Test Testperson 3',NULL);
INSERT INTO agreement VALUES(2,'c52bd847-61c0-4062-af1a-9945979d037b',2,'Test Testperson 2',NULL);
INSERT INTO agreement VALUES(3,'cefc380e-74bf-473f-8d9b-16eeaa3607a8',3,'Corporate Customer 1',NULL);
INSERT INTO agreement VALUES(4,'be7ebd84-6842-4b9d-872c-ee6989224753',4,'Corporate Customer 2',NULL);
INSERT INTO agreement VALUES(5,'5ae6a99f-4fac-4511-bc40-7e023f0acc98',7,'Anne Uten Dekning',NULL);
INSERT INTO agreement VALUES(6,'3e0be4b8-8041-4e85-8196-10b32727255b',8,'Kari Kidkrav',NULL);
INSERT INTO agreement VALUES(7,'e216fc2a-344d-4683-a609-4bea0065316d',9,'Per Sperret',NULL);
INSERT INTO agreement VALUES(8,'d58f4617-c968-4964-a6d3-d33441e239da',10,'Sigrid Signerer',NULL);
INSERT INTO agreement VALUES(9,'567b0ec8-669b-48c1-9b7e-f7efca28f901',11,'Tor Signerer',NULL);
INSERT INTO agreement VALUES(10,'7b263045-a4a3-4432-b4cc-85e4a0c966f5',5,'Corporation 1 AS',NULL);
INSERT INTO agreement VALUES(11,'7f7bbd53-bc3d-477a-94ec-c3d8ecc234ec',6,'Corporation 2 AS',NULL);
INSERT INTO agreement VALUES(12,'1fcb9307-f35c-4a71-9ab4-01bc2f68853c',12,'To Nøkler AS',NULL);
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
INSERT INTO psu VALUES(1,'436db156-c929-427c-90bb-e58108355042','PSDNO-FSA-987654321',1,1807524000000);
CREATE TABLE sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict;
INSERT INTO sca_session VALUES(1,1,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(2,1,'session-1',1807524000000,NULL);
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
INSERT INTO card_account VALUES(1,'enc!!MvRCgGDd2tJGX1Ojgp_ngeuT6bnEzKM1-nisY8fyhg==',1,'123456******1234','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
INSERT INTO card_account VALUES(2,'enc!!THoKLQXLQpmUasdLDO0j4MqXO1zmq0Wvr6wAVfnfZA==',2,'123456******5678','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
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
INSERT INTO payment VALUES(1,'enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP, AS',1,2,'ACSP','2027-04-14','https://tpp.example/callback?state=abc','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(2,'enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==','bulk-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP, AS',1,2,'ACSP','2027-04-14','https://tpp.example/callback?state=abc','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(3,'enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP, AS',1,2,'RCVD','2027-04-12','https://tpp.example/callback?state=abc','session-1',1807524000000,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid;
INSERT INTO signature VALUES(1,1,1807524000000);
INSERT INTO signature VALUES(2,1,1807524000000);
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
INSERT INTO credit_transfer VALUES(1,1,0,2,'90491105991','NOK',10000,'2027-04-14',NULL);
INSERT INTO credit_transfer VALUES(2,2,0,2,'90491105991','NOK',100,'2027-04-14','{"instructedAmount":{"amount":"1.00","currency":"NOK"},"creditorName":"Company 123","creditorAccount":{"bban":"90491105991","currency":"NOK"}}');
INSERT INTO credit_transfer VALUES(3,2,1,2,'90491105991','NOK',200,'2027-04-14','{"instructedAmount":{"amount":"2.00","currency":"NOK"},"creditorName":"Company 123","creditorAccount":{"bban":"90491105991","currency":"NOK"}}');
INSERT INTO credit_transfer VALUES(4,3,0,2,'90491105991','NOK',300,'2027-04-12',NULL);
CREATE TABLE bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict;
INSERT INTO bulk_payment VALUES(2,2);
CREATE TABLE initiation_answer (
    tpp_id text not null,
    request_id text not null,
    payment_id integer not null references payment (id),
    fingerprint text not null,
    answer text not null,
    primary key (tpp_id, request_id)
  ) strict, without rowid;
INSERT INTO initiation_answer VALUES('PSDNO-FSA-987654321','11111111-0000-4000-8000-000000000001',1,'payments/norwegian-domestic-credit-transfers SHA-256=QDeF25RrWqZ7RtuPnHOYXw1EKqMfeiX3EsqxnqMJf5E=  13039319955 ','{"paymentId":"enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==","transactionStatus":"RCVD","transactionFees":{"amount":"0.00","currency":"NOK"},"transactionFeeIndicator":false,"_links":{"self":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==","verbs":["GET","DELETE"]},"status":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==/status","verbs":["GET"]},"startAuthorisation":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==/authorisations","verbs":["POST"]},"scaRedirect":{"href":"http://127.0.0.1:43757/sca/6M3HmkfE7V__JkysGgK9l0lNFbxU3h7W","verbs":["GET"]}}}');
INSERT INTO initiation_answer VALUES('PSDNO-FSA-987654321','11111111-0000-4000-8000-000000000002',2,'bulk-payments/norwegian-domestic-credit-transfers SHA-256=KAzm4R1ulPaxvbawZVE3gbhCsOL5A5R1j0F+1mmXv2A=  13039319955 ','{"paymentId":"enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==","transactionStatus":"RCVD","transactionFees":{"amount":"0.00","currency":"NOK"},"transactionFeeIndicator":false,"_links":{"self":{"href":"/v1/bulk-payments/norwegian-domestic-credit-transfers/enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==","verbs":["GET","DELETE"]},"status":{"href":"/v1/bulk-payments/norwegian-domestic-credit-transfers/enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==/status","verbs":["GET"]},"startAuthorisation":{"href":"/v1/bulk-payments/norwegian-domestic-credit-transfers/enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==/authorisations","verbs":["POST"]},"scaRedirect":{"href":"http://127.0.0.1:43757/sca/kPF-zcMsz5PgblBZCgOvlCDioYcoOCHO","verbs":["GET"]}}}');
INSERT INTO initiation_answer VALUES('PSDNO-FSA-987654321','11111111-0000-4000-8000-000000000003',3,'payments/norwegian-domestic-credit-transfers SHA-256=O+v8UBxmwRLdaLqenxCYd36ASmk7hxN16j0BvXR18EE=  13039319955 ','{"paymentId":"enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==","transactionStatus":"RCVD","transactionFees":{"amount":"0.00","currency":"NOK"},"transactionFeeIndicator":false,"_links":{"self":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==","verbs":["GET","DELETE"]},"status":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==/status","verbs":["GET"]},"startAuthorisation":{"href":"/v1/payments/norwegian-domestic-credit-transfers/enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==/authorisations","verbs":["POST"]},"scaRedirect":{"href":"http://127.0.0.1:43757/sca/qD62jKDkdxOK9d0UgajGob3jcpAnZM2u","verbs":["GET"]}}}');
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
INSERT INTO execution VALUES(1,1,0,'2027-04-14','2027-04-14',1807524000000,2,'90491105991',10000,'ACSP',0,0);
INSERT INTO execution VALUES(2,2,0,'2027-04-14','2027-04-14',1807524000000,2,'90491105991',100,'ACSP',0,0);
INSERT INTO execution VALUES(3,2,1,'2027-04-14','2027-04-14',1807524000000,2,'90491105991',200,'ACSP',0,0);
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
INSERT INTO status_change VALUES(1,1,'RCVD',1807524000000,1795305167992,'initiation');
INSERT INTO status_change VALUES(2,1,'ACSP',1807524000000,1795305168063,'signed by the PSU');
INSERT INTO status_change VALUES(3,2,'RCVD',1807524000000,1795305168142,'initiation');
INSERT INTO status_change VALUES(4,2,'ACSP',1807524000000,1795305168174,'signed by the PSU');
INSERT INTO status_change VALUES(5,3,'RCVD',1807524000000,1795305168230,'initiation');
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
INSERT INTO entry VALUES(1,1,-1800000,NULL,1,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(2,2,1800000,NULL,1,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(3,1,-1000000,NULL,2,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(4,3,1000000,NULL,2,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(5,4,-332601100,NULL,3,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(6,5,332601100,NULL,3,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(7,1,-1500000,NULL,4,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(8,6,1500000,NULL,4,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(9,1,-1579600,NULL,5,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(10,7,1579600,NULL,5,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(11,1,-1000000,NULL,6,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(12,8,1000000,NULL,6,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(13,4,-1000000,NULL,7,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(14,9,1000000,NULL,7,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(15,1,-9880800,NULL,8,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(16,10,9880800,NULL,8,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(17,1,-25000000,NULL,9,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(18,11,25000000,NULL,9,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(19,1,-1000000,NULL,10,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(20,12,1000000,NULL,10,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(21,1,-25000000,NULL,11,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(22,13,25000000,NULL,11,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(23,1,-1000000,NULL,12,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(24,14,1000000,NULL,12,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(25,1,-1200,NULL,13,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(26,15,1200,NULL,13,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(27,1,-100000,NULL,14,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(28,16,100000,NULL,14,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(29,1,-50000,NULL,15,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(30,17,50000,NULL,15,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(31,1,-800000,NULL,16,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(32,18,800000,NULL,16,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(33,1,-4000000,NULL,17,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(34,19,4000000,NULL,17,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(35,1,-9000000,NULL,18,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(36,20,9000000,NULL,18,'2027-04-11','2027-04-11',NULL,0,NULL);
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
INSERT INTO sca VALUES(1,'6M3HmkfE7V__JkysGgK9l0lNFbxU3h7W','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP, AS','https://tpp.example/callback?state=abc','session-1',1,'PRIVATE',NULL,1795305167993,'approved',0);
INSERT INTO sca VALUES(2,'kPF-zcMsz5PgblBZCgOvlCDioYcoOCHO','payment',2,NULL,'PSDNO-FSA-987654321','Test TPP, AS','https://tpp.example/callback?state=abc','session-1',1,'PRIVATE',NULL,1795305168142,'approved',0);
INSERT INTO sca VALUES(3,'qD62jKDkdxOK9d0UgajGob3jcpAnZM2u','payment',3,NULL,'PSDNO-FSA-987654321','Test TPP, AS','https://tpp.example/callback?state=abc','session-1',1,'PRIVATE',NULL,1795305168230,NULL,0);
CREATE TABLE payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict;
INSERT INTO payment_initiation VALUES(1,'{"instructedAmount":{"amount":"100.00","currency":"NOK"},"creditorName":"Company 123","creditorAccount":{"bban":"90491105991","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"requestedExecutionDate":"2027-04-14"}');
INSERT INTO payment_initiation VALUES(2,'{"debtorAccount":{"bban":"09232911044","currency":"NOK"},"requestedExecutionDate":"2027-04-14"}');
INSERT INTO payment_initiation VALUES(3,'{"instructedAmount":{"amount":"3.00","currency":"NOK"},"creditorName":"Company 123","creditorAccount":{"bban":"90491105991","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"}}');
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
