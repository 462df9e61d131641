import { clip } from '../../core/clip.ts';
import { judgeAge, judgeLastSca, noConsent, noCorporateConsent } from '../../core/access.ts';
import { Refusal } from '../../core/fault.ts';
import type { Instant } from '../../core/instant.ts';
import type { LocalDate } from '../../core/local-date.ts';
import { judgeUnattendedPeriod } from '../../core/unattended-access.ts';
import type { Account } from '../../ledger/accounts.ts';
import { agreementsOfOwner } from '../../ledger/agreements.ts';
import { accountsOfConsent, liveConsent } from '../../ledger/consents.ts';
import type { Reader, Transaction } from '../../ledger/database.ts';
import { psuOfCustomer, type Psu } from '../../ledger/psus.ts';
import { bankNow, type BankContext } from './bank-context.ts';
import { CurableRefusal } from './curable-refusal.ts';
import { curing, type PsuRequest } from './curing.ts';
import { identifyPsu } from './identify-psu.ts';
import { hasLiveSession } from './live-session.ts';

/** Who asks for account information, for whom, and where the PSU returns to when an SCA is needed. */
export interface AccountRequest extends PsuRequest {
  /** Whether the PSU asked for it in real time, which PSU-IP-Address says (interface: SCA, 12). */
  readonly psuIsPresent: boolean;
}

/** What the request may read. */
export interface AccountAccess {
  readonly now: Instant;
  readonly customerId: number;
  /** The PSU as this TPP knows it. */
  readonly psuKey: number;
  readonly consentId: number;
  /** The agreement of PSU-Corporate-ID; null: the PSU's own accounts. */
  readonly agreementId: number | null;
  /** The open accounts of the consent. */
  readonly accounts: readonly Account[];
  /** Whether the PSU had an SCA in the session of the request within the last hour. */
  readonly hasSession: boolean;
  /** Where reads without the PSU are counted (rules.md A8); null: the PSU is present. */
  readonly counting: Transaction | null;
}

/**
 * Reads with the PSU's consent (rules.md A7, G8). Without one, or after 180 days: CONSENT_INVALID or CONSENT_EXPIRED with
 * an SCA that cures it. In corporate context the accounts are those of the agreement. An unknown PSU: PSU_CREDENTIALS_INVALID; agreement: CORPORATE_ID_INVALID.
 */
export async function withAccess<T>(
  bank: BankContext,
  request: AccountRequest,
  work: (reader: Reader, access: AccountAccess) => Promise<T>,
): Promise<T> {
  return curing(bank, request, 'consent', () =>
    request.psuIsPresent
      ? bank.ledger.read(async (reader) => work(reader, await openAccess(bank, reader, request, null)))
      : bank.ledger.write(async (tx) => work(tx, await openAccess(bank, tx, request, tx))),
  );
}

/** One of the accounts of the consent, by the id of a path. Another: RESOURCE_UNKNOWN (interface: Errors). */
export function consentedAccount(access: AccountAccess, accountId: string): Account {
  const account = access.accounts.find(({ resource_id: id }) => id === accountId);
  if (account !== undefined) return account;
  const text = `The PSU has not opened an account ${clip(accountId)} to this TPP. GET /v1/accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/** Transactions booked more than 90 days ago need a live session (rules.md A7), and the PSU: without it PERIOD_INVALID (A8). */
export function requireSessionFor(access: AccountAccess, earliest: LocalDate): void {
  const tooOld = access.counting === null ? null : judgeUnattendedPeriod(earliest, access.now);
  if (tooOld !== null) throw new Refusal(tooOld);
  const fault = access.hasSession ? null : judgeAge(earliest, access.now);
  if (fault !== null) throw new CurableRefusal(fault);
}

async function openAccess(
  bank: BankContext,
  reader: Reader,
  request: AccountRequest,
  counting: Transaction | null,
): Promise<AccountAccess> {
  const now = await bankNow(bank, reader);
  const { customer, agreement } = await identifyPsu(reader, request.tpp.id, request.psu);
  const agreementId = agreement?.id ?? null;
  // Without PSU-Corporate-ID a corporate request has chosen no agreement yet: the SCA is where it does.
  if (agreement === null && request.context === 'CORPORATE') throw new CurableRefusal(noCorporateConsent);
  const psu = customer === null ? undefined : await psuOfCustomer(reader, request.tpp.id, customer.id);
  const consent = psu === undefined ? undefined : await consentOf(reader, psu, agreementId);
  if (psu === undefined || consent === undefined) throw new CurableRefusal(noConsent);
  const lapse = judgeLastSca(psu.last_sca_at, now);
  if (lapse !== null) throw new CurableRefusal(lapse);
  return {
    now,
    customerId: psu.customer_id,
    psuKey: psu.id,
    consentId: consent.id,
    agreementId,
    accounts: await accountsOfConsent(reader, consent.id),
    hasSession: await hasLiveSession(reader, psu, request.sessionId, now),
    counting,
  };
}

/** A consent is given for an agreement; without PSU-Corporate-ID that is the PSU's own. */
async function consentOf(reader: Reader, psu: Psu, corporate: number | null) {
  const agreementId = corporate ?? (await agreementsOfOwner(reader, psu.customer_id))[0]?.id;
  return agreementId === undefined ? undefined : liveConsent(reader, psu.id, agreementId);
}
