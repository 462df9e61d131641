import { noSession } from '../parties/rules/access.ts';
import { corporateAgreementsOf, type OwnedAgreement } from '../parties/rows/agreements.ts';
import { hasLiveSession } from '../parties/session.ts';
import { bankTime, type BankContext } from '../bank/bank-context.ts';
import { identifyPsu } from '../parties/identify-psu.ts';
import { offeringSca, ScaRequired, type PsuRequest } from './sca-required.ts';

/**
 * Lists the corporate agreements of a PSU, whose ids the TPP sends in PSU-Corporate-ID (interface: GET /v1/agreements).
 * Needs a live session (rules.md A7), else CONSENT_INVALID with an SCA that begins one.
 */
export function listAgreements(bank: BankContext, request: PsuRequest): Promise<OwnedAgreement[]> {
  return offeringSca(bank, request, 'identification', () =>
    bank.ledger.read(async (reader) => {
      const time = await bankTime(bank, reader);
      const { psu } = await identifyPsu(reader, request.tpp.id, request.psu);
      const isLive = psu !== null && (await hasLiveSession(reader, psu, request.sessionId, time));
      if (!isLive) throw new ScaRequired(noSession);
      return corporateAgreementsOf(reader, psu.customer_id);
    }),
  );
}
