import { assert } from '../values/assert.ts';
import { type Fault, Refusal, refuseAny } from '../values/fault.ts';
import {
  allAgreements,
  agreementsOfOwner,
  findAgreement,
  type OwnedAgreement,
  type Customer,
  customerByNumber,
  findCustomer,
  type Engagement,
  engagements,
} from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { type BankContext, writeBank } from '../bank/bank-context.ts';
import { endConsents } from '../consents/consents.ts';
import {
  engage,
  openAgreement,
  removeAgreement,
  holderUnknown,
  type NewEngagement,
} from '../parties/customers-and-agreements.ts';
import { withdrawPayments } from '../payments/change-status.ts';
import { clip } from '../values/text.ts';
import { type Account, accountByNumber } from '../accounts/rows/accounts.ts';
import { accountNumbers } from '../values/account-number.ts';

interface CreateAgreement {
  /** The corporation's customerNumber, or the customerId of the answer that created it (rules.md D1b). */
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly EngagementWanted[];
}

/**
 * Creates an agreement of a corporation with its engagements (interface: POST /v1/sandbox/agreements). Unknown owner:
 * RESOURCE_UNKNOWN. Else refuses with all faults at once: a private owner (FORMAT_ERROR), a name that the owner uses
 * already (CONFLICT), and those of {@link checkEngagements}.
 */
export function createAgreement(bank: BankContext, wanted: CreateAgreement): Promise<SandboxAgreement> {
  return bank.ledger.write(async (tx) => {
    const owner = (await customerByNumber(tx, wanted.owner)) ?? (await findCustomer(tx, wanted.owner));
    if (owner === undefined) throw new Refusal(ownerUnknown(wanted.owner));
    const engagementPath = (index: number) => `engagements[${index}].`;
    const names = { owner_id: owner.id, owner_number: owner.customer_number };
    const checked = await checkEngagements(tx, names, wanted.engagements, { existing: [], engagementPath });
    refuseAny([...(await ownerFaults(tx, owner, wanted.name)), ...checked.faults]);
    const { engagements } = checked;
    const opened = await openAgreement(bank.ids, tx, { ownerId: owner.id, name: wanted.name, engagements });
    const agreement = await findAgreement(tx, opened.resource_id);
    assert(agreement !== undefined, 'the inserted agreement exists');
    return withEngagements(tx, agreement);
  });
}

/**
 * Adds an engagement of a PSU on an account to an agreement (interface: POST /v1/sandbox/agreements/{id}/engagements)
 * and returns the agreement. Unknown agreement: RESOURCE_UNKNOWN; private: SERVICE_INVALID; faults of {@link
 * checkEngagements}.
 */
export function addEngagement(
  bank: BankContext,
  agreementId: string,
  wanted: EngagementWanted,
): Promise<SandboxAgreement> {
  return bank.ledger.write(async (tx) => {
    const agreement = await requireCorporateAgreement(tx, agreementId);
    const existing = await engagements(tx, { agreementId: agreement.id });
    const checked = await checkEngagements(tx, agreement, [wanted], { existing, engagementPath: () => '' });
    refuseAny(checked.faults);
    await engage(tx, agreement.id, checked.engagements);
    return withEngagements(tx, agreement);
  });
}

async function ownerFaults(reader: Reader, owner: Customer, name: string): Promise<Fault[]> {
  if (owner.type !== 'corporate') {
    const text = `Customer ${owner.customer_number} is private and has its own agreement. Send the number or the customerId of a corporate customer.`;
    return [{ code: 'FORMAT_ERROR', path: 'owner', text }];
  }
  const other = (await agreementsOfOwner(reader, owner.id)).find((agreement) => agreement.name === name);
  if (other === undefined) return [];
  const text =
    `Customer ${owner.customer_number} has an agreement of this name already, agreementId ${other.resource_id}. ` +
    'POST its engagements there, DELETE it first, or send another name.';
  return [{ code: 'CONFLICT', path: 'name', text }];
}

function ownerUnknown(owner: string): Fault {
  const text = `No customer has the number or the customerId ${clip(owner)}. POST /v1/sandbox/customers creates one.`;
  return { code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'owner', text };
}

