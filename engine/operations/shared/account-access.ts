import { isSessionLive, judgeAge, judgeLastSca, noConsent } from '../../core/access.ts';
import { Refusal } from '../../core/fault.ts';
import type { Instant } from '../../core/instant.ts';
import type { LocalDate } from '../../core/local-date.ts';
import type { Account } from '../../ledger/accounts.ts';
import { privateAgreementOf } from '../../ledger/agreements.ts';
import { accountsOfConsent, liveConsent } from '../../ledger/consents.ts';
import type { Reader } from '../../ledger/database.ts';
import { psuOfCustomer, type Psu } from '../../ledger/psus.ts';
import { findSession } from '../../ledger/sca-sessions.ts';
import type { PsuContext } from '../../ledger/tables.ts';
import { bankNow, type BankContext } from './bank-context.ts';
import { beginSca, type TppIdentity } from './begin-sca.ts';
import { CurableRefusal } from './curable-refusal.ts';
import { identifyPsu, type PsuReference } from './identify-psu.ts';
import { ScaNeeded } from './sca-needed.ts';

/** Who asks for account information, for whom, and where the PSU returns to when an SCA is needed. */
export interface AccountRequest {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly corporateId: string | null;
  readonly context: PsuContext | null;
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
}

/** What the request may read. */
export interface AccountAccess {
  readonly now: Instant;
  readonly customerId: number;
  /** The open accounts of the consent. */
  readonly accounts: readonly Account[];
  /** Whether the PSU had an SCA in the session of the request within the last hour. */
  readonly hasSession: boolean;
}

/**
 * Reads with the PSU's consent (rules.md A7, G8). Without one, or after 180 days: CONSENT_INVALID or CONSENT_EXPIRED with
 * an SCA that cures it, opened in a transaction of its own because a read must not write; HTTP_HEADER_REQUIRED when the
 * PSU could not come back from it. An unknown PSU: PSU_CREDENTIALS_INVALID; agreement: CORPORATE_ID_INVALID.
 */
export async function withAccess<T>(
  bank: BankContext,
  request: AccountRequest,
  work: (reader: Reader, access: AccountAccess) => Promise<T>,
): Promise<T> {
  try {
    return await bank.ledger.read(async (reader) => work(reader, await openAccess(bank, reader, request)));
  } catch (error) {
    if (error instanceof CurableRefusal) throw await offerSca(bank, request, error);
    throw error;
  }
}

/** One of the accounts of the consent, by the id of a path. Another: RESOURCE_UNKNOWN (interface: Errors). */
export function consentedAccount(access: AccountAccess, accountId: string): Account {
  const account = access.accounts.find(({ resource_id: id }) => id === accountId);
  if (account !== undefined) return account;
  const text = `The PSU has not opened an account ${accountId.slice(0, 80)} to this TPP. GET /v1/accounts lists those it has.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/** Transactions booked more than 90 days ago need a live session (rules.md A7). */
export function requireSessionFor(access: AccountAccess, earliest: LocalDate): void {
  const fault = access.hasSession ? null : judgeAge(earliest, access.now);
  if (fault !== null) throw new CurableRefusal(fault, access.customerId);
}

async function openAccess(bank: BankContext, reader: Reader, request: AccountRequest): Promise<AccountAccess> {
  const now = await bankNow(bank, reader);
  refuseAgreement(request.corporateId);
  const customer = await identifyPsu(reader, request.tpp.id, request.psu);
  const customerId = customer?.id ?? null;
  const psu = customer === null ? undefined : await psuOfCustomer(reader, request.tpp.id, customer.id);
  const consent = psu === undefined ? undefined : await consentOf(reader, psu);
  if (psu === undefined || consent === undefined) throw new CurableRefusal(noConsent, customerId);
  const lapse = judgeLastSca(psu.last_sca_at, now);
  if (lapse !== null) throw new CurableRefusal(lapse, customerId);
  const session = request.sessionId === null ? undefined : await findSession(reader, psu.id, request.sessionId);
  return {
    now,
    customerId: psu.customer_id,
    accounts: await accountsOfConsent(reader, consent.id),
    hasSession: session !== undefined && isSessionLive(session.started_at, now),
  };
}

/** A consent is given for an agreement; without PSU-Corporate-ID that is the PSU's own. */
async function consentOf(reader: Reader, psu: Psu) {
  const agreement = await privateAgreementOf(reader, psu.customer_id);
  return agreement === undefined ? undefined : liveConsent(reader, psu.id, agreement.id);
}

/** Until corporate context is served, no PSU-Corporate-ID is known. */
export function refuseAgreement(corporateId: string | null): void {
  if (corporateId === null) return;
  const text = `This TPP and PSU have no agreement ${corporateId.slice(0, 60)}. Leave PSU-Corporate-ID out for the PSU's own accounts.`;
  throw new Refusal({ code: 'CORPORATE_ID_INVALID', path: 'psu-corporate-id', text });
}

async function offerSca(bank: BankContext, request: AccountRequest, refusal: CurableRefusal): Promise<Refusal> {
  const { tpp, context, redirectUri, sessionId } = request;
  const [fault] = refusal.faults;
  if (redirectUri === null) {
    const text = `TPP-Redirect-URI is missing: with it this answer would carry scaRedirect. ${fault.text}`;
    return new Refusal({ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri', text });
  }
  const returnTo = { redirectUri, sessionId };
  const { customerId } = refusal;
  const scaId = await bank.ledger.write((tx) =>
    beginSca(bank, tx, { purpose: 'consent', payment: null, tpp, returnTo, customerId, context }),
  );
  return new ScaNeeded(fault, scaId);
}
