import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { type Account, accountsOfCustomer } from '../accounts/rows/accounts.ts';
import { type CardAccount, cardAccountsOfCustomer } from '../cards/rows/card-accounts.ts';
import { replaceConsent } from './rows/consents.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import type { Psu } from '../parties/rows/psus.ts';
import { tellConsents } from './end-consents.ts';
import type { Signer } from '../payments/sign-payment.ts';
import type { Customer } from '../parties/rows/customers.ts';
import { viewableAccounts } from '../accounts/rows/psu-roles.ts';
import type { Acting } from '../parties/acting.ts';

/** The accounts and cards that a PSU opens to a TPP. */
interface ChosenAccounts {
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

/**
 * Finds the wanted accounts (id, BBAN or IBAN) and cards (id, or masked number: all that have it) among those that the PSU
 * can share; null: all of these (rules.md D5). RESOURCE_UNKNOWN for one that the PSU cannot share (rules.md A4).
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

interface GrantedConsent {
  readonly psu: Psu;
  readonly signer: Signer;
  readonly chosen: ChosenAccounts;
  readonly now: Instant;
}

/**
 * Grants the consent of a PSU-ID under one agreement; it replaces the earlier one (rules.md A7). Without accounts and cards it only
 * ends the earlier one (A7c).
 */
export async function grantConsent(
  bank: BankContext,
  tx: Writer,
  { psu, signer: { acting }, chosen, now }: GrantedConsent,
): Promise<void> {
  const accountIds = chosen.accounts.map(({ id }) => id);
  const cardIds = chosen.cards.map(({ id }) => id);
  const { granted, ended } = await replaceConsent(
    tx,
    { psuKey: psu.id, agreementId: acting.agreement.id, accountIds, cardIds },
    now,
  );
  tellConsents(bank, 'ended', ended, now);
  tellConsents(bank, 'granted', granted, now);
}

/**
 * The accounts that a PSU can open to a TPP: in PRIVATE its own, in CORPORATE those of the agreement on which it has VIEW
 * (interface: What the service does, 9; rules.md A4d).
 */
export function shareableAccounts(reader: Reader, customer: Customer, acting: Acting): Promise<Account[]> {
  return acting.context === 'PRIVATE'
    ? accountsOfCustomer(reader, customer.id)
    : viewableAccounts(reader, acting.agreement.id, customer.id);
}

/** The card accounts that a PSU can open to a TPP: its own in PRIVATE; no card in CORPORATE. */
export function shareableCards(reader: Reader, customer: Customer, acting: Acting): Promise<CardAccount[]> {
  return acting.context === 'PRIVATE' ? cardAccountsOfCustomer(reader, customer.id) : Promise.resolve([]);
}
