import { answerOnce as once, type FirstAnswer } from '../../engine/calls/answer-once.ts';
import { assert } from '../../engine/values/assert.ts';
import type { Writer } from '../../engine/ledger/database.ts';
import { digestOf } from '../signing/signature/digest.ts';
import { type Call, JsonText } from './endpoint.ts';
import { psuOf } from './request-headers.ts';

/**
 * Does the work of a call that makes something once for each X-Request-ID, and returns the body of the first answer (rules.md P9):
 * every POST that makes something, and a GET that opens an SCA.
 */
export async function answerOnce(call: Call, work: (tx: Writer) => Promise<FirstAnswer>): Promise<JsonText> {
  const { bank, tpp, headers, sentTo, bytes } = call;
  const { requestId } = headers;
  assert(requestId !== null, 'X-Request-ID is required');
  const digest = digestOf(bytes, 'sha-256');
  const identity = { tppId: tpp.id, ...sentTo, requestId, digest, psu: psuOf(headers) };
  let isRepeat = true;
  const answer = await once(bank, identity, (tx) => {
    isRepeat = false;
    return work(tx);
  });
  if (isRepeat) call.tell({ isRepeat });
  return new JsonText(answer);
}