/** Reads one agreement. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAgreement(bank: BankContext, agreementId: string): Promise<SandboxAgreement> {
  return bank.ledger.read(async (reader) => withEngagements(reader, await requireAgreement(reader, agreementId)));
}

/** Lists every agreement, private and corporate, in the order of their creation (real-api-facts.md 10). */
export function listSandboxAgreements(bank: BankContext): Promise<SandboxAgreement[]> {
  return bank.ledger.read(async (reader) => {
    const byAgreement = Map.groupBy(await engagements(reader), (engagement) => engagement.agreement_id);
    return (await allAgreements(reader)).map((agreement) => {
      return { agreement, engagements: byAgreement.get(agreement.id) ?? [] };
    });
  });
}

/**
 * Deletes a corporate agreement (rules.md D2): open payments under it become CANC, its consents and engagements end.
 * The accounts stay. A private customer's agreement is deleted with the customer only: SERVICE_INVALID.
 */
export async function deleteAgreement(bank: BankContext, agreementId: string): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx, now } = writing;
    const agreement = await requireCorporateAgreement(tx, agreementId);
    await withdrawPayments(writing, { agreementId: agreement.id }, 'agreement deleted');
    await endConsents(writing, { agreementId: agreement.id });
    await removeAgreement(tx, agreement.id, now);
  });
}

/** An agreement with its engagements. */
export interface SandboxAgreement {
  readonly agreement: OwnedAgreement;
  readonly engagements: readonly Engagement[];
}

async function withEngagements(reader: Reader, agreement: OwnedAgreement): Promise<SandboxAgreement> {
  return { agreement, engagements: await engagements(reader, { agreementId: agreement.id }) };
}

/** Finds the agreement of a sandbox-data path. Unknown or deleted: RESOURCE_UNKNOWN. */
async function requireAgreement(reader: Reader, agreementId: string): Promise<OwnedAgreement> {
  const agreement = await findAgreement(reader, agreementId);
  if (agreement !== undefined) return agreement;
  const text = `There is no agreement ${clip(agreementId)}. GET /v1/sandbox/agreements lists them, with their agreementId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/**
 * Finds the corporate agreement of a sandbox-data path. Unknown: RESOURCE_UNKNOWN; a private customer's:
 * SERVICE_INVALID.
 */
async function requireCorporateAgreement(reader: Reader, agreementId: string): Promise<OwnedAgreement> {
  const agreement = await requireAgreement(reader, agreementId);
  if (agreement.owner_type === 'corporate') return agreement;
  const text =
    `${agreement.name} is a private customer, and its agreement is its own: it comes and goes with the customer, and ` +
    'nobody else is engaged in it.';
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
}

/** An engagement as it is sent: what a PSU may do with an account. */
interface EngagementWanted {
  /** The PSU's number. */
  readonly customer: string;
  /** At least one of the two. */
  readonly account: { readonly bban?: string | undefined; readonly iban?: string | undefined };
  readonly roles: NewEngagement['roles'];
}

/**
 * Checks engagements under an agreement of this corporation (real-api-facts.md 10): the PSU is a private customer, the
 * account belongs to the corporation (RESOURCE_UNKNOWN, FORMAT_ERROR), and a PSU has one engagement on an account
 * (CONFLICT). `engagementPath` gives the path of each, with its trailing point. Returns the faults, and the engagements
 * without one.
 */
async function checkEngagements(
  reader: Reader,
  owner: Pick<OwnedAgreement, 'owner_id' | 'owner_number'>,
  wanted: readonly EngagementWanted[],
  {
    existing,
    engagementPath,
  }: { readonly existing: readonly Engagement[]; readonly engagementPath: (index: number) => string },
) {
  const faults: Fault[] = [];
  const engagements: NewEngagement[] = [];
  const taken = new Set(existing.map((engagement) => `${engagement.customer_id} ${engagement.account_id}`));
  for (const [index, { customer, account: numbers, roles }] of wanted.entries()) {
    const path = engagementPath(index);
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
