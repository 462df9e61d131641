import { Refusal } from '../values/fault.ts';
import { initiationAnswer, insertInitiationAnswer } from './rows/initiation-answers.ts';
import { initiateIn, type InitiatedPayment, type InitiatePayment } from './initiate-payment.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Identifies a repeated call of a TPP (rules.md P9). */
export interface CallIdentity {
  readonly requestId: string;
  /** Digest of the body's exact bytes. */
  readonly digest: string;
}

/**
 * Initiates a payment once for each X-Request-ID of a TPP, and returns the response body as JSON (rules.md P9). A repeated
 * call gets the first answer and creates nothing, also when it is concurrent or comes after a restart: payment and answer
 * are written in one transaction, which calls `answerOf`. The same id with another body, service, product or PSU:
 * FORMAT_ERROR. A refused call does not use up its id.
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

/** Includes the PSU headers, or one PSU would get the answer to another. */
function fingerprintOf({ initiation, product, psu }: InitiatePayment, { digest }: CallIdentity): string {
  const psuHeaders = [psu.psuId, psu.psuIdentity, psu.corporateId].map((header) => header ?? '').join(' ');
  return `${initiation.service}/${product} ${digest} ${psuHeaders}`;
}

function idTaken(requestId: string): Refusal {
  const text =
    `X-Request-ID ${requestId} was sent before, with another body, for another PSU or to another address. It identifies one call: ` +
    'send a new UUID with every new call, and repeat a call byte for byte.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'x-request-id', text });
}
