import { bankNow, type BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { PsuReference } from '../parties/identify-psu.ts';
import { scaLifetime } from '../sca/rules/sca.ts';
import { Refusal } from '../values/fault.ts';
import {
  answersWithLinks,
  deleteAnswers,
  findFirstAnswer,
  saveFirstAnswer,
  type CallKey,
  type KeptAnswer,
  type PaymentsAsked,
} from './rows/first-answers.ts';

/** What identifies a TPP's call when it is repeated (rules.md P9). */
interface CallIdentity {
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

/** What a call made: payment and basket by their keys, an SCA by its id. */
export type MadeByCall = { readonly paymentId: number } | { readonly basketId: number } | { readonly scaId: string };

/**
 * The first answer to this X-Request-ID from this TPP, with this method and path (rules.md P9). Null for a new call:
 * the caller does the work, and ends the same transaction with {@link keepFirstAnswer}. So a repeated call makes
 * nothing, even if it is concurrent or comes after a restart. A call is new again if what it made is gone: an SCA that
 * ended or is too old, a basket that was removed. FORMAT_ERROR if the same id comes with another body, query or PSU. A
 * refused call does not use up its id.
 */
export async function firstAnswer(bank: BankContext, tx: Writer, call: CallIdentity): Promise<string | null> {
  const answer = await findFirstAnswer(tx, callKey(call));
  if (answer === undefined || !(await lives(bank, tx, answer))) return null;
  if (answer.content === contentOf(call) && (answer.query ?? call.query) === call.query) return answer.answer;
  throw idTaken(call.requestId);
}

/** Keeps the answer to a call that made something, for its repetitions. */
export async function keepFirstAnswer(tx: Writer, call: CallIdentity, made: MadeByCall, answer: string): Promise<void> {
  await saveFirstAnswer(tx, {
    ...callKey(call),
    query: call.query,
    content: contentOf(call),
    answer,
    payment_id: 'paymentId' in made ? made.paymentId : null,
    basket_id: 'basketId' in made ? made.basketId : null,
    sca_resource_id: 'scaId' in made ? made.scaId : null,
  });
}

/**
 * Puts the new ids of SCAs, by their old ones, into the links of answers: a repeated call must not lead to a page of
 * another bank.
 */
export async function renewLinks(tx: Writer, ids: ReadonlyMap<string, string>): Promise<void> {
  if (ids.size === 0) return;
  const renewed = (answer: string): string => answer.replaceAll(/(?<=\/sca\/)[\w-]+/g, (id) => ids.get(id) ?? id);
  for (const kept of await answersWithLinks(tx)) await saveFirstAnswer(tx, { ...kept, answer: renewed(kept.answer) });
}

/**
 * Forgets the first answers to the calls of deleted payments, so that a repeated call makes a payment again (rules.md
 * D2).
 */
export async function forgetAnswers(tx: Writer, about: PaymentsAsked): Promise<void> {
  await deleteAnswers(tx, about);
}

function callKey({ tppId, method, path, requestId }: CallIdentity): CallKey {
  return { tpp_id: tppId, method, path, request_id: requestId.toLowerCase() };
}

/** Includes the PSU headers, or one PSU would get the answer to another. */
function contentOf({ digest, psu }: CallIdentity): string {
  const { psuId = '', psuIdentity = '', corporateId = '' } = psu;
  return [digest, psuId.toLowerCase(), psuIdentity, corporateId.toLowerCase()].join(' ');
}

/** A payment lives as long as its debtor account: a deletion takes the answers with it (rules.md D2). */
async function lives(bank: BankContext, tx: Writer, answer: KeptAnswer): Promise<boolean> {
  const { sca_created_at_wall: createdAt, basket_expires_at: expiresAt } = answer;
  if (createdAt !== null) {
    const isYoung = bank.security.now() - createdAt <= scaLifetime;
    return isYoung && answer.sca_outcome === null && answer.sca_psu_deleted_at === null;
  }
  return expiresAt === null || (await bankNow(bank, tx)) < expiresAt;
}

function idTaken(requestId: string): Refusal {
  const text =
    `X-Request-ID ${requestId} was sent to this path before, with another body, another query or for another PSU. It identifies one ` +
    'call: send a new UUID with every new call, and repeat a call byte for byte.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'x-request-id', text });
}
