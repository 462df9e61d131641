import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { type Given, prepared, preparedOne, type RowFrom } from '../../ledger/queries.ts';
import type { Psu } from '../../parties/rows/psus.ts';
import type { CountedRead } from '../rules/unattended-access.ts';

/** The live consent of a PSU to one TPP for one agreement (rules.md A7). */
export const liveConsent = preparedOne(
  (db: Reader, { psuKey, agreementId }: Given<{ psuKey: number; agreementId: number }>) =>
    liveConsents(db, psuKey).where('agreement_id', '=', agreementId),
);

/** The live consent of a PSU to one TPP for its own accounts, which are under its own agreement. */
export const ownConsent = preparedOne(
  (db: Reader, { psuKey, customerId }: Given<{ psuKey: number; customerId: number }>) =>
    liveConsents(db, psuKey).where('agreement_id', '=', ({ selectFrom }) =>
      selectFrom('agreement')
        .select('id')
        .where('owner_id', '=', customerId)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(1),
    ),
);

/** Whether a consent of a PSU to one TPP has ended: under an agreement, or for its own accounts (null). */
export async function hasEndedConsent(
  reader: Reader,
  psu: Pick<Psu, 'id' | 'customer_id'>,
  agreementId: number | null,
): Promise<boolean> {
  const found = await reader
    .selectFrom('consent')
    .innerJoin('agreement', 'agreement.id', 'consent.agreement_id')
    .select('consent.id')
    .where('psu_key', '=', psu.id)
    .where('ended_at', 'is not', null)
    .$if(agreementId === null, (consents) => consents.where('agreement.owner_id', '=', psu.customer_id))
    .$if(agreementId !== null, (consents) => consents.where('agreement.id', '=', agreementId))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function liveConsents(reader: Reader, psuKey: RawBuilder<number>) {
  return reader.selectFrom('consent').selectAll().where('psu_key', '=', psuKey).where('ended_at', 'is', null);
}

/** The open accounts that a consent covers. */
export const accountsOfConsent = prepared((db: Reader, { consentId }: Given<{ consentId: number }>) =>
  db
    .selectFrom('consent_account')
    .innerJoin('account', 'account.id', 'consent_account.account_id')
    .selectAll('account')
    .where('consent_account.consent_id', '=', consentId)
    .where('account.closed_at', 'is', null)
    .orderBy('account.id'),
);

/**
 * Inserts a consent to exactly these accounts and cards, and ends the earlier one (interface: SCA, Consent flow).
 * Without accounts and cards it inserts no consent (rules.md A7c). Returns the keys of both.
 */
export async function replaceConsent(
  tx: Writer,
  granted: {
    readonly psuKey: number;
    readonly agreementId: number;
    readonly accountIds: readonly number[];
    readonly cardIds: readonly number[];
  },
  at: Instant,
): Promise<{ readonly granted: number[]; readonly ended: number[] }> {
  const { psuKey, agreementId } = granted;
  const ended = await endLiveConsents(tx, { agreementId, psuKey }, at);
  if (granted.accountIds.length === 0 && granted.cardIds.length === 0) return { granted: [], ended };
  const { id } = await tx
    .insertInto('consent')
    .values({ psu_key: psuKey, agreement_id: agreementId, granted_at: at, ended_at: null, used_on: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = granted.accountIds.map((accountId) => ({ consent_id: id, account_id: accountId }));
  if (rows.length > 0) await tx.insertInto('consent_account').values(rows).execute();
  const cards = granted.cardIds.map((cardId) => ({ consent_id: id, card_account_id: cardId }));
  if (cards.length > 0) await tx.insertInto('consent_card').values(cards).execute();
  return { granted: [id], ended };
}

/** Reads with the same key are counted together (rules.md A8). `psuKey` stands for one PSU of one TPP. */
interface CountedAccess {
  readonly psuKey: number;
  /** The resource_id of an account or a card account. */
  readonly accountId: string;
  readonly kind: CountedRead;
}

/**
 * The instants of the reads after `since`, the earliest first. Deletes older reads of the account, which no longer
 * count.
 */
export async function unattendedReads(
  tx: Writer,
  { psuKey, accountId, kind }: CountedAccess,
  since: Instant,
): Promise<Instant[]> {
  await tx
    .deleteFrom('unattended_read')
    .where('psu_key', '=', psuKey)
    .where('account_id', '=', accountId)
    .where('at', '<=', since)
    .execute();
  const rows = await tx
    .selectFrom('unattended_read')
    .select('at')
    .where('psu_key', '=', psuKey)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}

/** Notes a read without the PSU: four a day are allowed (rules.md A8). */
export async function insertUnattendedRead(
  tx: Writer,
  { psuKey, accountId, kind }: CountedAccess,
  at: Instant,
): Promise<void> {
  await tx.insertInto('unattended_read').values({ psu_key: psuKey, account_id: accountId, kind, at }).execute();
}

/** A consent with its TPP, PSU and agreement. */
export type InspectedConsent = RowFrom<typeof inspectedConsents>;

/**
 * Every consent, ended ones included, in the order in which they were granted; with a key of a customer those that it
 * has given.
 */
export function inspectConsents(reader: Reader, customerId?: number): Promise<InspectedConsent[]> {
  return inspectedConsents(reader)
    .$if(customerId !== undefined, (all) => all.where('psu.customer_id', '=', customerId ?? 0))
    .orderBy('consent.id')
    .execute();
}

/** A consent by its key. Undefined if there is none. */
export function inspectConsent(reader: Reader, id: number): Promise<InspectedConsent | undefined> {
  return inspectedConsents(reader).where('consent.id', '=', id).executeTakeFirst();
}

function inspectedConsents(reader: Reader) {
  return reader
    .selectFrom('consent')
    .innerJoin('psu', 'psu.id', 'consent.psu_key')
    .innerJoin('customer', 'customer.id', 'psu.customer_id')
    .innerJoin('agreement', 'agreement.id', 'consent.agreement_id')
    .innerJoin('customer as owner', 'owner.id', 'agreement.owner_id')
    .select(({ selectFrom }) =>
      // The name is that of the certificate of the TPP's latest SCA.
      selectFrom('sca')
        .select('tpp_name')
        .whereRef('sca.tpp_id', '=', 'psu.tpp_id')
        .orderBy('sca.id', 'desc')
        .limit(1)
        .as('tpp_name'),
    )
    .select([
      'consent.id',
      'consent.granted_at',
      'consent.ended_at',
      'consent.used_on',
      'psu.tpp_id',
      'psu.psu_id',
      'psu.last_sca_at',
      'customer.customer_number',
      'customer.name as customer_name',
      'agreement.resource_id as agreement_id',
      'agreement.name as agreement_name',
      'owner.type as owner_type',
    ]);
}

/**
 * Which live consents end (rules.md D2): one; those under an agreement, or that of one PSU; a customer's own and those
 * under its agreements; those that cover nothing open besides a closed account or card.
 */
export type EndingConsents =
  | { readonly consentId: number }
  | { readonly agreementId: number; readonly psuKey?: number }
  | { readonly customerId: number }
  | { readonly accountId: number }
  | { readonly cardAccountId: number };

/** Ends these consents, and returns their keys. An ended consent keeps its end. Call it after a closing. */
export async function endLiveConsents(tx: Writer, ending: EndingConsents, at: Instant): Promise<number[]> {
  const live = tx.updateTable('consent').set({ ended_at: at }).where('ended_at', 'is', null).where(areEnding(ending));
  return (await live.returning('id').execute()).map(({ id }) => id);
}

/** Notes the bank day of a read with a consent. */
export async function saveUse(tx: Writer, id: number, day: LocalDate): Promise<void> {
  await tx.updateTable('consent').set({ used_on: day }).where('id', '=', id).execute();
}

/** Opens an ended consent again, unless the PSU has given another one to the same TPP. Returns whether it did. */
export async function reopenConsent(tx: Writer, id: number): Promise<boolean> {
  const reopened = await tx
    .updateTable('consent')
    .set({ ended_at: null })
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .where(
      sql<SqlBool>`not exists (select 1 from consent c where c.psu_key = consent.psu_key and c.agreement_id = consent.agreement_id and c.id > consent.id)`,
    )
    .returning('id')
    .execute();
  return reopened.length > 0;
}

function areEnding(ending: EndingConsents): RawBuilder<SqlBool> {
  if ('consentId' in ending) return sql`id = ${ending.consentId}`;
  if ('agreementId' in ending) {
    const { agreementId, psuKey } = ending;
    return sql`agreement_id = ${agreementId}${psuKey === undefined ? sql`` : sql` and psu_key = ${psuKey}`}`;
  }
  if ('customerId' in ending) {
    return sql`(psu_key in (select id from psu where customer_id = ${ending.customerId})
      or agreement_id in (select id from agreement where owner_id = ${ending.customerId}))`;
  }
  const covering =
    'accountId' in ending
      ? sql`select consent_id from consent_account where account_id = ${ending.accountId}`
      : sql`select consent_id from consent_card where card_account_id = ${ending.cardAccountId}`;
  return sql`id in (${covering})
    and not exists (select 1 from consent_account c join account a on a.id = c.account_id
      where c.consent_id = consent.id and a.closed_at is null)
    and not exists (select 1 from consent_card c join card_account a on a.id = c.card_account_id
      where c.consent_id = consent.id and a.closed_at is null)`;
}
