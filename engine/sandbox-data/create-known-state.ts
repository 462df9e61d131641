import { followAccount } from '../payments/plan-payments.ts';
import { postDirectly } from '../accounts/post.ts';
import { previousOrSame } from '../time/rules/banking-calendar.ts';
import { beginLifeOn } from '../life/begin-life.ts';
import type { Persona } from '../life/rules/persona.ts';
import { assert } from '../values/assert.ts';
import { type Currency, parseSandboxAmount } from '../values/money.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { accountByKey, accountByNumber } from '../accounts/rows/accounts.ts';
import { type NewEngagement, openAgreement, openCustomer, adoptParties } from '../parties/customers-and-agreements.ts';
import { beginState, keepLivedUntil, type StartingPoint } from '../bank/change-state.ts';
import { findBankState } from '../bank/rows/bank-state.ts';
import { adoptPayments } from '../payments/initiate-payment.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import { type Writer, recreateTables } from '../ledger/database.ts';
import { type BankContext, bankTime } from '../bank/bank-context.ts';
import type { KnownAccount, KnownAgreement, KnownCard, KnownState, KnownTransaction } from '../bank/known-state.ts';
import { openAccount, adoptAccounts } from '../accounts/customer-accounts.ts';
import { openCardAccount, adoptCardAccounts } from '../cards/cards.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { lastTransactionNumber } from '../accounts/rows/entries.ts';

/** Fills an empty ledger with the clock, then customers, accounts and agreements in the order of the known state. */
export async function createKnownState(
  bank: BankContext,
  tx: Writer,
  knownState: KnownState,
  start: StartingPoint,
): Promise<void> {
  const since = start.since ?? bank.steady.now();
  const clock = await beginState(bank, tx, knownState, { ...start, since });
  bank.tell({ kind: 'moved', at: start.now, clock });
  for (const known of knownState.customers) {
    const customer = await openCustomer(bank.ids, tx, known);
    for (const account of known.accounts)
      await createKnownAccount(bank, tx, account, { customerId: customer.id, now: start.now });
    for (const card of known.cards ?? []) await createCard(bank, tx, customer.id, card);
  }
  for (const agreement of knownState.agreements) await createKnownAgreement(bank, tx, agreement);
}

async function createKnownAccount(
  bank: BankContext,
  tx: Writer,
  known: KnownAccount,
  { customerId, now }: { readonly customerId: number; readonly now: Instant },
): Promise<void> {
  const account = {
    customerId,
    name: known.accountName,
    bban: known.bban,
    iban: known.iban,
    currency: known.currency,
    product: known.product,
    cashAccountType: known.cashAccountType,
    creditLine: minorOrZero(known.creditLine ?? null, known.currency),
    openingBalance: minorOrZero(known.balance, known.currency),
    kidAgreement: known.kidAgreement ?? null,
    signaturesRequired: known.signaturesRequired ?? 1,
    paymentsAllowed: known.paymentsAllowed ?? true,
  };
  const today = osloDate(now);
  const transactions = (known.transactions ?? []).map((each) => ({ ...each, day: bookedOn(bank, each, today) }));
  // Dated the day before the first transaction, or the day before today, so that it is today's opening balance.
  const firstDay = transactions.reduce((first, { day }) => (day < first ? day : first), today);
  const { id, bban } = await openAccount(bank.ids, tx, account, addDays(firstDay, -1));
  await followAccount(tx, { bban });
  for (const { day, amount, remittanceInformationUnstructured: text } of transactions) {
    await postDirectly(bank.ids, tx, await accountByKey(tx, id), {
      kind: 'transaction',
      details: JSON.stringify({ remittanceInformationUnstructured: text }),
      amount: minorOrZero(amount, known.currency),
      bookingDate: day,
      valueDate: day,
    });
  }
  if (known.persona === undefined) return;
  await beginLifeOn(bank, tx, await accountByKey(tx, id), { persona: known.persona as Persona });
}

function bookedOn({ schedule }: BankContext, { daysAgo }: KnownTransaction, today: LocalDate): LocalDate {
  return previousOrSame(addDays(today, -daysAgo), schedule.calendar);
}

async function createCard(bank: BankContext, tx: Writer, customerId: number, known: KnownCard): Promise<void> {
  await openCardAccount(bank.ids, tx, {
    customerId,
    maskedPan: known.maskedPan,
    name: known.name,
    product: known.product,
    currency: known.currency,
    creditLimit: minorOrZero(known.creditLimit, known.currency),
    openingBalance: minorOrZero(known.balance, known.currency),
    details: {},
  });
}

