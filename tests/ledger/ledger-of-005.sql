PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('001-ledger','2026-11-21T20:33:31.350Z');
INSERT INTO kysely_migration VALUES('002-clock-rate','2026-11-21T20:33:31.351Z');
INSERT INTO kysely_migration VALUES('003-payment-initiation','2026-11-21T20:33:31.352Z');
INSERT INTO kysely_migration VALUES('004-narrower-indexes','2026-11-21T20:33:31.353Z');
INSERT INTO kysely_migration VALUES('005-entries-by-day','2026-11-21T20:33:31.354Z');
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
INSERT INTO bank_state VALUES(1,1807524000000,'frozen','frozen',1807599600000,'05:30,09:30,11:30,13:30,15:30',1807587000000,1,0,1,1807524000000);
CREATE TABLE customer (
    id integer primary key,
    resource_id text not null unique,
    customer_number text not null,
    name text not null,
    type text not null check (type in ('private', 'corporate')),
    deleted_at integer
  ) strict;
INSERT INTO customer VALUES(1,'enc!!BT7yBFIhIHFUWCFjVnH4NucrH1x19sSQn8T3rzP6wg==','13039319955','Test Testperson 3','private',NULL);
INSERT INTO customer VALUES(2,'enc!!XBTBORS8Bt13KqiambVHV6bh_4EobAFlUQYry6izbg==','12085592767','Test Testperson 2','private',NULL);
INSERT INTO customer VALUES(3,'enc!!YH-X_SoRVBFyJoHIz0sU4Q4SDj6-34UYr0uKP7lUmQ==','01819050062','Anne Uten Dekning','private',NULL);
INSERT INTO customer VALUES(4,'enc!!wathXJjmvSpTwnhlVZehwaAJYVLVEUTq82RHG2_7Fg==','17818050100','Sigrid Signerer','private',NULL);
INSERT INTO customer VALUES(5,'enc!!6LPhHhLh5PqW7fulG2aawk_ZhptfJ2khnmxdLlMMag==','20818850094','Tor Signerer','private',NULL);
INSERT INTO customer VALUES(6,'enc!!9B2EZzEk9NdKOKWMTQd8ZXPHY2gaw5RSErHepA4joQ==','33333333','To Nøkler AS','corporate',NULL);
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
INSERT INTO account VALUES(1,'enc!!UPsySc8Z-jCIcoGD_UKi2R-kjF91Vm4TPLBQBOp60g==','clearing',NULL,'Clearing NOK',NULL,NULL,'NOK',NULL,NULL,0,-25761200,NULL,1,0,NULL);
INSERT INTO account VALUES(2,'enc!!O1NzvD_V96IvYk8a5b_85_jKP4dEotXPCFBm0AfGRw==','customer',1,'Totalkonto','09232911044','NO7809232911044','NOK','Brukskonto','CACC',0,1785700,NULL,1,1,NULL);
INSERT INTO account VALUES(3,'enc!!A2zEp8wImkxdTYEUSN8DFHrWrv3GjFA3z31wJlMJKw==','customer',1,'Regningskonto','70323119469','NO8870323119469','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(4,'enc!!hzN5NSHLXeefLBGtkZv4Sx9GqNOO2hEohwIe_4WbDw==','clearing',NULL,'Clearing EUR',NULL,NULL,'EUR',NULL,NULL,0,-333601100,NULL,1,0,NULL);
INSERT INTO account VALUES(5,'enc!!V7C5KDoYN2cONCwpRDEU9E2oJjnMlly5JMJ8sJq1sA==','customer',1,'Valutakonto','85523166859','NO8085523166859','EUR','Brukskonto','CACC',0,332601100,NULL,1,1,NULL);
INSERT INTO account VALUES(6,'enc!!2-bl_WoAdOQxGas1NUkhCJ23Wc2rN7SBZOw3h8ASHg==','customer',1,'Skattetrekkskonto','86620069552','NO7986620069552','NOK','Skattetrekkskonto','TAXE',0,1500000,NULL,1,1,NULL);
INSERT INTO account VALUES(7,'enc!!Z7dn8vAFprSxXvewsupK9d1oq9XpHiJL8Je2-ZePhw==','customer',2,'Totalkonto','74712699947','NO1874712699947','NOK','Brukskonto','CACC',0,1593900,NULL,1,1,NULL);
INSERT INTO account VALUES(8,'enc!!O50f-5kTa76dPKsEL9G70E2ID8i2McbjqtLvJkL3uQ==','customer',2,'Regningskonto','24628359081','NO8824628359081','NOK','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(9,'enc!!5mf55Dm66nxYABvCQsfrRqZMGUhchG7VC-vhSkEvxQ==','customer',2,'Valutakonto','41305545238','NO6041305545238','EUR','Brukskonto','CACC',0,1000000,NULL,1,1,NULL);
INSERT INTO account VALUES(10,'enc!!Lt0PX5pW49FFqJkp02bUKpZG0nQHYRueeoD6tXnd9A==','customer',2,'Skattetrekkskonto','87049752626','NO6687049752626','NOK','Skattetrekkskonto','TAXE',0,9880800,NULL,1,1,NULL);
INSERT INTO account VALUES(11,'enc!!sGOQkKwgPazaO9xcMTCVmblOHu_AtVHYauhKYEmW6g==','customer',3,'Brukskonto','34300000012','NO3734300000012','NOK','Brukskonto','CACC',0,800,NULL,1,1,NULL);
INSERT INTO account VALUES(12,'enc!!p_3o4tIewDep5P1pe8Ynr1MCLraAr2wcY6On_rKJTQ==','customer',6,'Driftskonto','34330000017','NO5134330000017','NOK','Brukskonto','CACC',0,9000000,NULL,2,1,NULL);
CREATE TABLE agreement (
    id integer primary key,
    resource_id text not null unique,
    owner_id integer not null references customer (id),
    name text not null,
    deleted_at integer
  ) strict;
INSERT INTO agreement VALUES(1,'81e705b8-ef3e-60cf-1f3b-54aefbfe6d9d',1,'Test Testperson 3',NULL);
INSERT INTO agreement VALUES(2,'92487089-71b2-4731-fe6a-d631c2c6c6e1',2,'Test Testperson 2',NULL);
INSERT INTO agreement VALUES(3,'fdb0311e-1df5-7529-f6dd-90de958ab326',3,'Anne Uten Dekning',NULL);
INSERT INTO agreement VALUES(4,'cb883d94-8520-40a9-c7b9-2f26759e3455',4,'Sigrid Signerer',NULL);
INSERT INTO agreement VALUES(5,'7d03aa22-cad0-3618-3521-e2fd8e56e1e9',5,'Tor Signerer',NULL);
INSERT INTO agreement VALUES(6,'67c91b9a-333c-3a5a-32f7-3684d1f53fff',6,'To Nøkler AS',NULL);
CREATE TABLE engagement (
    id integer primary key,
    agreement_id integer not null references agreement (id),
    customer_id integer not null references customer (id),
    account_id integer not null references account (id),
    may_view integer not null check (may_view in (0, 1)),
    may_register integer not null check (may_register in (0, 1)),
    unique (agreement_id, customer_id, account_id)
  ) strict;
INSERT INTO engagement VALUES(1,6,4,12,1,1);
INSERT INTO engagement VALUES(2,6,5,12,1,1);
CREATE TABLE psu (
    id integer primary key,
    psu_id text not null unique,
    tpp_id text not null,
    customer_id integer not null references customer (id),
    last_sca_at integer not null,
    unique (tpp_id, customer_id)
  ) strict;
INSERT INTO psu VALUES(1,'9e587f3b-5359-3b07-6295-42203cb5e67f','PSDNO-FSA-987654321',1,1807599600000);
INSERT INTO psu VALUES(2,'02126c98-fe17-a83b-ff4f-ccac941ab854','PSDNO-FSA-987654321',3,1807524000000);
INSERT INTO psu VALUES(3,'d2859936-1161-46b2-eb72-417fd1b1850e','PSDNO-FSA-987654321',4,1807599600000);
CREATE TABLE sca_session (
    id integer primary key,
    psu_key integer not null references psu (id),
    tpp_session_id text not null,
    started_at integer not null,
    ended_at integer
  ) strict;
INSERT INTO sca_session VALUES(1,1,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(2,1,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(3,1,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(4,2,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(5,2,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(6,2,'session-1',1807524000000,NULL);
INSERT INTO sca_session VALUES(7,1,'session-1',1807524000000,1807524000000);
INSERT INTO sca_session VALUES(8,1,'session-1',1807524000000,1807599600000);
INSERT INTO sca_session VALUES(9,1,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(10,1,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(11,1,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(12,1,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(13,1,'session-1',1807599600000,NULL);
INSERT INTO sca_session VALUES(14,3,'session-1',1807599600000,1807599600000);
INSERT INTO sca_session VALUES(15,3,'session-1',1807599600000,NULL);
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
INSERT INTO card_account VALUES(1,'enc!!ek_wNrQm-zsgSdyHjYpQGUNznPRYl_Cn1330-bOHDQ==',1,'123456******1234','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
INSERT INTO card_account VALUES(2,'enc!!7X5l6LcarnE0FIVphw-7_yWxKU1n_S1JoRDl0OUvig==',2,'123456******5678','Kredittkort','Basic Credit','NOK',3000000,0,'{}',NULL);
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
INSERT INTO payment VALUES(1,'enc!!tIKni8iBEVKY2FRP5bSPoiP_lWb2k1gg_J9MNrpTIw==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSC','2027-04-12','https://tpp.example/back','session-1',1807524000000,1807524000000,1807529400000,NULL,NULL,NULL);
INSERT INTO payment VALUES(2,'enc!!Qpc2TrsWuSRmwwJrG1VQsc-Fu_1tzh5yknsAvacbJQ==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSP',NULL,'https://tpp.example/back','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(3,'enc!!mUwNJOmtSjAPPrqZOz48zABUdR-1GUmBvLstOvx-tQ==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSC',NULL,'https://tpp.example/back','session-1',1807524000000,1807524000000,1807529400000,NULL,NULL,NULL);
INSERT INTO payment VALUES(4,'enc!!GqanaLBXQnksOG82GqphP6Pb3qu0M07jFG7hJNgCGw==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',3,11,'ACSP',NULL,'https://tpp.example/back','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(5,'enc!!5xU_2aESLHa1ECXXhPtjV5_n4s1S4BZhxFGQbbUY2w==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',3,11,'ACCP','2027-04-12','https://tpp.example/back','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(6,'enc!!ipWgFfuH2qWnMo9g7OQgFHBCPOjcDeQTCZRDt4Mt7g==','bulk-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',3,11,'PART','2027-04-12','https://tpp.example/back','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(7,'enc!!f-mUP84RDCTj-Nm4mJTBbQHK9MkdOT-BHHirDhPFFg==','payments','instant-norwegian-domestic-credit-transfers-straks','PSDNO-FSA-987654321','Test TPP',1,2,'ACSC','2027-04-12','https://tpp.example/back','session-1',1807524000000,1807524000000,1807524000000,NULL,NULL,NULL);
INSERT INTO payment VALUES(8,'enc!!aLWo98EfwwrZ6-AZUIRDe0DpFw1blipcxw9dtJQHEg==','payments','sepa-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSP','2027-04-16','https://tpp.example/back','session-1',1807524000000,1807524000000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(9,'enc!!Sk4KZ3j-IOi1INQYHaGdyUqGnT48vepngkd5DV2ffw==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD','2027-04-15','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(10,'enc!!PW54Paj1-ekz8bV35aHMfuIngpklI-cd9IhhzrFRPg==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSP','2027-04-15','https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(11,'enc!!9weHO2dnShfKppFO1jLovNxEscWorgzrvUWn3YgxwA==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'PDNG','2027-04-13','https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(12,'enc!!O0bWrvuwuirGGp_i1PMZzxfUus0rTPRI39GzWS0Ing==','payments','instant-norwegian-domestic-credit-transfers-straks','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD','2027-04-13','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(13,'enc!!rLUrZnouIXfACyXPc6GAQKpdwf02k1ZBK1tZcMassQ==','bulk-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD','2027-04-15','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(14,'enc!!tvGpQfy36jK5jhq4SERw-Rg73f0HZ2KWhHo2TiHcbQ==','bulk-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSP','2027-04-16','https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(15,'enc!!1rn2m61FW3ovlss3_DdBxTtVhZhVf3EopQOHcSJrTA==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD',NULL,'https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(16,'enc!!ZJRo-DlyCCy3QEKYLgXzcfi7CGnUMVIWDfhIwBhYsA==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD',NULL,'https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(17,'enc!!cky_xhal-oEgYEmyxAqETbCG-3GIfZUQE89OusVZtg==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'ACSP',NULL,'https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(18,'enc!!DtJvSB_2zWvH3SE75qnh8WvDG0OcHIsX14bkl_i0bQ==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'CANC',NULL,'https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(19,'enc!!DTbkn-vdfNrEFKIBES0laPLp4bk9_04eZy0jxlHgdg==','payments','cross-border-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD','2027-04-16','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(20,'enc!!6Yubk9VMzs1J2qzyqfZvjHcEr6E8BjHtBIv1hjvVeQ==','payments','sepa-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,5,'ACSP','2027-04-16','https://tpp.example/back','session-1',1807599600000,1807599600000,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(21,'enc!!SNY_bchvaLygXlODhwa00QSKxtT4ff09PiR0ATUUZw==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',4,12,'PATC','2027-04-15','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,6);
INSERT INTO payment VALUES(22,'enc!!rGDWNLCnikYFDndP0P_qcBWhfGXXHjukoFmVv0URYA==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',4,12,'PATC',NULL,'https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,6);
INSERT INTO payment VALUES(23,'enc!!xklLJoCIpmOzfeKWnIJmi70lgfq3BVMSoSI0rYNsww==','payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD','2027-04-15','https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO payment VALUES(24,'enc!!oo_7cZXc6UtpQOn4X1RdDp46LA7s6R2auIbC8VBHjQ==','periodic-payments','norwegian-domestic-credit-transfers','PSDNO-FSA-987654321','Test TPP',1,2,'RCVD',NULL,'https://tpp.example/back','session-1',1807599600000,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE signature (
    payment_id integer not null references payment (id),
    customer_id integer not null references customer (id),
    signed_at integer not null,
    primary key (payment_id, customer_id)
  ) strict, without rowid;
INSERT INTO signature VALUES(1,1,1807524000000);
INSERT INTO signature VALUES(2,1,1807524000000);
INSERT INTO signature VALUES(3,1,1807524000000);
INSERT INTO signature VALUES(4,3,1807524000000);
INSERT INTO signature VALUES(5,3,1807524000000);
INSERT INTO signature VALUES(6,3,1807524000000);
INSERT INTO signature VALUES(7,1,1807524000000);
INSERT INTO signature VALUES(8,1,1807524000000);
INSERT INTO signature VALUES(10,1,1807599600000);
INSERT INTO signature VALUES(11,1,1807599600000);
INSERT INTO signature VALUES(14,1,1807599600000);
INSERT INTO signature VALUES(17,1,1807599600000);
INSERT INTO signature VALUES(20,1,1807599600000);
INSERT INTO signature VALUES(21,4,1807599600000);
INSERT INTO signature VALUES(22,4,1807599600000);
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
INSERT INTO standing_order VALUES(2,'2027-04-12',NULL,'Daily','following',NULL,NULL,3);
INSERT INTO standing_order VALUES(3,'2027-04-12','2027-04-12','Daily','following',NULL,NULL,NULL);
INSERT INTO standing_order VALUES(4,'2027-04-12',NULL,'Weekly','following',NULL,NULL,2);
INSERT INTO standing_order VALUES(15,'2027-04-15',NULL,'Monthly','following',15,NULL,0);
INSERT INTO standing_order VALUES(16,'2027-04-15',NULL,'Weekly','following',NULL,NULL,0);
INSERT INTO standing_order VALUES(17,'2027-04-15',NULL,'Daily','following',NULL,NULL,1);
INSERT INTO standing_order VALUES(18,'2027-04-15',NULL,'Daily','following',NULL,NULL,0);
INSERT INTO standing_order VALUES(22,'2027-04-15',NULL,'Weekly','following',NULL,NULL,0);
INSERT INTO standing_order VALUES(24,'2027-04-15',NULL,'Weekly','following',NULL,NULL,0);
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
INSERT INTO foreign_transfer VALUES(8,8281,500,700,'EUR',700,'EUR','11.8305',NULL,'2026-01-02');
INSERT INTO foreign_transfer VALUES(19,10942,5000,10000,'SEK',10000,'SEK','1.0942',NULL,'2026-01-02');
INSERT INTO foreign_transfer VALUES(20,900,42,900,'EUR',900,'EUR',NULL,NULL,'2026-01-02');
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
INSERT INTO credit_transfer VALUES(1,1,0,2,'74712699947','NOK',10000,'2027-04-12',NULL);
INSERT INTO credit_transfer VALUES(2,5,0,11,'90491105991','NOK',3000,'2027-04-12',NULL);
INSERT INTO credit_transfer VALUES(3,6,0,11,'90491105991','NOK',500,'2027-04-12','{"instructedAmount":{"amount":"5.00","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"bulk in part"}');
INSERT INTO credit_transfer VALUES(4,6,1,11,'74712699947','NOK',4000,'2027-04-12','{"instructedAmount":{"amount":"40.00","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"bulk in part"}');
INSERT INTO credit_transfer VALUES(5,7,0,2,'74712699947','NOK',1200,'2027-04-12',NULL);
INSERT INTO credit_transfer VALUES(6,8,0,2,'41305545238','EUR',700,'2027-04-16',NULL);
INSERT INTO credit_transfer VALUES(7,9,0,2,'74712699947','NOK',1300,'2027-04-15',NULL);
INSERT INTO credit_transfer VALUES(8,10,0,2,'74712699947','NOK',1400,'2027-04-15',NULL);
INSERT INTO credit_transfer VALUES(9,11,0,2,'74712699947','NOK',1500,'2027-04-13',NULL);
INSERT INTO credit_transfer VALUES(10,12,0,2,'74712699947','NOK',1600,'2027-04-13',NULL);
INSERT INTO credit_transfer VALUES(11,13,0,2,'74712699947','NOK',100,'2027-04-15','{"instructedAmount":{"amount":"1.00","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"unsigned bulk"}');
INSERT INTO credit_transfer VALUES(12,13,1,2,'90491105991','NOK',200,'2027-04-15','{"instructedAmount":{"amount":"2.00","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"unsigned bulk"}');
INSERT INTO credit_transfer VALUES(13,13,2,2,'74712699947','NOK',300,'2027-04-15','{"instructedAmount":{"amount":"3.00","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"unsigned bulk"}');
INSERT INTO credit_transfer VALUES(14,14,0,2,'74712699947','NOK',150,'2027-04-16','{"instructedAmount":{"amount":"1.50","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"bulk for later"}');
INSERT INTO credit_transfer VALUES(15,14,1,2,'90491105991','NOK',250,'2027-04-16','{"instructedAmount":{"amount":"2.50","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"bulk for later"}');
INSERT INTO credit_transfer VALUES(16,19,0,2,'ESSESESS 50000000054910000003','SEK',10000,'2027-04-16',NULL);
INSERT INTO credit_transfer VALUES(17,20,0,5,'DE89370400440532013000','EUR',900,'2027-04-16',NULL);
INSERT INTO credit_transfer VALUES(18,21,0,12,'74712699947','NOK',2100,'2027-04-15',NULL);
INSERT INTO credit_transfer VALUES(19,23,0,2,'74712699947','NOK',2300,'2027-04-15',NULL);
CREATE TABLE bulk_payment (
    payment_id integer primary key references payment (id),
    number_of_transactions integer not null check (number_of_transactions >= 1)
  ) strict;
INSERT INTO bulk_payment VALUES(6,2);
INSERT INTO bulk_payment VALUES(13,3);
INSERT INTO bulk_payment VALUES(14,2);
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
INSERT INTO execution VALUES(1,1,0,'2027-04-12','2027-04-12',1807524000000,2,'74712699947',10000,'ACSC',0,0);
INSERT INTO execution VALUES(2,2,0,'2027-04-12','2027-04-12',1807524000000,2,'74712699947',1000,'ACSC',0,0);
INSERT INTO execution VALUES(3,3,0,'2027-04-12','2027-04-12',1807524000000,2,'74712699947',1100,'ACSC',0,0);
INSERT INTO execution VALUES(4,4,0,'2027-04-12','2027-04-12',1807524000000,11,'90491105991',2000,'ACCP',3,0);
INSERT INTO execution VALUES(5,5,0,'2027-04-12','2027-04-12',1807524000000,11,'90491105991',3000,'ACCP',3,0);
INSERT INTO execution VALUES(6,6,0,'2027-04-12','2027-04-12',1807524000000,11,'90491105991',500,'ACSC',0,0);
INSERT INTO execution VALUES(7,6,1,'2027-04-12','2027-04-12',1807524000000,11,'74712699947',4000,'ACCP',3,0);
INSERT INTO execution VALUES(8,7,0,'2027-04-12','2027-04-12',1807524000000,2,'74712699947',1200,'ACSC',0,0);
INSERT INTO execution VALUES(9,8,0,'2027-04-16','2027-04-16',1807524000000,2,'41305545238',8281,'ACSP',0,1);
INSERT INTO execution VALUES(10,2,1,'2027-04-13','2027-04-13',1807524000000,2,'74712699947',1000,'ACSC',0,0);
INSERT INTO execution VALUES(11,4,1,'2027-04-19','2027-04-19',1807524000000,11,'90491105991',2000,'ACSP',0,0);
INSERT INTO execution VALUES(12,2,2,'2027-04-14','2027-04-14',1807524000000,2,'74712699947',1000,'ACSP',0,0);
INSERT INTO execution VALUES(13,10,0,'2027-04-15','2027-04-15',1807599600000,2,'74712699947',1400,'ACSP',0,0);
INSERT INTO execution VALUES(14,11,0,'2027-04-13','2027-04-13',1807599600000,2,'74712699947',1500,'PDNG',0,0);
INSERT INTO execution VALUES(15,14,0,'2027-04-16','2027-04-16',1807599600000,2,'74712699947',150,'ACSP',0,0);
INSERT INTO execution VALUES(16,14,1,'2027-04-16','2027-04-16',1807599600000,2,'90491105991',250,'ACSP',0,0);
INSERT INTO execution VALUES(17,17,0,'2027-04-15','2027-04-15',1807599600000,2,'74712699947',1850,'ACSP',0,0);
INSERT INTO execution VALUES(18,20,0,'2027-04-16','2027-04-16',1807599600000,5,'DE89370400440532013000',900,'ACSP',0,1);
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
INSERT INTO settlement_run VALUES('2027-04-12',4,1807529400000,4,3,0,1,2);
INSERT INTO settlement_run VALUES('2027-04-12',5,1807536600000,0,3,0,4,0);
INSERT INTO settlement_run VALUES('2027-04-13',1,1807587000000,1,3,0,0,1);
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
INSERT INTO attempt VALUES(1,1,'2027-04-12',4,1798800,10000,'settle');
INSERT INTO attempt VALUES(2,1,'2027-04-12',4,1788800,1000,'settle');
INSERT INTO attempt VALUES(3,1,'2027-04-12',4,1787800,1100,'settle');
INSERT INTO attempt VALUES(4,1,'2027-04-12',4,1200,2000,'retry');
INSERT INTO attempt VALUES(4,2,'2027-04-12',5,700,2000,'retry');
INSERT INTO attempt VALUES(4,3,'2027-04-13',1,700,2000,'retry');
INSERT INTO attempt VALUES(5,1,'2027-04-12',4,1200,3000,'retry');
INSERT INTO attempt VALUES(5,2,'2027-04-12',5,700,3000,'retry');
INSERT INTO attempt VALUES(5,3,'2027-04-13',1,700,3000,'retry');
INSERT INTO attempt VALUES(6,1,'2027-04-12',4,1200,500,'settle');
INSERT INTO attempt VALUES(7,1,'2027-04-12',4,700,4000,'retry');
INSERT INTO attempt VALUES(7,2,'2027-04-12',5,700,4000,'retry');
INSERT INTO attempt VALUES(7,3,'2027-04-13',1,700,4000,'retry');
INSERT INTO attempt VALUES(8,1,NULL,NULL,1800000,1200,'settle');
INSERT INTO attempt VALUES(10,1,'2027-04-13',1,1786700,1000,'settle');
CREATE TABLE status_change (
    id integer primary key,
    payment_id integer not null references payment (id),
    status text not null,
    at integer not null,
    wall integer not null,
    cause text not null
  ) strict;
INSERT INTO status_change VALUES(1,1,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(2,1,'PDNG',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(3,2,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(4,2,'ACSP',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(5,3,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(6,3,'ACSP',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(7,4,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(8,4,'ACSP',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(9,5,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(10,5,'PDNG',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(11,6,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(12,6,'PDNG',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(13,7,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(14,7,'ACSC',1807524000000,1807524000000,'signed by the PSU, settled at once');
INSERT INTO status_change VALUES(15,8,'RCVD',1807524000000,1807524000000,'initiation');
INSERT INTO status_change VALUES(16,8,'ACSP',1807524000000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(17,1,'ACSC',1807529400000,1807524000000,'run 2027-04-12/4, attempt 1');
INSERT INTO status_change VALUES(18,5,'ACCP',1807529400000,1807524000000,'run 2027-04-12/4, attempt 1');
INSERT INTO status_change VALUES(19,3,'ACSC',1807529400000,1807524000000,'run 2027-04-12/4, last occurrence final');
INSERT INTO status_change VALUES(20,6,'PART',1807529400000,1807524000000,'run 2027-04-12/4');
INSERT INTO status_change VALUES(21,9,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(22,10,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(23,10,'ACSP',1807599600000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(24,11,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(25,11,'PDNG',1807599600000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(26,12,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(27,13,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(28,14,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(29,14,'ACSP',1807599600000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(30,15,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(31,16,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(32,17,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(33,17,'ACSP',1807599600000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(34,17,'ACSP',1807599600000,1807524000000,'changed in another channel: amount 18.50 NOK');
INSERT INTO status_change VALUES(35,18,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(36,18,'CANC',1807599600000,1807524000000,'deleted by the TPP');
INSERT INTO status_change VALUES(37,19,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(38,20,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(39,20,'ACSP',1807599600000,1807524000000,'signed by the PSU');
INSERT INTO status_change VALUES(40,21,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(41,21,'PATC',1807599600000,1807524000000,'signature 1 of 2');
INSERT INTO status_change VALUES(42,22,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(43,22,'PATC',1807599600000,1807524000000,'signature 1 of 2');
INSERT INTO status_change VALUES(44,23,'RCVD',1807599600000,1807524000000,'initiation');
INSERT INTO status_change VALUES(45,24,'RCVD',1807599600000,1807524000000,'initiation');
CREATE TABLE batch (
    id integer primary key,
    payment_id integer not null references payment (id),
    run_at integer not null,
    leading_execution_id integer not null references execution (id),
    number_of_transactions integer not null,
    amount_minor integer not null,
    unique (payment_id, run_at)
  ) strict;
INSERT INTO batch VALUES(1,6,1807529400000,6,1,500);
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
INSERT INTO direct_posting VALUES(11,'transaction','{}',NULL);
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
INSERT INTO entry VALUES(17,1,-1200,NULL,9,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(18,11,1200,NULL,9,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(19,1,-9000000,NULL,10,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(20,12,9000000,NULL,10,'2027-04-11','2027-04-11',NULL,0,NULL);
INSERT INTO entry VALUES(21,2,-1200,8,NULL,'2027-04-12','2027-04-12',1807524000000,0,NULL);
INSERT INTO entry VALUES(22,7,1200,8,NULL,'2027-04-12','2027-04-12',1807524000000,0,NULL);
INSERT INTO entry VALUES(23,2,-10000,1,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(24,7,10000,1,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(25,2,-1000,2,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(26,7,1000,2,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(27,2,-1100,3,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(28,7,1100,3,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(29,11,-500,6,NULL,'2027-04-12','2027-04-12',1807529400000,0,1);
INSERT INTO entry VALUES(30,1,500,6,NULL,'2027-04-12','2027-04-12',1807529400000,0,NULL);
INSERT INTO entry VALUES(31,2,-1000,10,NULL,'2027-04-13','2027-04-13',1807587000000,0,NULL);
INSERT INTO entry VALUES(32,7,1000,10,NULL,'2027-04-13','2027-04-13',1807587000000,0,NULL);
INSERT INTO entry VALUES(33,1,-100,NULL,11,'2020-01-01','2020-01-01',NULL,0,NULL);
INSERT INTO entry VALUES(34,11,100,NULL,11,'2020-01-01','2020-01-01',NULL,0,NULL);
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
INSERT INTO signing_basket VALUES(1,'enc!!CMSygR13QvaFeGiHOpilIG3voz4SoU96z7vQvMuRPw==','PSDNO-FSA-987654321',1,'https://tpp.example/back','session-1',1807599600000,1807686000000,NULL);
CREATE TABLE basket_payment (
    basket_id integer not null references signing_basket (id),
    payment_id integer not null references payment (id),
    position integer not null,
    primary key (basket_id, payment_id)
  ) strict, without rowid;
INSERT INTO basket_payment VALUES(1,23,0);
INSERT INTO basket_payment VALUES(1,24,1);
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
INSERT INTO sca VALUES(1,'DGBmzzDajr_7P-oXIuYbUweghzH8GTRT8MxlQuh7DhI','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(2,'fIRdvTGKl1hplRTHViPqTnEfVyZj35PmPRJb1Ce97RE','payment',1,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(3,'CU78BsbV-aB8_DCwthIApcE6dF_ZLHPQ06I9Nt1lrWs','payment',2,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(4,'voEb9S6SNjwB7gHPQKV-kMrLY5hBvz5nElLCwafRQBE','payment',2,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(5,'CkMMRe5J9zyNJXrlRZhuacioZP1f1Djut3LClzOoL08','payment',3,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(6,'6fJZZ8pFXSjXYLIPkYuUjqBo1D4suaolm-PeyC-Rsm4','payment',3,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(7,'_knQLlnOay0BixkcOGAiGaj7D6Jlw7bnaCeszbcAs1A','payment',4,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(8,'7rS1c2fqPUmnleG7BW6o47LlBK1WQUSlug2eETB3pso','payment',4,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(9,'KdddMQkCzsydlefStd6pyPwlhykFrL4i-YQ8EwIRabs','payment',5,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(10,'ZVyidU84NNVhr3d-zBMO8BUVsF0UTp2ug8gh5jRfan4','payment',5,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(11,'A5t5iLXyzwii1-LLV19iZGpQ-ivsIgxwTH9dFmhefxI','payment',6,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(12,'KwGAhYVN5FxNx4EUW84UNClmEwJfd07QKI8w-04bK14','payment',6,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',3,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(13,'LVU7xjrGAbxW6Z2vVSYvfUpabX_jMR3k62k6TmpikK4','payment',7,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(14,'S-2NJOgHH95wjooehUEf6Y6mZ_wTwsaa3SW211eEU5M','payment',7,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(15,'vB3QWQwqwaBX0fIyF_qRADlr27g_D19ZXZgabWFweto','payment',8,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(16,'WE5BNUdRjkkM2CUhorimj4IqiV4aZqCr_bpFM5U9X-g','payment',8,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(17,'BW5JKesTK7eaApdtN4HqwwV1yWy8_UGcFuoik8KSs4E','payment',9,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(18,'mMmkxHdOsnU-ATMwDkrBGZo1oRif8F0zsMcXQtHVL1I','payment',10,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(19,'G9uWg_kczhv7M5Kwy48toA_Dj8kV3U0IhNl-qUEG6HM','payment',10,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(20,'scnuLswsXpTOTZlcGJPTw_4YtqborYut6aCXUgP17GU','payment',11,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(21,'vg-hO78cPLVVw9fwPLOk5CMkiD_oC2Qhh5IanM1dOnM','payment',11,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(22,'X1rn7on45wGns4HAARuWHq9sTMSVSG5h5QBE2MpLX5E','payment',12,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(23,'-Kwd7bv6yyw5V4wXvUd2ktu4xNKd4pcXNAatli6MuTY','payment',13,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(24,'tvqPTxZTiLKnAm2efyGNHdTi32uJ57jDFRYCPfSEYiE','payment',14,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(25,'ZOSZGnrGcIMpC7uT9uylsmUpL0xGK1aNQbqGkfz0KBo','payment',14,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(26,'IUTv8w6-OMJl8VAv55vZOnDzwCXP2MpO1Dtmn8I-4zA','payment',15,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(27,'P0KPfhhAlxxDo8pYgXz5-O8F8CIoNLQQrrFtHQ4ScXg','payment',16,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(28,'iZSW30zmH_NAkeRXl_utma3-djm4gQA2Y9GgRrDipzM','payment',17,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(29,'HMjEn97mSk2-iAHvfVY7zpxDxi1dl4Tj9AdZ8vYVU8g','payment',17,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(30,'cRNTy7X5dasdx7-MhTd-8hpcwlcW-JQW2Ucoctsd530','payment',18,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(31,'se-yyxmwdLqyDBB0oswhnpnKH-ufhLILiobybroiXt4','payment',19,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(32,'wu7HCgSViv0CI0WX5LRyok0jzIPQM4K3CTfm_JRIE4c','payment',20,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(33,'5ojHDXqSGFOC898ge-u_ElTzZpgQMaY30e30mkaS-EQ','payment',20,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(34,'MHrzz7esJ4H_CN408dQFJDPXgKyZy-qR3HSh215bC6U','payment',21,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',4,'CORPORATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(35,'252NoYFnOB1rTv1dF6DLsZ_cWdWr6Dloe7Hb8YDZQzI','payment',21,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',NULL,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(36,'PRJKCBYMEjKsh5COgDlyu7ZVg1ejPl5zabrddv7ST4o','payment',22,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',4,'CORPORATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(37,'KFcuycErnGFQ-comI9kIfVw-UsGXhczkISuTm2lRd28','payment',22,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',NULL,NULL,NULL,1807524000000,'approved');
INSERT INTO sca VALUES(38,'OPZ40JdkyG2DERYTzt_mnk8ngrQprYIoBe1wbFfDRRY','payment',23,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
INSERT INTO sca VALUES(39,'oLfevgZZH_8aDi0BLzb4FNW8GHaY8Up2_GP7w2ut4iw','payment',24,NULL,'PSDNO-FSA-987654321','Test TPP','https://tpp.example/back','session-1',1,'PRIVATE',NULL,1807524000000,NULL);
CREATE TABLE payment_initiation (
    payment_id integer primary key references payment (id),
    body text not null
  ) strict;
INSERT INTO payment_initiation VALUES(1,'{"instructedAmount":{"amount":"100.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"settled single"}');
INSERT INTO payment_initiation VALUES(2,'{"instructedAmount":{"amount":"10.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"iban":"NO18 7471 2699 947","currency":"NOK"},"creditorName":"running order","startDate":"2027-04-12","frequency":"Daily"}');
INSERT INTO payment_initiation VALUES(3,'{"instructedAmount":{"amount":"11.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"ended order","startDate":"2027-04-12","endDate":"2027-04-12","frequency":"Daily"}');
INSERT INTO payment_initiation VALUES(4,'{"instructedAmount":{"amount":"20.00","currency":"NOK"},"debtorAccount":{"bban":"34300000012","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"order without funds","startDate":"2027-04-12","frequency":"Weekly"}');
INSERT INTO payment_initiation VALUES(5,'{"instructedAmount":{"amount":"30.00","currency":"NOK"},"debtorAccount":{"bban":"34300000012","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"single without funds"}');
INSERT INTO payment_initiation VALUES(6,'{"debtorAccount":{"bban":"34300000012","currency":"NOK"},"requestedExecutionDate":"2027-04-12"}');
INSERT INTO payment_initiation VALUES(7,'{"instructedAmount":{"amount":"12.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"instant"}');
INSERT INTO payment_initiation VALUES(8,'{"instructedAmount":{"amount":"7.00","currency":"EUR"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorName":"exchange","requestedExecutionDate":"2027-04-16","creditorAccount":{"iban":"NO6041305545238","currency":"EUR"}}');
INSERT INTO payment_initiation VALUES(9,'{"instructedAmount":{"amount":"13.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"unsigned single","requestedExecutionDate":"2027-04-15"}');
INSERT INTO payment_initiation VALUES(10,'{"instructedAmount":{"amount":"14.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"single for later","requestedExecutionDate":"2027-04-15"}');
INSERT INTO payment_initiation VALUES(11,'{"instructedAmount":{"amount":"15.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"single for today"}');
INSERT INTO payment_initiation VALUES(12,'{"instructedAmount":{"amount":"16.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"unsigned instant"}');
INSERT INTO payment_initiation VALUES(13,'{"debtorAccount":{"bban":"09232911044","currency":"NOK"},"requestedExecutionDate":"2027-04-15"}');
INSERT INTO payment_initiation VALUES(14,'{"debtorAccount":{"bban":"09232911044","currency":"NOK"},"requestedExecutionDate":"2027-04-16"}');
INSERT INTO payment_initiation VALUES(15,'{"instructedAmount":{"amount":"17.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"iban":"NO1874712699947","currency":"NOK"},"creditorName":"unsigned order","startDate":"2027-04-15","frequency":"Monthly","dayOfExecution":"15"}');
INSERT INTO payment_initiation VALUES(16,'{"instructedAmount":{"amount":"1234567.89","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"unsigned order by number","startDate":"2027-04-15","frequency":"Weekly"}');
INSERT INTO payment_initiation VALUES(17,'{"instructedAmount":{"amount":"18.50","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"changed order","startDate":"2027-04-15","frequency":"Daily"}');
INSERT INTO payment_initiation VALUES(18,'{"instructedAmount":{"amount":"19.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"deleted order","startDate":"2027-04-15","frequency":"Daily"}');
INSERT INTO payment_initiation VALUES(19,'{"instructedAmount":{"amount":"100.00","currency":"SEK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorName":"unsigned transfer abroad","requestedExecutionDate":"2027-04-16","creditorAccount":{"bban":"50000000054910000003","currency":"SEK"},"creditorAgent":"ESSESESS","creditorAddress":{"country":"SE","city":"Stockholm"}}');
INSERT INTO payment_initiation VALUES(20,'{"instructedAmount":{"amount":"9.00","currency":"EUR"},"debtorAccount":{"bban":"85523166859","currency":"EUR"},"creditorName":"transfer to Germany","requestedExecutionDate":"2027-04-16","creditorAccount":{"iban":"DE89 3704 0044 0532 0130 00","currency":"EUR"}}');
INSERT INTO payment_initiation VALUES(21,'{"instructedAmount":{"amount":"21.00","currency":"NOK"},"debtorAccount":{"bban":"34330000017","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"x","requestedExecutionDate":"2027-04-15"}');
INSERT INTO payment_initiation VALUES(22,'{"instructedAmount":{"amount":"22.00","currency":"NOK"},"debtorAccount":{"bban":"34330000017","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"x","startDate":"2027-04-15","frequency":"Weekly"}');
INSERT INTO payment_initiation VALUES(23,'{"instructedAmount":{"amount":"23.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"first in the basket","requestedExecutionDate":"2027-04-15"}');
INSERT INTO payment_initiation VALUES(24,'{"instructedAmount":{"amount":"24.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"74712699947","currency":"NOK"},"creditorName":"second in the basket","startDate":"2027-04-15","frequency":"Weekly"}');
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
