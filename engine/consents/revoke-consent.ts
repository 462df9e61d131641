import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { endConsent, inspectConsent } from './rows/consent-inspection.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { tellConsents } from './tell-consents.ts';
import { consentView, type ConsentView } from './list-consents.ts';

/** Ends a consent as the PSU can directly with the bank; the TPP gets no notice (interface: What the service does, 8). Unknown: NOT_FOUND. */
export function revokeConsent(bank: BankContext, consentId: string): Promise<ConsentView> {
  return bank.ledger.write(async (tx) => {
    const id = /^\d{1,15}$/.test(consentId) ? Number(consentId) : 0;
    const now = await bankNow(bank, tx);
    tellConsents(bank, 'ended', await endConsent(tx, id, now), now);
    const consent = await inspectConsent(tx, id);
    if (consent !== undefined) return consentView(tx, consent);
    const text = `There is no consent ${clip(consentId)}. GET /sandbox/consents lists them.`;
    throw new Refusal({ code: 'NOT_FOUND', text });
  });
}
