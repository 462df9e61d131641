import { assert } from '../values/assert.ts';
import { refuseAny } from '../values/bounded-faults.ts';
import { Refusal, type Fault } from '../values/fault.ts';
import { agreementsOfOwner, findAgreement, insertAgreement } from '../parties/rows/agreements.ts';
import { customerByNumber, type Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { judgeEngagements, type EngagementWanted } from './judge-engagements.ts';
import { layEngagements } from './lay-engagements.ts';
import { withEngagements, type SandboxAgreement } from './sandbox-agreement.ts';

export interface CreateAgreement {
  /** The corporation's customerNumber. */
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly EngagementWanted[];
}

/**
 * Makes an agreement of a corporation with its engagements (interface: POST /v1/sandbox/agreements). Refuses, all at
 * once: an owner who is unknown or no corporation, engagements that cannot be, a name that the owner uses already.
 */
export function createAgreement(bank: BankContext, wanted: CreateAgreement): Promise<SandboxAgreement> {
  return bank.ledger.write(async (tx) => {
    const owner = await customerByNumber(tx, wanted.owner);
    if (owner === undefined) throw new Refusal(ownerUnknown(wanted.owner));
    const pathOf = (index: number) => `engagements[${index}].`;
    const names = { owner_id: owner.id, owner_number: owner.customer_number };
    const judged = await judgeEngagements(tx, names, wanted.engagements, { existing: [], pathOf });
    refuseAny([...(await ownerFaults(tx, owner, wanted.name)), ...judged.faults]);
    const { id, resource_id: resourceId } = await insertAgreement(tx, {
      resource_id: bank.ids.uuid(),
      owner_id: owner.id,
      name: wanted.name,
      deleted_at: null,
    });
    await layEngagements(tx, id, wanted.engagements, judged);
    const agreement = await findAgreement(tx, resourceId);
    assert(agreement !== undefined, 'the agreement is there');
    return withEngagements(tx, agreement);
  });
}

async function ownerFaults(reader: Reader, owner: Customer, name: string): Promise<Fault[]> {
  if (owner.type !== 'corporate') {
    const text = `Customer ${owner.customer_number} is private and has its own agreement. Send the number of a corporate customer.`;
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
  const text = `No customer has the number ${owner}. POST /v1/sandbox/customers creates one.`;
  return { code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'owner', text };
}
