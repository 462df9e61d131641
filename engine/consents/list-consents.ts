import { inspectConsents, type InspectedConsent, accountsOfConsent } from './rows/consents.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { type CardAccount, cardAccountsOfConsent } from '../cards/rows/card-accounts.ts';
import type { Reader } from '../ledger/database.ts';

/** A consent as the control plane shows it. */
export interface ConsentView {
  readonly consent: InspectedConsent;
  /** Open accounts only. */
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

/** Lists every consent of every TPP and PSU, ended ones included (rules.md A7). */
export function listConsents(bank: BankContext): Promise<ConsentView[]> {
  return bank.ledger.read(async (reader) => {
    const views: ConsentView[] = [];
    for (const consent of await inspectConsents(reader)) views.push(await consentView(reader, consent));
    return views;
  });
}

export async function consentView(reader: Reader, consent: InspectedConsent): Promise<ConsentView> {
  return {
    consent,
    accounts: await accountsOfConsent(reader, consent.id),
    cards: await cardAccountsOfConsent(reader, consent.id),
  };
}
