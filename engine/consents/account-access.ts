import { clip } from '../values/text.ts';
import {
  accessDays,
  checkAge,
  checkFullHistory,
  checkLastSca,
  type FullHistory,
  noConsent,
  noCorporateConsent,
  revokedConsent,
} from '../parties/rules/access.ts';
import { Refusal } from '../values/fault.ts';
import { LedgerUnavailable } from '../ledger/ledger-condition.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import {
  countedSince,
  checkUnattendedPeriod,
  checkUnattendedRead,
  type CountedRead,
} from './rules/unattended-access.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import {
  accountsOfConsent,
  hasEndedConsent,
  insertUnattendedRead,
  liveConsent,
  ownConsent,
  saveUse,
  unattendedReads,
} from './rows/consents.ts';
import type { Writer } from '../ledger/database.ts';
import type { Psu } from '../parties/rows/psus.ts';
import { hasLiveSession } from '../parties/session.ts';
import { type BankContext, type PresentReading, writeBank, readBank } from '../bank/bank-context.ts';
import { identifyPsu } from '../parties/identify-psu.ts';
import { offeringSca, scaRequired, type PsuRequest } from './sca-required.ts';

export interface AccountRequest extends PsuRequest {
  /** Whether PSU-IP-Address was sent: the PSU asks in real time (interface: SCA, 12). */
  readonly psuIsPresent: boolean;
}

/** The consent of a request and what it covers, in the transaction of the request. */
export interface AccountAccess extends PresentReading {
  /** The PSU as this TPP knows it. */
  readonly psu: Psu;
  /** TPP-Session-ID of the request. */
  readonly sessionId: string | null;
  readonly consentId: number;
  /** The last bank day on which it was used. */
  readonly usedOn: LocalDate | null;
  /** It is null if old transactions need a live session (rules.md A7). */
  readonly fullHistory: FullHistory | null;
  /** The open accounts of the consent. */
  readonly accounts: readonly Account[];
  /** The transaction that counts reads without the PSU (rules.md A8). Null if the PSU is present. */
  readonly counting: Writer | null;
}

/**
 * Runs `work` with the PSU's consent (rules.md A7, G8); under an agreement the consent is the agreement's. Without
 * consent CONSENT_INVALID, after 180 days (quirk consent-days) CONSENT_EXPIRED, both with an SCA that gives a new one;
 * after a revocation under the quirk revoked-403 CONSENT_UNKNOWN. Unknown PSU: PSU_CREDENTIALS_INVALID; unknown
 * agreement: CORPORATE_ID_INVALID.
 */
export async function withAccess<T>(
  bank: BankContext,
  request: AccountRequest,
  work: (access: AccountAccess) => Promise<T>,
): Promise<T> {
  return offeringSca(bank, request, 'consent', async () => {
    const within = async (
      reading: PresentReading,
      counting: Writer | null,
    ): Promise<{ access: AccountAccess; done: T }> => {
      const access = await openAccess(reading, request, counting);
      const done = await work(access);
      if (counting !== null && isFirstOfDay(access)) await noteUse(counting, access);
      return { access, done };
    };
    if (!request.psuIsPresent) return (await writeBank(bank, (writing) => within(writing, writing.tx))).done;
    const { access, done } = await readBank(bank, (reading) => within(reading, null));
    if (isFirstOfDay(access)) await bank.ledger.write((tx) => noteUse(tx, access)).catch(ifUnavailable);
    return done;
  });
}

/** Notes the first read of a bank day, for the page of access (rules.md A7e). */
function noteUse(tx: Writer, { consentId, now }: AccountAccess): Promise<void> {
  return saveUse(tx, consentId, osloDate(now));
}

function isFirstOfDay({ usedOn, now }: AccountAccess): boolean {
  return usedOn !== osloDate(now);
}

/** A ledger that takes no write now refuses no read. */
function ifUnavailable(error: unknown): void {
  if (!(error instanceof LedgerUnavailable)) throw error;
}

