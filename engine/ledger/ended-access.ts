import type { Instant } from '../core/instant.ts';
import type { Transaction } from './database.ts';

/** Ends the consents to an account that cover no open account beside it (rules.md D2). The account is closed by now. */
export async function endConsentsLeftEmpty(tx: Transaction, accountId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('consent')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where('id', 'in', (eb) =>
      eb.selectFrom('consent_account').select('consent_id').where('account_id', '=', accountId),
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
    .execute();
}

/**
 * Ends what a deleted customer had opened (rules.md D2): its sessions, its consents and those under its agreements,
 * and the SCAs that wait for it.
 */
export async function endAccessOf(tx: Transaction, customerId: number, at: Instant): Promise<void> {
  const psus = tx.selectFrom('psu').select('id').where('customer_id', '=', customerId);
  const agreements = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  await tx
    .updateTable('sca_session')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where('psu_key', 'in', psus)
    .execute();
  await tx
    .updateTable('consent')
    .set({ ended_at: at })
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('psu_key', 'in', psus), eb('agreement_id', 'in', agreements)]))
    .execute();
  await tx
    .updateTable('sca')
    .set({ outcome: 'failed' })
    .where('outcome', 'is', null)
    .where('customer_id', '=', customerId)
    .execute();
}
