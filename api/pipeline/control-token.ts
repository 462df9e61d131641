import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { WallClock } from '../../engine/time/clock.ts';
import { clientAddress } from './client-address.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** The header with the control token under `/v1/sandbox`, where `Authorization` belongs to the TPP. */
const header = 'Sandbank-Control-Token';
/** The header as a path in a refusal. */
export const tokenHeader = header.toLowerCase();

const minute = 60_000;
const hour = 60 * minute;
/** Maximum number of wrong tokens a minute from one address. */
const maxWrong = 10;
/** Maximum number of addresses that are remembered; the oldest is forgotten first. */
const maxAddresses = 10_000;

/** Whether a token is right. `retryAfter`: tokens of this address are not checked for this many seconds. */
export type TokenVerdict = 'right' | 'wrong' | { readonly retryAfter: number };

/** The record of an address; times in ms of the monotonic clock. */
interface Known {
  /** Times of its wrong tokens in the last minute. */
  wrong: readonly number[];
  /** Time of its last right token. */
  passed: number | null;
}

/**
 * The control token of a server, and a limit on guesses (docs/spec/control-plane.md C4). After ten wrong tokens in a minute, all tokens of
 * that address are refused until the minute is over. If the address sent the right token within the last hour, the right token still
 * passes.
 */
export class ControlToken {
  readonly value: string;
  readonly #clock: Pick<WallClock, 'monotonic'>;
  readonly #addresses = new Map<string, Known>();

  constructor(value: string, clock: Pick<WallClock, 'monotonic'>) {
    this.value = value;
    this.#clock = clock;
  }

  /** Checks a token from an address. `undefined`: there is no connection, so nothing is counted. */
  judge(given: string, address: string | undefined): TokenVerdict {
    const isRight = isControlToken(given, this.value);
    if (address === undefined) return isRight ? 'right' : 'wrong';
    const now = this.#clock.monotonic();
    const { wrong: before, passed } = this.#addresses.get(address) ?? { wrong: [], passed: null };
    const wrong = before.filter((at) => now - at < minute);
    const isLate = wrong.length >= maxWrong;
    if (isLate && !(isRight && passed !== null && now - passed < hour)) {
      return { retryAfter: Math.max(1, Math.ceil(((wrong[0] ?? now) + minute - now) / 1000)) };
    }
    this.#keep(address, isRight ? { wrong, passed: now } : { wrong: [...wrong, now], passed });
    return isRight ? 'right' : 'wrong';
  }

  #keep(address: string, known: Known): void {
    this.#addresses.delete(address);
    this.#addresses.set(address, known);
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size > maxAddresses && oldest !== undefined) this.#addresses.delete(oldest);
  }
}

/** The control token with this value; null: none is set. */
export function controlTokenOf(value: string | null, clock: Pick<WallClock, 'monotonic'>): ControlToken | null {
  return value === null ? null : new ControlToken(value, clock);
}

/** Compares a value with the control token in constant time. */
export function isControlToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** The text of a refusal after too many wrong tokens. */
export const tooManyWrong =
  'Too many wrong control tokens came from this address. Try again in a minute, with the value of SANDBANK_CONTROL_TOKEN.';

/**
 * Requires the control token for a change under `/v1/sandbox` (rules.md G1). Throws FORBIDDEN, or ACCESS_EXCEEDED after too many wrong
 * tokens.
 */
export function requireControlToken(request: Request, token: ControlToken): void {
  const given = request.get(header);
  const verdict = given === undefined ? 'missing' : token.judge(given, clientAddress(request));
  if (verdict === 'right') return;
  if (typeof verdict === 'object') {
    const { retryAfter } = verdict;
    throw new Refusal({ code: 'ACCESS_EXCEEDED', path: tokenHeader, text: tooManyWrong, retryAfter });
  }
  const text =
    `The header ${header} ${verdict === 'missing' ? 'is missing' : 'has another value'}. This bank has a control token: ` +
    'a call under /v1/sandbox that changes something carries it too. It is the value of SANDBANK_CONTROL_TOKEN.';
  throw new Refusal({ code: 'FORBIDDEN', path: tokenHeader, text });
}

/** The comparison needs values of equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
