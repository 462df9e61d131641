import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { awaitsSignature, type TransactionStatus } from '../values/transaction-status.ts';
import { osloDate, type Instant } from '../values/instant.ts';
import { earliestDate, latestDate, type LocalDate, parseLocalDate } from '../values/local-date.ts';
import type { Amount } from '../values/money.ts';
import { inParts, type Page } from '../values/lists.ts';
import type { PaymentService } from '../values/product.ts';
import { Pauses } from '../ledger/pauses.ts';
import { type BankContext, type PresentReading, readBank } from '../bank/bank-context.ts';
import {
  countPayments,
  creditorsInside,
  hasStatus,
  isOn,
  paymentPage,
  unsignedPayments,
  type DateFilter,
  type ListedRow,
} from './rows/payment-list.ts';
import { signedIn } from '../payments/rows/orders.ts';
import { plansToShow, shownDate } from '../payments/plan-payments.ts';
import { nextRunOf } from '../payments/rules/plan.ts';
import {
  accountsNamed,
  customersNamed,
  type FoundAccount,
  type FoundCustomer,
  type FoundPayment,
  paymentsNamed,
} from './rows/search.ts';

/** Which payments are wanted, and which page of them. Null means any. */
interface PaymentQuery extends Page {
  readonly status: TransactionStatus | null;
  readonly service: PaymentService | null;
  /** The numbers (BBAN, IBAN) of one account: the debtor's or a creditor's. */
  readonly numbers: readonly string[] | null;
  /** Execution dates, both inclusive. */
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

export interface ListedPayment {
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly product: string;
  /** As it reads, PDNG on its due day (rules.md S2b). */
  readonly status: TransactionStatus;
  /** The instructed amount; for a bulk payment the sum. */
  readonly amount: Amount;
  readonly debtor: ListedParty;
  /** Null for a bulk payment. */
  readonly creditor: ListedCreditor | null;
  readonly initiatedAt: Instant;
  /**
   * For a standing order the next date. An unsigned payment counts as signed now (rules.md P3c, P13). Null if no date
   * is left.
   */
  readonly executionDate: LocalDate | null;
  /** The run that tries it next; null if it is unsigned or ended. */
  readonly nextAttempt: SettlementRun | null;
  /** When a run settled or rejected it, or the last part of it, if one did. */
  readonly endedAt: Instant | null;
}

interface ListedParty {
  /** The BBAN or, for an account without one, the IBAN. */
  readonly number: string;
  readonly name: string | null;
}

interface ListedCreditor extends ListedParty {
  /** Whether it is an open account of this bank. */
  readonly inThisBank: boolean;
  /** Whether it was an account of this bank that is closed. */
  readonly closed?: true;
}

interface PaymentList {
  readonly payments: readonly ListedPayment[];
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * Lists payments of all TPPs and PSUs for the control plane, the latest initiation first, including those that have
 * left the payment API (rules.md S6). SQL selects the page. With a period it also plans the unsigned payments.
 */
export function listPayments(
  bank: BankContext,
  { offset, limit, from, to, ...query }: PaymentQuery,
): Promise<PaymentList> {
  return readBank(bank, async (reading) => {
    const { reader, now } = reading;
    const dates = from === null && to === null ? null : await dateFilter(reading, { from, to });
    const filter = { ...query, dates };
    const rows = await paymentPage(reader, filter, { offset, limit }, now);
    const unsigned = rows.filter(({ status }) => awaitsSignature(status)).map(({ id }) => id);
    const plans = await plansToShow(reading, unsigned);
    const inside = await creditorsInside(
      reader,
      rows.map(({ id }) => id),
    );
    const payments = rows.map((row): ListedPayment => {
      const listed = listedPayment(row, shownDate(row, plans.get(row.id) ?? null), reading);
      return { ...listed, creditor: creditorOf(row, inside.get(row.id)) };
    });
    return {
      payments,
      total: await countPayments(reader, filter, now),
    };
  });
}

/** SQL knows the dates of what is signed. No signature gives a payment a day that has passed. */
async function dateFilter(
  reading: PresentReading,
  { from, to }: Pick<PaymentQuery, 'from' | 'to'>,
): Promise<DateFilter> {
  const { reader, now } = reading;
  const [first, last] = [from ?? earliestDate, to ?? latestDate];
  const unsigned: number[] = [];
  const pauses = new Pauses();
  for (const some of inParts(last < osloDate(now) ? [] : await unsignedPayments(reader))) {
    if (pauses.isDue()) await pauses.take();
    for (const [id, { executions }] of await plansToShow(reading, some)) {
      const date = executions[0]?.executionDate;
      if (date !== undefined && date >= first && date <= last) unsigned.push(id);
    }
  }
  return { from: first, to: last, unsigned };
}

function listedPayment(
  row: ListedRow,
  date: LocalDate | null,
  { bank, lastRunAt }: PresentReading,
): Omit<ListedPayment, 'creditor'> {
  return {
    paymentId: row.resource_id,
    service: row.service,
    product: row.product,
    status: row.status,
    amount: { minor: row.total_minor, currency: row.currency },
    debtor: { number: row.debtor_number, name: row.debtor_name },
    initiatedAt: row.initiated_at,
    executionDate: date ?? row.next_date,
    nextAttempt: nextRunOf(signedIn(row), row.next_date, bank.schedule, lastRunAt),
    endedAt: row.ended_at,
  };
}

function creditorOf(row: ListedRow, account: 'open' | 'closed' | undefined): ListedCreditor | null {
  if (row.service === 'bulk-payments') return null;
  const isClosed = account === 'closed' ? ({ closed: true } as const) : {};
  return { number: row.creditor_number, name: row.creditor_name, inThisBank: account === 'open', ...isClosed };
}

export type { FoundAccount, FoundCustomer, FoundPayment } from './rows/search.ts';

interface FoundPayments {
  readonly payments: readonly FoundPayment[];
  readonly accounts: readonly FoundAccount[];
  readonly customers: readonly FoundCustomer[];
}

/**
 * What a text without blanks around it finds, at most `limit` of each kind (docs/spec/control-plane.md C11): payments
 * by the beginning of their id, by the number of their creditor or a part of its name, by an instructed amount, and by
 * the execution date or the status that {@link listPayments} shows, the newest first; open accounts by the beginning of
 * their number, a part of their name or of their owner's name; customers by their whole number or a part of their name.
 * Capital letters count as small ones. An empty text finds nothing.
 */
export function search(bank: BankContext, wanted: string, limit: number): Promise<FoundPayments> {
  if (wanted === '') return Promise.resolve({ payments: [], accounts: [], customers: [] });
  return readBank(bank, async (reading) => {
    const { reader, now } = reading;
    const day = parseLocalDate(wanted);
    const condition =
      day === null
        ? hasStatus(wanted.toUpperCase(), osloDate(now))
        : isOn(await dateFilter(reading, { from: day, to: day }));
    return {
      payments: await paymentsNamed(reader, wanted, condition, limit),
      accounts: await accountsNamed(reader, wanted, limit),
      customers: await customersNamed(reader, wanted, limit),
    };
  });
}
