import { assert } from '../values/assert.ts';
import type { Currency } from '../values/currency.ts';
import type { Instant } from '../values/instant.ts';
import { parseSandboxAmount } from '../values/money.ts';
import { accountByNumber } from '../accounts/rows/accounts.ts';
import { type NewEngagement, openAgreement } from '../parties/open-agreement.ts';
import { beginState, type StartingPoint } from '../bank/change-state.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import type { Writer } from '../ledger/database.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { KnownAccount, KnownAgreement, KnownCard, KnownState } from '../bank/known-state.ts';
import { openAccount } from '../accounts/open-account.ts';
import { openCardAccount } from '../cards/open-card-account.ts';
import { openCustomer } from '../parties/open-customer.ts';

/** Fills an empty ledger with the clock, then customers, accounts and agreements in the order of the known state. */
export async function createKnownState(
  bank: BankContext,
  tx: Writer,
  knownState: KnownState,
  start: StartingPoint,
): Promise<void> {
  await beginState(bank, tx, knownState, { ...start, since: start.since ?? bank.steady.now() });
  for (const known of knownState.customers) {
    const customer = await openCustomer(bank.ids, tx, known);
    for (const account of known.accounts) await createAccount(bank, tx, customer.id, account, start.now);
    for (const card of known.cards ?? []) await createCard(bank, tx, customer.id, card);
  }
  for (const agreement of knownState.agreements) await createAgreement(bank, tx, agreement);
}

async function createAccount(
  bank: BankContext,
  tx: Writer,
  customerId: number,
  known: KnownAccount,
  now: Instant,
): Promise<void> {
  const account = {
    customerId,
    name: known.accountName,
    bban: known.bban,
    iban: known.iban,
    currency: known.currency,
    product: known.product,
    cashAccountType: known.cashAccountType,
    creditLine: minorOf(known.creditLine ?? null, known.currency),
    openingBalance: minorOf(known.balance, known.currency),
    kidAgreement: known.kidAgreement ?? null,
    signaturesRequired: known.signaturesRequired ?? 1,
    paymentsAllowed: known.paymentsAllowed ?? true,
  };
  await openAccount(bank.ids, tx, account, now);
}

async function createCard(bank: BankContext, tx: Writer, customerId: number, known: KnownCard): Promise<void> {
  await openCardAccount(bank.ids, tx, {
    customerId,
    maskedPan: known.maskedPan,
    name: known.name,
    product: known.product,
    currency: known.currency,
    creditLimit: minorOf(known.creditLimit, known.currency),
    openingBalance: minorOf(known.balance, known.currency),
    details: {},
  });
}

function minorOf(decimal: string | null, currency: Currency): bigint {
  if (decimal === null) return 0n;
  const amount = parseSandboxAmount(decimal, currency);
  assert(typeof amount !== 'string', `the known state has the amount ${decimal} ${currency}: ${String(amount)}`);
  return amount.minor;
}

async function createAgreement(bank: BankContext, tx: Writer, known: KnownAgreement): Promise<void> {
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
