import { sql, type Kysely } from 'kysely';

/**
 * Whether a PSU is known to a TPP by an SCA, not by a direct grant alone. An older ledger shows it by a session, a signature
 * or an approved SCA that waited for this PSU; a PSU without any of them counts as known from its next SCA on. An SCA gets a
 * mark for a PSU-Context that is the only one to choose. A consent to nothing, which was granted until now, ends as it began.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table psu add column known_by_sca integer not null default 0`.execute(db);
  await sql`update psu set known_by_sca = 1 where
    exists (select 1 from sca_session s where s.psu_key = psu.id)
    or exists (select 1 from signature g join payment p on p.id = g.payment_id
      where g.customer_id = psu.customer_id and p.tpp_id = psu.tpp_id)
    or exists (select 1 from sca where sca.customer_id = psu.customer_id and sca.tpp_id = psu.tpp_id
      and sca.outcome = 'approved')`.execute(db);
  await sql`alter table sca add column context_binds integer not null default 0`.execute(db);
  await sql`update consent set ended_at = granted_at where ended_at is null
    and not exists (select 1 from consent_account a where a.consent_id = consent.id)
    and not exists (select 1 from consent_card c where c.consent_id = consent.id)`.execute(db);
}