/** Finds the account of a path in the consent. Another: RESOURCE_UNKNOWN (interface: Errors). */
export function consentedAccount(access: AccountAccess, accountId: string): Account {
  const account = access.accounts.find(({ resource_id: id }) => id === accountId);
  if (account !== undefined) return account;
  const text = `The PSU has not opened an account ${clip(accountId)} to this TPP. GET /v1/accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/**
 * Transactions booked more than 90 days ago need a live session, else CONSENT_INVALID with an SCA (rules.md A7), and
 * the PSU's presence, else PERIOD_INVALID (A8). Under the quirk full-history they need a young consent instead of the
 * session, else PERIOD_INVALID (Q10b). `asOf` is the time of the list's first page: later pages need what the first one
 * needed (A9c).
 */
export async function requireSessionFor(
  access: AccountAccess,
  earliest: LocalDate,
  asOf: Instant = access.now,
): Promise<void> {
  const { reader, counting, fullHistory, psu, sessionId } = access;
  const tooOld = counting === null ? null : checkUnattendedPeriod(earliest, asOf);
  if (tooOld !== null) throw new Refusal(tooOld);
  if (fullHistory !== null) {
    const tooLate = checkFullHistory(earliest, asOf, fullHistory);
    if (tooLate !== null) throw new Refusal(tooLate);
    return;
  }
  const fault = checkAge(earliest, asOf);
  if (fault !== null && !(await hasLiveSession(reader, psu, sessionId, access))) throw scaRequired(fault);
}

/**
 * Without the PSU, CONSENT_EXPIRED with an SCA when its last SCA with this TPP is longer ago than the details of a
 * transaction are open (quirk details-days, rules.md Q10f).
 */
export function requireDetailsOpen({ bank, counting, psu, now }: AccountAccess): void {
  const days = counting === null ? undefined : bank.quirks.get('details-days');
  const lapse = days === undefined ? null : checkLastSca(psu.last_sca_at, now, days);
  if (lapse !== null) throw scaRequired(lapse);
}

/**
 * Counts one read of an account or card account without the PSU; the fifth of its kind in 24 hours is ACCESS_EXCEEDED
 * (rules.md A8). Counts nothing when the PSU is present. A later refusal rolls the count back with its transaction.
 */
export async function countRead(
  { counting, psu, now }: AccountAccess,
  account: { readonly resource_id: string },
  kind: CountedRead,
): Promise<void> {
  if (counting === null) return;
  const counted = { psuKey: psu.id, accountId: account.resource_id, kind };
  const fault = checkUnattendedRead(kind, await unattendedReads(counting, counted, countedSince(now)), now);
  if (fault !== null) throw new Refusal(fault);
  await insertUnattendedRead(counting, counted, now);
}

async function openAccess(
  reading: PresentReading,
  request: AccountRequest,
  counting: Writer | null,
): Promise<AccountAccess> {
  const { bank, reader, now } = reading;
  const { psu, agreement } = await identifyPsu(reader, request.tpp.id, request.psu);
  // A CORPORATE request without PSU-Corporate-ID: the PSU chooses the agreement in the SCA.
  if (agreement === null && request.context === 'CORPORATE') throw scaRequired(noCorporateConsent);
  if (psu === null) throw scaRequired(noConsent);
  const consent = await (agreement === null
    ? ownConsent(reader, { psuKey: psu.id, customerId: psu.customer_id })
    : liveConsent(reader, { psuKey: psu.id, agreementId: agreement.id }));
  if (consent === undefined) {
    const isRevoked = bank.quirks.has('revoked-403') && (await hasEndedConsent(reader, psu, agreement?.id ?? null));
    throw isRevoked ? new Refusal(revokedConsent) : scaRequired(noConsent);
  }
  const lapse = checkLastSca(psu.last_sca_at, now, bank.quirks.get('consent-days') ?? accessDays);
  if (lapse !== null) throw scaRequired(lapse);
  const accounts = await accountsOfConsent(reader, { consentId: consent.id });
  const length = bank.quirks.get('full-history');
  const fullHistory = length === undefined ? null : { grantedAt: consent.granted_at, length };
  return {
    ...reading,
    psu,
    sessionId: request.sessionId,
    consentId: consent.id,
    usedOn: consent.used_on,
    fullHistory,
    accounts,
    counting,
  };
}
