import { openBank, type BankOptions } from './bank.ts';
import { finishSca } from './approval/finish-sca.ts';
import type { KnownState } from './bank/known-state.ts';
import { inspectPayment } from './inspection/inspect-payment.ts';
import { inspectEntries } from './inspection/rows/payment-list.ts';
import { initiatePayment } from './payments/initiate-payment.ts';
import { cutOffOfDay } from './payments/receive-payment.ts';
import type { CreditTransferInitiation } from './values/credit-transfer.ts';
import type { Payment } from './payments/rows/payments.ts';
import { advanceClock } from './runs/advance-clock.ts';
import { inspectRun } from './runs/list-runs.ts';
import { topUp } from './sandbox-data/inspect-accounts.ts';
import type { Cause } from './settlement/rules/cause.ts';
import { osloInstant, osloDate, type Instant } from './values/instant.ts';
import { addDuration } from './values/duration.ts';
import { assert } from './values/assert.ts';
import type { CustomerType } from './values/customer-type.ts';
import { Refusal } from './values/fault.ts';
import type { LocalDate } from './values/local-date.ts';
import type { Amount } from './values/money.ts';
import type { Product } from './values/product.ts';
import { readBank } from './bank/bank-context.ts';

/** A payment that is initiated and signed at one instant, with funds. */
export interface PaymentInQuestion {
  readonly at: Instant;
  readonly customer: CustomerType;
  readonly product: Product;
  /** What is sent, but the account that pays. */
  readonly order: Omit<CreditTransferInitiation, 'debtorAccount'>;
}

/** When a payment is where. */
export interface PaidWhen {
  /** The cut-off of the day of the order, and whether the order comes in time; null: none. */
  readonly cutOff: { readonly at: Instant; readonly isMet: boolean } | null;
  readonly executionDate: LocalDate;
  /** `2027-03-30/1`; null: it settles at once, without a run. */
  readonly run: string | null;
  readonly settledAt: Instant;
  readonly bookedAt: Instant;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  readonly fee: Amount;
  /** Of its date, and of the run that tries it (rules.md S11). */
  readonly causes: readonly Cause[];
}

/** Who pays, by customer type: an account in NOK that one person signs for. */
function payerIn({ customers, agreements }: KnownState, type: CustomerType): { psu: string; account: string } {
  for (const { type: own, customerNumber, accounts } of customers)
    for (const { bban, iban, currency, signaturesRequired = 1, paymentsAllowed = true } of accounts) {
      const engaged = agreements.flatMap(({ engagements }) =>
        engagements.filter((each) => each.iban === iban && each.roles.includes('REGISTER')),
      );
      const psu = type === 'private' ? customerNumber : engaged[0]?.customer;
      const isOne = own === type && currency === 'NOK' && signaturesRequired === 1 && paymentsAllowed;
      if (isOne && psu !== undefined) return { psu, account: bban ?? iban ?? '' };
    }
  const text = `The known state has no ${type} customer with an account in NOK that one person signs for.`;
  throw new Refusal({ code: 'BAD_REQUEST', path: 'customer', text });
}

const tpp = { id: 'PSDNO-FSA-000000000', name: 'When' };
const returnTo = { redirectUri: '', sessionId: null };
/** Øre that the payer has beside its balance. */
const funds = { minor: 9n * 10n ** 16n, currency: 'NOK' } as const;
/** No row of closed days is longer. */
const untilBooked = { months: 1, days: 0, seconds: 0 };

/**
 * Makes a payment in a bank of these terms that exists for it alone, moves its clock until the payment is booked, and tells when it is where
 * (rules.md Q12d). Throws a Refusal as {@link initiatePayment} does.
 */
export async function whenPaid(
  terms: Omit<BankOptions, 'ledger' | 'start'>,
  { at, customer, product, order }: PaymentInQuestion,
): Promise<PaidWhen> {
  const payer = payerIn(terms.knownState, customer);
  const bank = await openBank({ ...terms, ledger: ':memory:', start: { mode: 'frozen', now: at } });
  try {
    await topUp(bank, payer.account, funds);
    const context = customer === 'private' ? 'PRIVATE' : 'CORPORATE';
    const body = { ...order, debtorAccount: { bban: payer.account, currency: 'NOK' } } as const;
    const { payment, scaId, fee } = await initiatePayment(bank, {
      tpp,
      psu: { psuIdentity: payer.psu },
      psuContext: context,
      returnTo,
      product,
      initiation: { service: 'payments', body },
    });
    assert(scaId !== null, 'a PSU whom the TPP does not know signs');
    const { answer } = await finishSca(bank, scaId, { outcome: 'approve', psu: payer.psu, context, accounts: null });
    if ('fault' in answer) throw new Refusal(answer.fault);
    const cutOff = await readBank(bank, (present) => cutOffOfDay(present, payment, osloDate(at)));
    await advanceClock(bank, addDuration(at, untilBooked));
    return { ...(await pathOf(bank, payment)), cutOff: cutOffAt(at, cutOff), fee };
  } finally {
    await bank.close();
  }
}

function cutOffAt(at: Instant, time: string | null): PaidWhen['cutOff'] {
  if (time === null) return null;
  const closes = osloInstant(osloDate(at), time);
  return { at: closes, isMet: at <= closes };
}

async function pathOf(
  bank: Awaited<ReturnType<typeof openBank>>,
  { id, resource_id: paymentId, initiated_at: at }: Payment,
): Promise<Omit<PaidWhen, 'cutOff' | 'fee'>> {
  const { attempts, occurrences } = await inspectPayment(bank, paymentId);
  const [attempt] = attempts;
  const now = addDuration(at, untilBooked);
  const entry = (await bank.ledger.read((reader) => inspectEntries(reader, id, now)))[0];
  const [execution] = occurrences;
  assert(attempt?.outcome === 'settle' && entry !== undefined && execution !== undefined, `payment ${id} has settled`);
  const { run, at: settledAt } = attempt;
  const tried =
    run === null ? undefined : (await inspectRun(bank, run)).attempts.find((each) => each.paymentId === paymentId);
  return {
    executionDate: execution.executionDate,
    run,
    settledAt,
    bookedAt: entry.booked_at ?? settledAt,
    bookingDate: entry.booking_date,
    valueDate: entry.value_date,
    causes: (tried?.causes ?? []).filter(({ kind }) => kind === 'moved' || kind === 'late'),
  };
}
