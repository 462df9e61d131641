import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { replaceConsent } from './rows/consents.ts';
import type { Writer } from '../ledger/database.ts';
import type { Psu } from '../parties/rows/psus.ts';
import { tellConsents } from './tell-consents.ts';
import { shareableAccounts, shareableCards } from './shareable-accounts.ts';
import type { Signer } from '../payments/sign-payment.ts';

/** What a PSU opens to a TPP. */
export interface ChosenAccounts {
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

/**
 * Which of the accounts that the PSU can share are meant by these ids, BBANs or IBANs, a card by its id; null: all of them. An account
 * that is none of them: RESOURCE_UNKNOWN (rules.md A4).
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
  const known = new Set([...own.flatMap(names), ...cards.map((card) => card.resource_id)]);
  const stranger = wanted.find((name) => !known.has(name));
  if (stranger !== undefined) {
    const text = `The PSU has no account ${clip(stranger, 60)} to share in this context.`;
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', text });
  }
  return {
    accounts: own.filter((account) => names(account).some((name) => name !== null && wanted.includes(name))),
    cards: cards.filter((card) => wanted.includes(card.resource_id)),
  };
}

interface GrantedConsent {
  readonly psu: Psu;
  readonly signer: Signer;
  readonly chosen: ChosenAccounts;
  readonly now: Instant;
}

/** Opens accounts to the TPP of a PSU-ID, for one agreement: one consent for each (rules.md A7). */
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
  tellConsents(bank, 'granted', [granted], now);
}
