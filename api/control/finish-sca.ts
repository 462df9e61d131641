import * as Type from 'typebox';
import { assert } from '../../engine/values/assert.ts';
import { quote } from '../../engine/values/text.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import { finishSca, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import { scaOutcomeBody, type ScaOutcomeBody } from './sca-outcome-body.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { text } from './answers.ts';
import { closed } from '../bodies/schema.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { Problem } from '../pipeline/problem.ts';

export const scaFinished = closed(
  { redirect: text('where the browser of the PSU goes next', 'https://tpp.example/callback?state=abc&psu-id=...') },
  { title: 'ScaFinished', description: 'The way back to the TPP.' },
);

/** `POST /sandbox/sca/{id}`: the SCA in one call (rules.md A3). Answers with the redirect address. */
export const finishScaInOneCall = controlEndpoint({
  method: 'POST',
  path: '/sca/:scaId',
  summary: 'Answer an SCA as the PSU does on the page',
  answer: scaFinished,
  // The address of an SCA page may have it (A10); ignored here.
  query: { method: Type.Optional(text('a preferred SCA method, which is ignored here')) },
  body: scaOutcomeBody,
  handle: async (call) => {
    const answer = answerOf(call.readBody());
    const result = await finishSca(call.bank, call.params['scaId'] ?? '', answer);
    return { redirect: redirectAddress(result) };
  },
});

function answerOf({ outcome, psu, context, agreement, accounts, failure }: ScaOutcomeBody): ScaAnswer {
  if (outcome === 'cancel' || outcome === 'reject' || outcome === 'expire') return { outcome };
  if (outcome === 'fail') return { outcome, fault: { code: codeOf(failure), text: 'The authorisation failed.' } };
  assert(psu !== undefined && context !== undefined, 'the schema asks for both when the PSU approves');
  return { outcome, psu, context, agreement: agreement ?? null, accounts: accounts ?? null };
}

function codeOf(failure = 'SCA_INVALID'): FaultCode {
  const code = faultCodes.find((known) => known === failure);
  if (code !== undefined) return code;
  const detail = `There is no code ${quote(failure)}.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'failure', detail }], allowed: faultCodes });
}
