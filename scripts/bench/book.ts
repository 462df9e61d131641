/** How much a measured ledger holds. */
export interface BookSize {
  readonly accounts: number;
  /** Single payments due in the measured run. */
  readonly due: number;
  /** Single payments booked in the days before, spread evenly; over 300 days if left out. */
  readonly history: number;
  readonly historyDays?: number;
}

/** The evening before the measured run, and the run's day: an ordinary Wednesday. */
export const eveningBefore = '2027-04-13T16:00:00+02:00';
export const runDay = '2027-04-14';
export const measuredRun = '2027-04-14T05:30:00+02:00';

const openingBalance = 100_000_000;
const msPerDay = 86_400_000;
const initiatedAt = Date.parse(eveningBefore) - 3_600_000;

/**
 * SQL that fills a freshly opened, otherwise empty ledger: accounts with an opening balance, booked payments, due ones.
 * Debtors and creditors are spread over all accounts, ids are random text, every balance is the sum of its entries.
 */
export function bookStatements(size: BookSize): string[] {
  return [...accountStatements(size.accounts), ...historyStatements(size), ...dueStatements(size), balances];
}

function accountStatements(count: number): string[] {
  const clearing = count + 1;
  return [
    `insert into customer (id, resource_id, customer_number, name, type, deleted_at)
      select i, ${resourceId}, printf('%011d', i), 'PSU ' || i, 'private', null from ${numbers(1, count)}`,
    `insert into account (id, resource_id, kind, customer_id, name, bban, iban, currency, product, cash_account_type,
        credit_line_minor, balance_minor, kid_agreement, signatures_required, payments_allowed, closed_at)
      select i, ${resourceId}, 'customer', i, 'Account ' || i, ${bban('i')}, 'NO93' || ${bban('i')}, 'NOK', 'Brukskonto',
        'CACC', 0, 0, null, 1, 1, null from ${numbers(1, count)}`,
    `insert into account (id, resource_id, kind, customer_id, name, currency, credit_line_minor, balance_minor,
        signatures_required, payments_allowed) values (${clearing}, 'clearing', 'clearing', null, 'Clearing NOK', 'NOK', 0, 0, 1, 0)`,
    `insert into direct_posting (id, kind, details, reversed_by) select i, 'opening', '{}', null from ${numbers(1, count)}`,
    `insert into entry (account_id, amount_minor, execution_id, direct_posting_id, booking_date, value_date, booked_at)
      select case side when 1 then i else ${clearing} end, side * ${openingBalance}, null, i, '2026-01-02', '2026-01-02', null
      from ${numbers(1, count)}, (select 1 as side union all select -1)`,
  ];
}

function historyStatements({ accounts, history, historyDays = 300 }: BookSize): string[] {
  if (history === 0) return [];
  const day = `date('${runDay}', '-' || (1 + (${history} - i) * ${historyDays} / ${history}) || ' days')`;
  const at = `(${initiatedAt} - (1 + (${history} - i) * ${historyDays} / ${history}) * ${msPerDay})`;
  return [
    `insert into settlement_run (date, number, at, settled, retried, rejected, booked, registered)
      select distinct ${day}, 1, ${at}, 0, 0, 0, 0, 0 from ${numbers(1, history)}`,
    paymentsBetween(1, history, accounts, { status: `'ACSC'`, day, at, leavesAt: at }),
    initiationsBetween(1, history, accounts, day),
    executionsBetween(1, history, accounts, { status: 'ACSC', day, at }),
    `insert into attempt (execution_id, number, run_date, run_number, available_minor, needed_minor, outcome)
      select i, 1, ${day}, 1, ${openingBalance}, 100 + i % 900, 'settle' from ${numbers(1, history)}`,
    `insert into entry (account_id, amount_minor, execution_id, direct_posting_id, booking_date, value_date, booked_at)
      select case side when 1 then ${creditor(accounts)} else ${debtor(accounts)} end, side * (100 + i % 900), i, null,
        ${day}, ${day}, unixepoch(${day}) * 1000 + ${msPerDay / 2} from ${numbers(1, history)}, (select -1 as side union all select 1)`,
    statusChangesBetween(1, history, at, ['RCVD', 'ACSP', 'ACSC']),
  ];
}

