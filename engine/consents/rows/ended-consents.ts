import type { Instant } from '../../values/instant.ts';
import type { Writer } from '../../ledger/database.ts';

/** The closed account or card account, by its key. */
export type Closed = { readonly accountId: number } | { readonly cardAccountId: number };

/** The consents that an update ends, all that are live unless it is narrowed: each end returns the keys of those that it ended. */
function ending(tx: Writer, at: Instant) {
  return tx.updateTable('consent').set({ ended_at: at }).where('ended_at', 'is', null).returning('id');
}

function keysOf(ended: readonly { readonly id: number }[]): number[] {
  return ended.map(({ id }) => id);
}

/** Ends a consent. An ended consent keeps its end. Returns the keys of those that end. */
export async function endConsent(tx: Writer, id: number, at: Instant): Promise<number[]> {
  return keysOf(await ending(tx, at).where('id', '=', id).execute());
}

/** Ends the live consent of a PSU under an agreement, and returns its key. */
export async function endConsentOf(
  tx: Writer,
  { psuKey, agreementId }: { readonly psuKey: number; readonly agreementId: number },
  at: Instant,
): Promise<number[]> {
  return keysOf(await ending(tx, at).where('psu_key', '=', psuKey).where('agreement_id', '=', agreementId).execute());
}

/** Ends the consents to an account or card that cover nothing else open, and returns their keys. Call it after the closing. */
export async function endConsentsLeftEmpty(tx: Writer, closed: Closed, at: Instant): Promise<number[]> {
  const ended = ending(tx, at)
    .where('id', 'in', (eb) =>
      'accountId' in closed
        ? eb.selectFrom('consent_account').select('consent_id').where('account_id', '=', closed.accountId)
        : eb.selectFrom('consent_card').select('consent_id').where('card_account_id', '=', closed.cardAccountId),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('consent_account')
            .innerJoin('account', 'account.id', 'consent_account.account_id')
            .select('account.id')
            .whereRef('consent_account.consent_id', '=', 'consent.id')
            .where('account.closed_at', 'is', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('consent_card')
            .innerJoin('card_account', 'card_account.id', 'consent_card.card_account_id')
            .select('card_account.id')
            .whereRef('consent_card.consent_id', '=', 'consent.id')
            .where('card_account.closed_at', 'is', null),
        ),
      ),
    );
  return keysOf(await ended.execute());
}

/** Ends the consents of a deleted customer and those under its agreements, and returns their keys. */
export async function endConsentsOf(tx: Writer, customerId: number, at: Instant): Promise<number[]> {
  const psus = tx.selectFrom('psu').select('id').where('customer_id', '=', customerId);
  const agreements = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  const ended = ending(tx, at).where((eb) => eb.or([eb('psu_key', 'in', psus), eb('agreement_id', 'in', agreements)]));
  return keysOf(await ended.execute());
}

/** Ends the consents under a deleted agreement, and returns their keys. */
export async function endConsentsUnder(tx: Writer, agreementId: number, at: Instant): Promise<number[]> {
  return keysOf(await ending(tx, at).where('agreement_id', '=', agreementId).execute());
}
