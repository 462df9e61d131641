import { firstAnswer, keepFirstAnswer, type MadeByCall } from '../../engine/calls/first-answers.ts';
import { assert } from '../../engine/values/assert.ts';
import type { Writer } from '../../engine/ledger/database.ts';
import { digestOf } from '../signing/signature/signed-text.ts';
import { type Call, JsonText } from './endpoint.ts';
import { psuOf } from './request-headers.ts';

/** The resource that a call created, and the body of its answer. */
interface MadeAnswer {
  readonly about: MadeByCall;
  readonly body: object;
}

/**
 * Carries out a call that creates something once for each X-Request-ID (rules.md P9): a POST that creates something, and a GET that
 * opens an SCA. A repeated call gets the body of the first answer. The work and its answer are one transaction.
 */
export async function answerOnce(call: Call, work: (tx: Writer) => Promise<MadeAnswer>): Promise<JsonText> {
  const { bank, tpp, headers, sentTo, bytes } = call;
  const { requestId } = headers;
  assert(requestId !== null, 'X-Request-ID is required');
  const digest = digestOf(bytes, 'sha-256');
  const identity = { tppId: tpp.id, ...sentTo, requestId, digest, psu: psuOf(headers) };
  const { answer, isRepeat } = await bank.ledger.write(async (tx) => {
    const first = await firstAnswer(bank, tx, identity);
    if (first !== null) return { answer: first, isRepeat: true };
    const { about, body } = await work(tx);
    const text = JSON.stringify(body);
    await keepFirstAnswer(tx, identity, about, text);
    return { answer: text, isRepeat: false };
  });
  if (isRepeat) call.addFacts({ isRepeat });
  return new JsonText(answer);
}
