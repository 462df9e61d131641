import { createHmac } from 'node:crypto';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { type BankContext, bankTime, type Writing, writeBank, type Reading } from '../bank/bank-context.ts';
import { type Account, accountsHeldBy, viewableAccounts } from '../accounts/rows/accounts.ts';
import { type CardAccount, cardAccountsHeldBy, cardAccountsOfConsent } from '../cards/rows/cards.ts';
import {
  replaceConsent,
  inspectConsent,
  liveConsent,
  endLiveConsents,
  type EndingConsents,
  inspectConsents,
  type InspectedConsent,
  accountsOfConsent,
  reopenConsent,
} from './rows/consents.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import type { Psu } from '../parties/rows/psus.ts';
import type { Signer } from '../payments/sign-payment.ts';
import {
  type Customer,
  actingCustomer,
  type ActingCustomer,
  type PsuContext,
  customerByNumber,
  customersByKey,
} from '../parties/rows/customers.ts';
import { type Acting, chooseContext, contextsOf } from '../parties/acting.ts';
import { assert } from '../values/assert.ts';
import { rememberPsu } from '../parties/identify-psu.ts';

/** The accounts and cards that a PSU opens to a TPP. */
interface ChosenAccounts {
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

/**
 * Finds the wanted accounts (id, BBAN or IBAN) and cards (id, or masked number: all that have it) among those that the
 * PSU can share. Null chooses all of these (rules.md D5). RESOURCE_UNKNOWN for one that the PSU cannot share (rules.md
 * A4).
 */
export async function chosenAccounts(
  tx: Writer,
  { customer, acting }: Signer,
  wanted: readonly string[] | null,
): Promise<ChosenAccounts> {
  const own = await shareableAccounts(tx, customer, acting);
  const cards = await shareableCards(tx, customer, acting);
  if (wanted === null) return { accounts: own, cards };
  const names = (account: Account) => [account.resource_id, account.bban, account.iban];
  const cardNames = (card: CardAccount) => [card.resource_id, card.masked_pan];
  const known = new Set([...own.flatMap(names), ...cards.flatMap(cardNames)]);
  const unknown = wanted.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const text = `The PSU has no account ${clip(unknown, 60)} to share in this context.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', text });
  }
  return {
    accounts: own.filter((account) => names(account).some((name) => name !== null && wanted.includes(name))),
    cards: cards.filter((card) => cardNames(card).some((name) => wanted.includes(name))),
  };
}

/** Whether neither an account nor a card is chosen (rules.md A7c). */
export function isNothing({ accounts, cards }: ChosenAccounts): boolean {
  return accounts.length === 0 && cards.length === 0;
}

/**
 * Grants the consent of a PSU-ID under one agreement; it replaces the earlier one (rules.md A7). Without accounts and
 * cards it only ends the earlier one (A7c).
 */
export async function grantConsent(
  writing: Writing,
  psu: Psu,
  { acting }: Signer,
  chosen: ChosenAccounts,
): Promise<void> {
  const accountIds = chosen.accounts.map(({ id }) => id);
  const cardIds = chosen.cards.map(({ id }) => id);
  const consent = { psuKey: psu.id, agreementId: acting.agreement.id, accountIds, cardIds };
  const { granted, ended } = await replaceConsent(writing.tx, consent, writing.now);
  tellConsents(writing, 'ended', ended);
  tellConsents(writing, 'granted', granted);
}

/**
 * The accounts that a PSU can open to a TPP: in PRIVATE its own, in CORPORATE those of the agreement on which it has
 * VIEW (interface: What the service does, 9; rules.md A4d).
 */
export function shareableAccounts(reader: Reader, customer: Customer, acting: Acting): Promise<Account[]> {
  return acting.context === 'PRIVATE'
    ? accountsHeldBy(reader, [customer.id])
    : viewableAccounts(reader, acting.agreement.id, customer.id);
}

/** The card accounts that a PSU can open to a TPP: its own in PRIVATE; no card in CORPORATE. */
export function shareableCards(reader: Reader, customer: Customer, acting: Acting): Promise<CardAccount[]> {
  return acting.context === 'PRIVATE' ? cardAccountsHeldBy(reader, [customer.id]) : Promise.resolve([]);
}

interface ConsentGrant {
  /** The TPP's id (rules.md G8); may be one that has never called the bank. */
  readonly tppId: string;
  readonly psu: string;
  readonly context: PsuContext;
  readonly agreement: string | null;
  /** Ids, BBANs or IBANs. Null means every account that the PSU can share. */
  readonly accounts: readonly string[] | null;
}

/**
 * Grants a consent as the PSU can directly with the bank. It counts as an SCA, so the 180 days begin (rules.md A7;
 * interface: What the service does, 8); no TPP session begins. Unknown PSU: PSU_CREDENTIALS_INVALID; unknown account:
 * RESOURCE_UNKNOWN; none at all: FORMAT_ERROR.
 */
export function grantConsentDirectly(bank: BankContext, grant: ConsentGrant): Promise<ConsentView> {
  return writeBank(bank, async (writing) => {
    const { tx, now } = writing;
    const actor = await actingByNumber(tx, grant.psu);
    const { customer } = actor;
    const acting = chooseContext(contextsOf({ agreement_id: null, context: null, context_binds: 0 }, actor), grant);
    const signer = { customer, acting };
    const accounts = await chosenAccounts(tx, signer, grant.accounts);
    if (isNothing(accounts)) throw nothingGranted();
    const psu = await rememberPsu(bank, tx, { tppId: grant.tppId, customer, bySca: false, now });
    await grantConsent(writing, psu, signer, accounts);
    const live = await liveConsent(tx, { psuKey: psu.id, agreementId: acting.agreement.id });
    const consent = live === undefined ? undefined : await inspectConsent(tx, live.id);
    assert(consent !== undefined, 'the granted consent exists');
    return consentView(tx, consent);
  });
}

async function actingByNumber(reader: Reader, number: string): Promise<ActingCustomer> {
  const actor = await actingCustomer(reader, number);
  if (actor !== undefined) return actor;
  const text = `No PSU of this bank has the number ${number}. GET /sandbox/info lists the PSUs to try.`;
  throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu', text });
}

/** FORMAT_ERROR at `accounts`: a consent to nothing. */
export function nothingGranted(): Refusal {
  const text =
    'A consent opens at least one account or card, and this PSU has none in this context, or accounts names none. ' +
    'DELETE /sandbox/consents/{id} takes a consent away.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'accounts', text });
}

/** Announces that these consents, by key, were granted or ended. */
function tellConsents({ bank, now: at }: Reading, change: 'granted' | 'ended', consents: readonly number[]): void {
  for (const id of consents) bank.tell({ kind: 'consent', at, change, consentId: String(id) });
}

/**
 * Ends consents that a deletion affects, and announces it (rules.md D2). An open SCA stays, and fails when it is
 * answered.
 */
export async function endConsents(writing: Writing, ending: EndingConsents): Promise<void> {
  tellConsents(writing, 'ended', await endLiveConsents(writing.tx, ending, writing.now));
}

/**
 * Ends a consent as the PSU can directly with the bank; the TPP gets no notice (interface: What the service does, 8).
 * Unknown: NOT_FOUND.
 */
export function revokeConsent(bank: BankContext, consentId: string): Promise<ConsentView> {
  return writeBank(bank, async (writing) => {
    const id = /^\d{1,15}$/.test(consentId) ? Number(consentId) : 0;
    await endConsents(writing, { consentId: id });
    const consent = await inspectConsent(writing.tx, id);
    if (consent !== undefined) return consentView(writing.tx, consent);
    const text = `There is no consent ${clip(consentId)}. GET /sandbox/consents lists them.`;
    throw new Refusal({ code: 'NOT_FOUND', text });
  });
}

/** A consent as the control plane shows it. */
export interface ConsentView {
  readonly consent: InspectedConsent;
  /** Open accounts only. */
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

/** Lists every consent of every TPP, ended ones included (rules.md A7). `customerId`: those of this PSU alone. */
export function listConsents(bank: BankContext, customerId?: number): Promise<ConsentView[]> {
  return bank.ledger.read(async (reader) => {
    const views: ConsentView[] = [];
    for (const consent of await inspectConsents(reader, customerId)) views.push(await consentView(reader, consent));
    return views;
  });
}

async function consentView(reader: Reader, consent: InspectedConsent): Promise<ConsentView> {
  return {
    consent,
    accounts: await accountsOfConsent(reader, { consentId: consent.id }),
    cards: await cardAccountsOfConsent(reader, consent.id),
  };
}

/** A PSU with its consents, as its page of access shows them. */
interface ConsentsOfPsu {
  readonly psu: Customer;
  /** The latest first. An ended consent is left out if a later one of the same TPP and agreement replaced it. */
  readonly consents: readonly ConsentView[];
}

/**
 * The id of the page of access of a PSU (rules.md A7e): nobody can guess it, and it stays the same until the bank is
 * reset. Returns null if the bank has no such PSU.
 */
export async function accessIdOf(bank: BankContext, customerNumber: string): Promise<string | null> {
  const psu = await bank.ledger.read((reader) => customerByNumber(reader, customerNumber));
  return psu?.type === 'private' ? idOf(await accessKey(bank), psu) : null;
}

/** It begins with the key of the customer, which finds it. */
function idOf(key: string, { id }: Customer): string {
  return `${id}.${createHmac('sha256', key).update(`page of access of ${id}`).digest('base64url')}`;
}

/** The secret of the bank's pages of access, until its next reset. */
async function accessKey(bank: BankContext): Promise<string> {
  return (await bank.ledger.read((reader) => bankTime(bank, reader))).state.access_key;
}

/** The PSU of a page of access, or undefined if no PSU has this id. */
export async function psuOfAccess(bank: BankContext, id: string): Promise<Customer | undefined> {
  const key = Number(/^(\d{1,15})\./.exec(id)?.[1] ?? 0);
  const psu = (await bank.ledger.read((reader) => customersByKey(reader, [key]))).get(key);
  const isThere = psu?.type === 'private' && psu.deleted_at === null;
  return isThere && idOf(await accessKey(bank), psu) === id ? psu : undefined;
}

/** The PSU and consents of a page of access. Unknown id: NOT_FOUND. */
export async function readAccess(bank: BankContext, id: string): Promise<ConsentsOfPsu> {
  const psu = await psuOfAccess(bank, id);
  if (psu === undefined) throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such page.' });
  const own = await listConsents(bank, psu.id);
  const latest = new Map(own.map((view) => [`${view.consent.tpp_id} ${view.consent.agreement_id}`, view]));
  return { psu, consents: [...latest.values()].toSorted((one, other) => other.consent.id - one.consent.id) };
}

/**
 * Gives a consent again that has ended, without prolonging it (rules.md A7e). CONFLICT if it is live, replaced or opens
 * nothing.
 */
export function giveAgain(bank: BankContext, { consent: { id }, accounts, cards }: ConsentView): Promise<void> {
  return writeBank(bank, async (writing) => {
    const isPossible = accounts.length + cards.length > 0 && (await reopenConsent(writing.tx, id));
    const text = 'This access cannot be given again. The TPP must ask for a new consent.';
    if (!isPossible) throw new Refusal({ code: 'CONFLICT', text });
    tellConsents(writing, 'granted', [id]);
  });
}
