import { type BankContext, bankNow } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import { endLiveConsents, type EndingConsents, inspectConsent } from './rows/consents.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { consentView, type ConsentView } from './list-consents.ts';

/** Announces that these consents, by key, were granted or ended. */
export function tellConsents(
  bank: BankContext,
  change: 'granted' | 'ended',
  consents: readonly number[],
  at: Instant,
): void {
  for (const id of consents) bank.tell({ kind: 'consent', at, change, consentId: String(id) });
}

/** Ends consents that a deletion affects, and announces it (rules.md D2). An open SCA stays, and fails when it is answered. */
export async function endConsents(bank: BankContext, tx: Writer, ending: EndingConsents, at: Instant): Promise<void> {
  tellConsents(bank, 'ended', await endLiveConsents(tx, ending, at), at);
}

/** Ends a consent as the PSU can directly with the bank; the TPP gets no notice (interface: What the service does, 8). Unknown: NOT_FOUND. */
export function revokeConsent(bank: BankContext, consentId: string): Promise<ConsentView> {
  return bank.ledger.write(async (tx) => {
    const id = /^\d{1,15}$/.test(consentId) ? Number(consentId) : 0;
    const now = await bankNow(bank, tx);
    await endConsents(bank, tx, { consentId: id }, now);
    const consent = await inspectConsent(tx, id);
    if (consent !== undefined) return consentView(tx, consent);
    const text = `There is no consent ${clip(consentId)}. GET /sandbox/consents lists them.`;
    throw new Refusal({ code: 'NOT_FOUND', text });
  });
}
