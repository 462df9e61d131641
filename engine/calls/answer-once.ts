import { bankNow, type BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { PsuReference } from '../parties/identify-psu.ts';
import { scaLifetime } from '../sca/rules/sca.ts';
import { Refusal } from '../values/fault.ts';
import { findFirstAnswer, saveFirstAnswer, type KeptAnswer } from './rows/first-answers.ts';
import type { Made } from './rows/tables.ts';

/** A call of a TPP, by what makes it the same call again (rules.md P9). */
export interface CallIdentity {
  readonly tppId: string;
  readonly method: string;
  /** Below `/v1`, decoded. */
  readonly path: string;
  /** The text after the question mark. */
  readonly query: string;
  readonly requestId: string;
  /** Digest of the body's exact bytes. */
  readonly digest: string;
  readonly psu: PsuReference;
}

/** What a call made, payment and basket by their keys and an SCA by its id, and the body of its answer. */
export interface FirstAnswer {
  readonly about: { readonly paymentId: number } | { readonly basketId: number } | { readonly scaId: string };
  readonly body: object;
}

/**
 * Does the work of a call once for each X-Request-ID of a TPP, method and path, and returns the answer's body as JSON
 * (rules.md P9). A repeated call gets the first answer and makes nothing, also when it is concurrent or comes after a restart:
 * what is made and its answer are one transaction. What is gone is made anew: an SCA that ended or is too old, a basket that was
 * removed. The same id with another body, query or PSU: FORMAT_ERROR. A refused call does not use up its id.
 */
export function answerOnce(
  bank: BankContext,
  call: CallIdentity,
  work: (tx: Writer) => Promise<FirstAnswer>,
): Promise<string> {
  const key = {
    tpp_id: call.tppId,
    method: call.method,
    path: call.path,
    request_id: call.requestId.toLowerCase(),
  };
  const content = contentOf(call);
  return bank.ledger.write(async (tx) => {
    const kept = await findFirstAnswer(tx, key);
    if (kept !== undefined && (await lives(bank, tx, kept))) {
      if (kept.content === content && (kept.query ?? call.query) === call.query) return kept.answer;
      throw idTaken(call.requestId);
    }
    const { about, body } = await work(tx);
    const answer = JSON.stringify(body);
    await saveFirstAnswer(tx, { ...key, query: call.query, content, answer, ...madeOf(about) });
    return answer;
  });
}

/** Includes the PSU headers, or one PSU would get the answer to another. */
function contentOf({ digest, psu }: CallIdentity): string {
  return [digest, psu.psuId ?? '', psu.psuIdentity ?? '', psu.corporateId ?? ''].join(' ');
}

/** A payment lives as long as its debtor account: a deletion takes the answers with it (rules.md D2). */
async function lives(bank: BankContext, tx: Writer, kept: KeptAnswer): Promise<boolean> {
  const { sca_created_at_wall: createdAt, basket_expires_at: expiresAt } = kept;
  if (createdAt !== null) {
    const isYoung = bank.wall.now() - createdAt <= scaLifetime;
    return isYoung && kept.sca_outcome === null && kept.sca_psu_deleted_at === null;
  }
  return expiresAt === null || (await bankNow(bank, tx)) < expiresAt;
}

function madeOf(about: FirstAnswer['about']): Made {
  return {
    payment_id: 'paymentId' in about ? about.paymentId : null,
    basket_id: 'basketId' in about ? about.basketId : null,
    sca_resource_id: 'scaId' in about ? about.scaId : null,
  };
}

function idTaken(requestId: string): Refusal {
  const text =
    `X-Request-ID ${requestId} was sent to this path before, with another body, another query or for another PSU. It identifies one ` +
    'call: send a new UUID with every new call, and repeat a call byte for byte.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'x-request-id', text });
}