function minorOrZero(decimal: string | null, currency: Currency): bigint {
  if (decimal === null) return 0n;
  const amount = parseSandboxAmount(decimal, currency);
  assert(typeof amount !== 'string', `the known state has the amount ${decimal} ${currency}: ${String(amount)}`);
  return amount.minor;
}

async function createKnownAgreement(bank: BankContext, tx: Writer, known: KnownAgreement): Promise<void> {
  const owner = await customerByNumber(tx, known.owner);
  assert(owner !== undefined, `the known state has an agreement of ${known.owner}, who is no customer`);
  const engagements: NewEngagement[] = [];
  for (const { customer, iban, roles } of known.engagements) {
    const psu = await customerByNumber(tx, customer);
    const account = await accountByNumber(tx, iban);
    assert(psu !== undefined && account !== undefined, `the engagement of ${customer} on ${iban} names what exists`);
    engagements.push({ customerId: psu.id, accountId: account.id, roles });
  }
  await openAgreement(bank.ids, tx, { ownerId: owner.id, name: known.name, engagements });
}

/** Whether accounts of the known state have a life, and so a past. */
export function hasPast({ customers }: KnownState): boolean {
  return customers.some(({ accounts }) => accounts.some(({ persona }) => persona !== undefined));
}

/**
 * Turns a copy of another bank's seeded ledger into this bank's ledger: with new ids, unless they follow from a seed,
 * and a clock that begins at `start`. Without a past the dates begin there too; a past must be that of the last step
 * until `start` (rules.md L10). The result is that of createKnownState, in a third of the time.
 */
export async function adoptKnownState(
  bank: Pick<BankContext, 'ids' | 'schedule' | 'profile' | 'fixtures' | 'knownState'>,
  tx: Writer,
  start: StartingPoint & { readonly since: Instant },
): Promise<void> {
  const { ids, knownState } = bank;
  const withPast = hasPast(knownState);
  const accounts = knownState.customers.flatMap((customer) => customer.accounts);
  assert(
    withPast || accounts.every(({ transactions = [] }) => transactions.length === 0),
    'the entries of a seeded ledger without a past are all of one day',
  );
  const livedUntil = (await findBankState(tx))?.lived_until ?? null;
  await beginState(bank, tx, knownState, start);
  if (withPast) await keepLivedUntil(tx, livedUntil);
  if (ids.follow !== undefined) return;
  await adoptParties(ids, tx);
  // An opening balance is dated as createAccount dates it.
  await adoptAccounts(ids, tx, withPast ? null : addDays(osloDate(start.now), -1));
  await adoptCardAccounts(ids, tx);
  await adoptPayments(ids, tx);
}

/**
 * Recreates the known state and keeps the clock: mode, rate, time, and the time to which a reset sets it (rules.md D1,
 * T7). Deletes everything else, PSU-IDs and consents included. No transactionId is given again (D7). All or nothing.
 * Returns how much the known state holds.
 */
export async function initializeSandbox(bank: BankContext) {
  const { customers, agreements } = bank.knownState;
  await bank.ledger.write(async (tx) => {
    const { state, now, steady } = await bankTime(bank, tx);
    const { seeded_at, seeded_mode, quirks } = state;
    const keptState = { seeded_at, seeded_mode, entries_before: await lastTransactionNumber(tx) };
    await recreateTables(tx);
    const { clock_mode: mode, clock_rate: rate } = state;
    // `since` keeps the time to the millisecond: a running clock goes on while the state is created.
    await createKnownState(bank, tx, bank.knownState, { mode, rate, now, since: steady, quirks, kept: keptState });
    bank.tell({ kind: 'reset', at: now, cause: 'initialized' });
  });
  // The list has corporate agreements only; every private customer has its own.
  const own = customers.filter(({ type }) => type === 'private').length;
  return {
    customers: customers.length,
    accounts: customers.flatMap(({ accounts }) => accounts).length,
    cardAccounts: customers.flatMap(({ cards = [] }) => cards).length,
    agreements: agreements.length + own,
    // Engagements exist under corporate agreements only: a private customer's own agreement has none.
    engagements: agreements.flatMap(({ engagements }) => engagements).length,
  };
}
