import { noSession } from '../core/access.ts';
import { corporateAgreementsOf, type OwnedAgreement } from '../ledger/agreements.ts';
import { psuOfCustomer } from '../ledger/psus.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { CurableRefusal } from './shared/curable-refusal.ts';
import { curing, type PsuRequest } from './shared/curing.ts';
import { identifyPsu } from './shared/identify-psu.ts';
import { hasLiveSession } from './shared/live-session.ts';

/**
 * The corporate agreements of a PSU with a PSU-ID, for the TPP to send the id of one in PSU-Corporate-ID (interface: GET
 * /v1/agreements). Needs a live session (rules.md A7): else CONSENT_INVALID with an SCA that begins one.
 */
export function listAgreements(bank: BankContext, request: PsuRequest): Promise<OwnedAgreement[]> {
  return curing(bank, request, 'identification', () =>
    bank.ledger.read(async (reader) => {
      const now = await bankNow(bank, reader);
      const { customer } = await identifyPsu(reader, request.tpp.id, request.psu);
      const psu = customer === null ? undefined : await psuOfCustomer(reader, request.tpp.id, customer.id);
      if (psu === undefined || !(await hasLiveSession(reader, psu, request.sessionId, now))) {
        throw new CurableRefusal(noSession);
      }
      return corporateAgreementsOf(reader, psu.customer_id);
    }),
  );
}
