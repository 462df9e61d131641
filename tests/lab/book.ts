/** How much a measured ledger holds. */
export interface BookSize {
  readonly accounts: number;
  /** Single payments due in the measured run. */
  readonly due: number;
  /** Single payments due in the days before, spread evenly; over 300 days if left out. */
  readonly history: number;
  readonly historyDays?: number;
  /** The due payments were initiated between those of the history, evenly, as payments with a future date are; else after them. */
  readonly isScattered?: true;
}

/** The evening before the measured run, and the run's day: an ordinary Wednesday. */
export const eveningBefore = '2027-04-13T16:00:00+02:00';
export const runDay = '2027-04-14';
export const measuredRun = '2027-04-14T05:30:00+02:00';

/** An evening before the longest history. A bank that is opened then and filled settles its history on the way to the run. */
export const beforeHistory = '2026-06-01T16:00:00+02:00';

const initiatedAt = Date.parse(beforeHistory) - 3_600_000;

/**
 * SQL that fills a freshly opened, otherwise empty ledger: accounts with an opening balance, and signed payments. Debtors and
 * creditors are spread over all accounts, ids are random text, every balance is the sum of its entries.
 */
export function bookStatements(size: BookSize): string[] {
  return [...accountStatements(size.accounts), ...paymentStatements(size), balances];
}

/** SQL that books transactions of 1.00 on an account, spread evenly over so many days before the run. Needs a clearing account. */
export function transactionStatements(account: number, count: number, days: number): string[] {
  const day = `date('${runDay}', '-1 day', '-' || (i % ${days}) || ' days')`;
  const posting = `(select max(id) from direct_posting) - ${count} + i`;
  return [
    `insert into direct_posting (kind, details) select 'transaction', '{}' from ${numbers(count)}`,
    `insert into entry (account_id, amount_minor, direct_posting_id, booking_date, value_date)
      select case side when 1 then ${account} else account.id end, side * 100, ${posting}, ${day}, ${day}
      from ${numbers(count)}, account, (select 1 as side union all select -1) where account.kind = 'clearing'`,
    balances,
  ];
}

/** SQL that names the creditor of each payment of {@link bookStatements}, for lists of payments and forecasts; runs need none. */
export const creditorsOfBook = `insert into credit_transfer (payment_id, sequence, debtor_account_id, creditor_number, currency, amount_minor,
    execution_date) select payment_id, sequence, debtor_account_id, creditor_number, 'NOK', amount_minor, execution_date from execution`;

function accountStatements(count: number): string[] {
  const clearing = count + 1;
  return [
    `insert into customer (id, resource_id, customer_number, name, type, is_type_in_capitals)
      select i, ${resourceId}, printf('%011d', i), 'PSU ' || i, 'private', 1 from ${numbers(count)}`,
    `insert into account (id, resource_id, kind, customer_id, name, bban, iban, currency, product, cash_account_type,
        credit_line_minor, balance_minor, kid_agreement, signatures_required, payments_allowed, closed_at)
      select i, ${resourceId}, 'customer', i, 'Account ' || i, ${bban('i')}, 'NO93' || ${bban('i')}, 'NOK', 'Brukskonto',
        'CACC', 0, 0, null, 1, 1, null from ${numbers(count)}`,
    `insert into account (id, resource_id, kind, customer_id, name, currency, credit_line_minor, balance_minor,
        signatures_required, payments_allowed) values (${clearing}, 'clearing', 'clearing', null, 'Clearing NOK', 'NOK', 0, 0, 1, 0)`,
    `insert into direct_posting (id, kind, details, reversed_by) select i, 'opening', '{}', null from ${numbers(count)}`,
    `insert into entry (account_id, amount_minor, execution_id, direct_posting_id, booking_date, value_date, booked_at)
      select case side when 1 then i else ${clearing} end, side * 100000000, null, i, '2026-01-02', '2026-01-02', null
      from ${numbers(count)}, (select 1 as side union all select -1)`,
  ];
}

/** Those of the history by their day; those of the run after them or, scattered, between them. */
function paymentStatements({ accounts, due, history, historyDays = 300, isScattered }: BookSize): string[] {
  const all = numbers(history + due);
  const stride = (history + due) / due;
  const [isDue, place] = isScattered ? [`i % ${stride} = 0`, `(i - i / ${stride})`] : [`i > ${history}`, 'i'];
  const daysBefore = `case when ${isDue} then 0 else 1 + (${history} - ${place}) * ${historyDays} / ${history || 1} end`;
  const day = `date('${runDay}', '-' || (${daysBefore}) || ' days')`;
  // By primes, so that payments next to each other in time are not so in an index.
  const debtor = `(1 + (i * 7919) % ${accounts})`;
  const creditor = bban(`(1 + (i * 104729 + 1) % ${accounts})`);
  const body = `'{"instructedAmount":{"amount":"' || printf('%.2f', (100 + i % 900) / 100.0) || '","currency":"NOK"},' ||
    '"debtorAccount":{"bban":"' || ${bban(debtor)} || '","currency":"NOK"},"creditorName":"Kari Nordmann",' ||
    '"creditorAccount":{"bban":"' || ${creditor} || '","currency":"NOK"},' ||
    '"remittanceInformationUnstructured":"Faktura ' || i || '","requestedExecutionDate":"' || ${day} || '"}'`;
  // As the engine gives keys: by the day, then by a count (engine/ledger/queries.ts).
  const key = `(unixepoch(${day}) / 86400 * 1073741824 + i)`;
  return [
    `insert into payment (id, resource_id, service, product, tpp_id, tpp_name, customer_id, debtor_account_id,
        status, execution_date, tpp_redirect_uri, tpp_session_id, initiated_at, authorised_at, received_at, place)
      select ${key}, ${resourceId}, 'payments', 'norwegian-domestic-credit-transfers', 'PSDNO-FSA-123456789', 'Bench TPP',
        ${debtor}, ${debtor}, 'ACSP', ${day}, 'https://tpp.example/return', 'session-' || i, ${initiatedAt}, ${initiatedAt}, ${initiatedAt}, i from ${all}`,
    `insert into payment_initiation (payment_id, body) select ${key}, ${body} from ${all}`,
    `insert into execution (id, payment_id, sequence, nominal_date, execution_date, received_at, place, lane, debtor_account_id,
        creditor_number, amount_minor, status, attempts)
      select ${key}, ${key}, 0, ${day}, ${day}, ${initiatedAt}, i, 'private inside NOK', ${debtor}, ${creditor}, 100 + i % 900, 'ACSP', 0 from ${all}`,
    `insert into status_change (payment_id, status, at, wall, cause)
      select ${key}, status, ${initiatedAt}, ${initiatedAt}, 'bench' from ${all}, (select 'RCVD' as status union all select 'ACSP')`,
  ];
}

const balances = `update account set balance_minor = sums.total
  from (select account_id, sum(amount_minor) as total from entry group by account_id) as sums where sums.account_id = account.id`;

const resourceId = `'enc!!' || hex(randomblob(22))`;

function numbers(last: number): string {
  return `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last}) select i from n)`;
}

function bban(number: string): string {
  return `printf('%011d', 90000000000 + ${number})`;
}
