import { Refusal } from '../values/fault.ts';
import { initiationAnswer, insertInitiationAnswer } from './rows/initiation-answers.ts';
import { initiateIn, type InitiatedPayment, type InitiatePayment } from './initiate-payment.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** What makes two calls of one TPP the same call (rules.md P9). */
export interface CallIdentity {
  readonly requestId: string;
  /** Of the body's exact bytes. */
  readonly digest: string;
}

/**
 * Initiates a payment once for each X-Request-ID of a TPP, and returns the answer as JSON (rules.md P9). The same call
 * again gets the first answer and creates nothing, also at the same moment and after a restart: payment and answer are
 * one transaction, in which `answerOf` is asked. Another body, service, product or PSU under the same id is a FORMAT_ERROR.
 * A refused call leaves its id free.
 */
export function initiateOnce(
  bank: BankContext,
  command: InitiatePayment,
  call: CallIdentity,
  answerOf: (initiated: InitiatedPayment) => object,
): Promise<string> {
  const fingerprint = fingerprintOf(command, call);
  const tppId = command.tpp.id;
  return bank.ledger.write(async (tx) => {
    const earlier = await initiationAnswer(tx, tppId, call.requestId);
    if (earlier?.fingerprint === fingerprint) return earlier.answer;
    if (earlier !== undefined) throw idTaken(call.requestId);
    const initiated = await initiateIn(bank, tx, command);
    const answer = JSON.stringify(answerOf(initiated));
    await insertInitiationAnswer(tx, {
      tpp_id: tppId,
      request_id: call.requestId,
      payment_id: initiated.payment.id,
      fingerprint,
      answer,
    });
    return answer;
  });
}

/** What a repetition has in common with the first call: also for whom it is, or one PSU would get the answer of another. */
function fingerprintOf({ initiation, product, psu }: InitiatePayment, { digest }: CallIdentity): string {
  const forWhom = [psu.psuId, psu.psuIdentity, psu.corporateId].map((header) => header ?? '').join(' ');
  return `${initiation.service}/${product} ${digest} ${forWhom}`;
}

function idTaken(requestId: string): Refusal {
  const text =
    `X-Request-ID ${requestId} was sent before, with another body, for another PSU or to another address. It identifies one call: ` +
    'send a new UUID with every new call, and repeat a call byte for byte.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'x-request-id', text });
}
