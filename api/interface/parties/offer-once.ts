import { offerScaIn, type OfferedPurpose } from '../../../engine/sca/begin-sca.ts';
import { assert } from '../../../engine/values/assert.ts';
import { answerOnce } from '../../pipeline/answer-once.ts';
import type { Call, JsonText } from '../../pipeline/endpoint.ts';
import { psuOf } from '../../pipeline/request-headers.ts';
import { offeredSca } from './sca-json.ts';

/** Opens an SCA without a payment, once for each X-Request-ID (rules.md P9); the body of the answer has its link. */
export function offerOnce(call: Call, purpose: OfferedPurpose): Promise<JsonText> {
  const { bank, tpp, headers } = call;
  const { redirectUri, sessionId, psuContext: context } = headers;
  assert(redirectUri !== null, 'TPP-Redirect-URI is required');
  const command = { tpp, psu: psuOf(headers), context, returnTo: { redirectUri, sessionId } };
  return answerOnce(call, async (tx) => {
    const scaId = await offerScaIn(bank, tx, purpose, command);
    return { about: { scaId }, body: offeredSca(call.scaAddress(scaId)) };
  });
}