function dueStatements({ accounts, due, history }: BookSize): string[] {
  const [first, last] = [history + 1, history + due];
  const [day, at] = [`'${runDay}'`, `${initiatedAt}`];
  return [
    paymentsBetween(first, last, accounts, { status: `'ACSP'`, day, at, leavesAt: 'null' }),
    initiationsBetween(first, last, accounts, day),
    executionsBetween(first, last, accounts, { status: 'ACSP', day, at }),
    statusChangesBetween(first, last, at, ['RCVD', 'ACSP']),
  ];
}

interface Column {
  readonly status: string;
  readonly day: string;
  readonly at: string;
}

function paymentsBetween(first: number, last: number, accounts: number, column: Column & { leavesAt: string }): string {
  const { status, day, at, leavesAt } = column;
  return `insert into payment (id, resource_id, service, product, tpp_id, tpp_name, customer_id, debtor_account_id,
      status, execution_date, tpp_redirect_uri, tpp_session_id, initiated_at, authorised_at, leaves_at, cancellation_requested_at)
    select i, ${resourceId}, 'payments', 'norwegian-domestic-credit-transfers', 'PSDNO-FSA-123456789', 'Bench TPP',
      ${debtor(accounts)}, ${debtor(accounts)}, ${status}, ${day}, 'https://tpp.example/return', 'session-' || i,
      ${at}, ${at}, ${leavesAt}, null from ${numbers(first, last)}`;
}

function initiationsBetween(first: number, last: number, accounts: number, day: string): string {
  const body = `'{"instructedAmount":{"amount":"' || printf('%.2f', (100 + i % 900) / 100.0) || '","currency":"NOK"},' ||
    '"debtorAccount":{"bban":"' || ${bban(debtor(accounts))} || '","currency":"NOK"},"creditorName":"Kari Nordmann",' ||
    '"creditorAccount":{"bban":"' || ${bban(creditor(accounts))} || '","currency":"NOK"},' ||
    '"remittanceInformationUnstructured":"Faktura ' || i || '","requestedExecutionDate":"' || ${day} || '"}'`;
  return `insert into payment_initiation (payment_id, body) select i, ${body} from ${numbers(first, last)}`;
}

function executionsBetween(first: number, last: number, accounts: number, { status, day, at }: Column): string {
  return `insert into execution (id, payment_id, sequence, nominal_date, execution_date, authorised_at, debtor_account_id,
      creditor_number, amount_minor, status, attempts)
    select i, i, 0, ${day}, ${day}, ${at}, ${debtor(accounts)}, ${bban(creditor(accounts))}, 100 + i % 900, '${status}', 0
    from ${numbers(first, last)}`;
}

function statusChangesBetween(first: number, last: number, at: string, statuses: readonly string[]): string {
  const list = statuses.map((status) => `select '${status}' as status`).join(' union all ');
  return `insert into status_change (payment_id, status, at, wall, cause)
    select i, status, ${at}, ${at}, 'bench' from ${numbers(first, last)}, (${list})`;
}

const balances = `update account set balance_minor = sums.total
  from (select account_id, sum(amount_minor) as total from entry group by account_id) as sums where sums.account_id = account.id`;

const resourceId = `'enc!!' || hex(randomblob(22))`;

function numbers(first: number, last: number): string {
  return `(with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last}) select i from n)`;
}

/** Spreads accounts by primes, so that payments next to each other in time are not so in an index. */
function debtor(accounts: number): string {
  return `(1 + (i * 7919) % ${accounts})`;
}

function creditor(accounts: number): string {
  return `(1 + (i * 104729 + 1) % ${accounts})`;
}

function bban(number: string): string {
  return `printf('%011d', 90000000000 + ${number})`;
}
