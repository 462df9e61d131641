import type { Bank } from '../../engine/open-bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { people, type Person, tpp } from './payments.ts';

export const otherTpp = { id: 'PSDNO-FSA-111111111', name: 'Other TPP' };

/** A request that names nobody, with a return address and a session. */
export const stranger: AccountRequest = {
  tpp,
  psu: {},
  context: null,
  redirectUri: 'https://tpp.example/back',
  sessionId: 'session-1',
  psuIsPresent: true,
};

/** Everything booked and pending of the last 90 days, on one page. */
export const everything: ReportQuery = {
  bookingStatus: 'both',
  dateFrom: null,
  dateTo: null,
  offset: 0,
  limit: 1000,
  cursor: null,
};

/** The person approves an SCA of a consent to the accounts named, all of them when none is; gives the PSU-ID. */
export async function approveConsent(
  bank: Bank,
  scaId: string,
  person: Person,
  accounts: readonly string[] | null = null,
): Promise<string> {
  const { answer } = await finishSca(bank, scaId, {
    outcome: 'approve',
    psu: people[person].psu,
    context: 'PRIVATE',
    accounts,
  });
  if ('fault' in answer) throw new Refusal(answer.fault);
  return answer.psuId;
}

/** A consent from beginning to end; gives the request that it opens the accounts to. */
export async function consented(
  bank: Bank,
  person: Person,
  change: Partial<AccountRequest> & { readonly accounts?: readonly string[] } = {},
): Promise<AccountRequest> {
  const { accounts = null, ...rest } = change;
  const request = { ...stranger, ...rest };
  const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: request.sessionId };
  const scaId = await offerSca(bank, 'consent', { ...request, psu: {}, returnTo });
  return { ...request, psu: { psuId: await approveConsent(bank, scaId, person, accounts) } };
}

/** The id of a person's account as the interface shows it. */
export async function accountIdOf(bank: Bank, person: Person): Promise<string> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people[person].bban));
  if (account === undefined) throw new Error(`${person} has no account`);
  return account.resource_id;
}

/** The refusal that the work ends in. `scaId` null: it offers no SCA. */
export async function refusalOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { sca, ...fault } = error.faults[0];
    return { ...fault, scaId: sca?.id ?? null };
  }
  throw new Error('it was not refused');
}
