import { Refusal, type Fault } from '../../engine/values/fault.ts';
import { offerConsent } from '../../engine/consents/offer-consent.ts';
import { ScaOffered } from '../../engine/consents/sca-required.ts';
import type { Call } from './endpoint.ts';
import { psuOf } from './psu-of.ts';

/**
 * The answer to a call that an armed fault takes (rules.md E6). Where an SCA would cure the real one it carries
 * scaRedirect too (rules.md E1), if the call names a PSU that the bank knows and where that PSU returns to.
 */
export async function provokedRefusal(fault: Fault, { bank, tpp, headers }: Call): Promise<Refusal> {
  const { redirectUri, sessionId, psuContext: context } = headers;
  const isCurable = fault.code === 'CONSENT_INVALID' || fault.code === 'CONSENT_EXPIRED';
  const namesPsu = headers.psuId !== null || headers.psuIdentity !== null;
  if (!isCurable || !namesPsu || redirectUri === null) return new Refusal(fault);
  try {
    const scaId = await offerConsent(bank, { tpp, psu: psuOf(headers), context, returnTo: { redirectUri, sessionId } });
    return new ScaOffered(fault, scaId);
  } catch (error) {
    if (error instanceof Refusal) return new Refusal(fault);
    throw error;
  }
}
