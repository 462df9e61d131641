import type { Fault } from '../values/fault.ts';
import { holderUnknown, type NewEngagement } from '../parties/customers-and-agreements.ts';
import type { Engagement } from '../parties/rows/engagements.ts';
import { accountNumbers } from '../values/account-number.ts';
import { type Account, accountByNumber } from '../accounts/rows/accounts.ts';
import type { OwnedAgreement } from '../parties/rows/agreements.ts';
import { type Customer, customerByNumber } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';

/** An engagement as it is sent: what a PSU may do with an account. */
export interface EngagementWanted {
  /** The PSU's number. */
  readonly customer: string;
  /** At least one of the two. */
  readonly account: { readonly bban?: string | undefined; readonly iban?: string | undefined };
  readonly roles: NewEngagement['roles'];
}

interface CheckedEngagements {
  readonly faults: readonly Fault[];
  /** The engagements without a fault. */
  readonly engagements: readonly NewEngagement[];
}

/**
 * Checks engagements under an agreement of this corporation (real-api-facts.md 10): the PSU is a private customer, the
 * account belongs to the corporation (RESOURCE_UNKNOWN, FORMAT_ERROR), and a PSU has one engagement on an account
 * (CONFLICT). `pathOf` gives the path of each, with its trailing point.
 */
export async function checkEngagements(
  reader: Reader,
  owner: Pick<OwnedAgreement, 'owner_id' | 'owner_number'>,
  wanted: readonly EngagementWanted[],
  { existing, pathOf }: { readonly existing: readonly Engagement[]; readonly pathOf: (index: number) => string },
): Promise<CheckedEngagements> {
  const faults: Fault[] = [];
  const engagements: NewEngagement[] = [];
  const taken = new Set(existing.map((engagement) => `${engagement.customer_id} ${engagement.account_id}`));
  for (const [index, { customer, account: numbers, roles }] of wanted.entries()) {
    const path = pathOf(index);
    const psu = await customerByNumber(reader, customer);
    const account = await accountOf(reader, numbers);
    const found = [...psuFaults(psu, customer, path), ...accountFaults(account, owner, path)];
    if (found.length > 0 || psu === undefined || account === undefined) {
      faults.push(...found);
      continue;
    }
    const pair = `${psu.id} ${account.id}`;
    if (taken.has(pair)) faults.push(alreadyEngaged(customer, account, path));
    else engagements.push({ customerId: psu.id, accountId: account.id, roles });
    taken.add(pair);
  }
  return { faults, engagements };
}

async function accountOf(reader: Reader, given: EngagementWanted['account']): Promise<Account | undefined> {
  const { bban, iban } = accountNumbers(given);
  const number = bban ?? iban;
  return number === null ? undefined : accountByNumber(reader, number);
}

function psuFaults(psu: Customer | undefined, number: string, path: string): Fault[] {
  const where = `${path}customer`;
  if (psu === undefined) return [holderUnknown(number, where)];
  if (psu.type === 'private') return [];
  const text = `${number} is a corporation, ${psu.name}. An engagement is a person's: send the number of a private customer.`;
  return [{ code: 'FORMAT_ERROR', path: where, text }];
}

function accountFaults(
  account: Account | undefined,
  owner: Pick<OwnedAgreement, 'owner_id' | 'owner_number'>,
  path: string,
): Fault[] {
  const where = `${path}account`;
  if (account === undefined) {
    const text = 'This bank has no such account. GET /v1/sandbox/accounts lists them; POST creates one.';
    return [{ code: 'RESOURCE_UNKNOWN', place: 'payload', path: where, text }];
  }
  if (account.customer_id === owner.owner_id) return [];
  const text =
    `Account ${account.bban ?? account.iban} does not belong to customer ${owner.owner_number}, the owner of the agreement. ` +
    'Send an account of the corporation.';
  return [{ code: 'FORMAT_ERROR', path: where, text }];
}

function alreadyEngaged(customer: string, account: Account, path: string): Fault {
  const text =
    `Customer ${customer} has an engagement on account ${account.bban ?? account.iban} under this agreement already. ` +
    'Put all roles into one.';
  return { code: 'CONFLICT', path: `${path}customer`, text };
}
