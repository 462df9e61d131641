import type { Instant } from '../../values/instant.ts';
import type { Writer } from '../../ledger/database.ts';

/** What was closed: an account or a card account. */
export type Closed = { readonly accountId: number } | { readonly cardAccountId: number };

/** Ends the consents to an account or card that cover nothing open beside it (rules.md D2), which is closed by now. Their keys. */
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
 * Ends what a deleted customer had opened (rules.md D2): its sessions, its consents and those under its agreements, whose keys it returns. An SCA
 * that waits for it fails when it is answered, because nobody is that PSU any more.
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

/** Removes the signing baskets of a deleted customer, so that the payments in them wait for nobody (rules.md D2). */
export async function removeBasketsOf(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('signing_basket')
    .set({ expires_at: at })
    .where('customer_id', '=', customerId)
    .where('signed_at', 'is', null)
    .where('expires_at', '>', at)
    .execute();
}

/** Ends the consents under a deleted agreement (rules.md D2), whose keys it returns; nobody can act under it in an SCA that waits for it. */
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
