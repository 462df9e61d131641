import type { Instant } from '../../values/instant.ts';
import type { Writer } from '../../ledger/database.ts';

/** The closed account or card account, by its key. */
export type Closed = { readonly accountId: number } | { readonly cardAccountId: number };

/**
 * Ends the consents to an account or card that cover nothing else open (rules.md D2), and returns their keys. Call it after
 * the closing.
 */
export async function endConsentsLeftEmpty(tx: Writer, closed: Closed, at: Instant): Promise<number[]> {
  const ended = await tx
    .updateTable('consent')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
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
    )
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/**
 * Ends the sessions and consents of a deleted customer, and the consents under its agreements (rules.md D2); returns
 * the keys of the consents. An open SCA
 * of the customer stays, and fails when it is answered: the PSU is unknown then.
 */
export async function endAccessOf(tx: Writer, customerId: number, at: Instant): Promise<number[]> {
  const psus = tx.selectFrom('psu').select('id').where('customer_id', '=', customerId);
  const agreements = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  await tx
    .updateTable('sca_session')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where('psu_key', 'in', psus)
    .execute();
  const ended = await tx
    .updateTable('consent')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('psu_key', 'in', psus), eb('agreement_id', 'in', agreements)]))
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** Expires the open signing baskets of a deleted customer, so that their payments are no longer blocked (rules.md D2). */
export async function removeBasketsOf(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('signing_basket')
    .set({ expires_at: at })
    .where('customer_id', '=', customerId)
    .where('signed_at', 'is', null)
    .where('expires_at', '>', at)
    .execute();
}

/** Ends the consents under a deleted agreement (rules.md D2), and returns their keys. An open SCA for it fails when it is answered. */
export async function endAccessUnder(tx: Writer, agreementId: number, at: Instant): Promise<number[]> {
  const ended = await tx
    .updateTable('consent')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where('agreement_id', '=', agreementId)
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}
