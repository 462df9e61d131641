import { postDirectly, ensureClearing, hasRoom } from '../accounts/post.ts';
import { formatExchange, type TransactionDetails } from '../accounts/rules/transaction-details.ts';
import { accountByKey, type Account } from '../accounts/rows/accounts.ts';
import type { Writing } from '../bank/bank-context.ts';
import type { SettlementDecision } from '../settlement/rules/decide-attempts.ts';
import { bankingDaysAfter } from '../time/rules/banking-calendar.ts';
import type { SettlementRun } from '../time/rules/settlement-run.ts';
import { assert } from '../values/assert.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Amount } from '../values/money.ts';
import { convert, formatRate, type PriceList, rateBetween } from '../values/price-list.ts';
import { isForeign } from '../values/product.ts';
import { returnCode, type ReturnReason, returnReasons, returnText } from '../values/return-reasons.ts';
import { behaviourOf } from '../values/numbers-with-a-meaning.ts';
import { pricesNow } from './rules/foreign-transfer.ts';
import {
  insertReturn,
  type PaymentReturn,
  returnsDue,
  saveBookedReturn,
  type Settled,
  settledExecutions,
} from './rows/returns.ts';

/** Announces that what settled comes back on a banking day (rules.md S12). */
export async function insertReturnOf(
  { tx }: Writing,
  settled: Settled,
  { reason, due }: { readonly reason: ReturnReason; readonly due: LocalDate },
): Promise<void> {
  const { id, paymentId, accountId, product, amount, currency } = settled;
  await insertReturn(tx, {
    execution_id: id,
    payment_id: paymentId,
    account_id: accountId,
    product,
    reason,
    due,
    amount_minor: amount,
    currency,
    details: JSON.stringify(detailsOfReturn(settled, reason)),
    booked_at: null,
    posting_id: null,
    kept: null,
  });
}

function detailsOfReturn({ initiation, holder, bban, iban }: Settled, reason: ReturnReason): TransactionDetails {
  const { creditorName, creditorAccount, remittanceInformationStructuredArray: references } = initiation;
  const { bban: otherBban, iban: otherIban } = creditorAccount;
  return {
    remittanceInformationUnstructured: returnText(reason, initiation.remittanceInformationUnstructured),
    ...(references !== undefined && { remittanceInformationStructuredArray: references }),
    creditorName: holder,
    creditorAccount: { ...(bban !== null && { bban }), ...(iban !== null && { iban }) },
    debtorName: creditorName,
    debtorAccount: {
      ...(otherBban !== undefined && { bban: otherBban }),
      ...(otherIban !== undefined && { iban: otherIban }),
    },
    additionalInformation: returnCode(reason),
  };
}

/**
 * Announces the returns of what a run settled outside this bank to numbers that return it (rules.md D1c). `bookedOn`:
 * when it is booked.
 */
export async function insertExpectedReturns(
  writing: Writing,
  decisions: readonly (Pick<SettlementDecision, 'outcome'> & {
    readonly execution: Pick<SettlementDecision['execution'], 'id' | 'creditorNumber' | 'creditor'>;
  })[],
  bookedOn: LocalDate,
): Promise<void> {
  const returning = decisions.flatMap(({ execution, outcome }) => {
    const hasLeft = outcome === 'settle' && execution.creditor.kind === 'clearing';
    const behaviour = hasLeft ? behaviourOf(execution.creditorNumber) : undefined;
    return behaviour?.does === 'return' ? [[execution.id, behaviour] as const] : [];
  });
  if (returning.length === 0) return;
  const behaviours = new Map(returning);
  for (const settled of await settledExecutions(writing.tx, [...behaviours.keys()])) {
    const behaviour = behaviours.get(settled.id);
    assert(behaviour !== undefined, 'an execution that was asked for');
    const due = bankingDaysAfter(bookedOn, behaviour.bankingDays, writing.bank.schedule.calendar);
    await insertReturnOf(writing, settled, { reason: behaviour.reason, due });
  }
}

/** Books the returns that are due in a run (rules.md S12). Returns their number. */
export async function bookReturns(writing: Writing, run: SettlementRun): Promise<number> {
  const due = await returnsDue(writing.tx, run.date);
  for (const each of due) await bookReturn(writing, run, each);
  return due.length;
}

/**
 * The money of a closed account stays with the clearing account, and so does what its account, or a fee, leaves no room
 * for.
 */
async function bookReturn({ bank, tx }: Writing, run: SettlementRun, each: PaymentReturn): Promise<void> {
  const account = await accountByKey(tx, each.account_id);
  const returned = amountBack(each, account, pricesNow(bank, run.at));
  const clearing = await ensureClearing(bank.ids, tx, account.currency);
  const hasRooms = hasRoom(account, returned.amount) && hasRoom(clearing, -returned.amount);
  const reasonKept = account.closed_at === null ? whyKept(returned.amount, hasRooms) : 'the account is closed';
  const posting =
    reasonKept === null
      ? await postDirectly(bank.ids, tx, account, {
          kind: 'transaction',
          details: JSON.stringify({ ...(JSON.parse(each.details) as TransactionDetails), ...returned.exchange }),
          amount: returned.amount,
          bookingDate: run.date,
          valueDate: run.date,
        })
      : null;
  await saveBookedReturn(tx, each.id, { booked_at: run.at, posting_id: posting, kept: reasonKept });
  if (!bank.isHeard('lived')) return;
  const number = account.bban ?? account.iban ?? '';
  const credited = { minor: returned.amount, currency: account.currency };
  const amount = reasonKept === null ? credited : { minor: each.amount_minor, currency: each.currency };
  const event = `returned, ${returnReasons[each.reason][0]}${reasonKept === null ? '' : `, and kept: ${reasonKept}`}`;
  bank.tell({ kind: 'lived', at: run.at, account: number, amount, event });
}

/** Why an open account gets nothing of a return, or null if it is credited. */
function whyKept(amount: bigint, hasRooms: boolean): string | null {
  if (amount <= 0n) return 'the fee takes all of it';
  return hasRooms ? null : 'the account holds no more';
}

/** What comes back, in the currency of the account: abroad at the rate of the day, less the fee on the way. */
function amountBack(
  { amount_minor: minor, currency, product }: PaymentReturn,
  account: Account,
  prices: PriceList,
): { readonly amount: bigint; readonly exchange?: object } {
  if (!isForeign(product)) return { amount: minor };
  const [rate, feeRate] = [
    rateBetween(currency, account.currency, prices),
    rateBetween('NOK', account.currency, prices),
  ];
  assert(rate !== null && feeRate !== null, 'what was exchanged has a rate');
  const instructed: Amount = { minor, currency };
  const back = convert(instructed, rate, account.currency);
  const fee = convert({ minor: prices.fees[product], currency: 'NOK' }, feeRate, account.currency);
  const amount = back.minor - fee.minor;
  if (currency === account.currency) return { amount };
  const line = {
    amount: { minor: amount, currency: account.currency },
    instructed,
    rate,
    quotationDate: prices.quotationDate,
  };
  return { amount, exchange: formatExchange({ ...line, rate: formatRate(rate) }) };
}
