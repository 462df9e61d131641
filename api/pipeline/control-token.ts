import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { randomIds } from '../../engine/bank/ids.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { clientAddress } from './addresses.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { keepNewest } from '../../engine/values/lists.ts';

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
/** The same of the right tokens of an address, which may be a proxy's. */
const maxPassed = 1_001;

/** Whether a token is right. `retryAfter`: tokens of this address are not checked for this many seconds. */
export type TokenVerdict = 'right' | 'wrong' | { readonly retryAfter: number };

/** Checks the tokens of a bank's calls: the control token of the server opens every bank, the token of a named bank only that bank. */
export interface Gate {
  /** The token that it asks for, in words. */
  readonly wanted: string;
  /** The text of a 401 of a call without it. */
  readonly missing: string;
  /** Checks a token from an address. `undefined`: there is no connection, so nothing is counted. */
  judge(given: string, address: string | undefined): TokenVerdict;
  /** Whether the token with this key ({@link tokenKey}) opens the bank now. */
  opens(key: string): boolean;
}

/** The one answer of a named bank to who has no token of it, and of a name that no bank has (docs/spec/control-plane.md H One answer). */
export const notOpenText =
  'No bank of this name is open to you. Send Authorization: Bearer and the token of this bank, which begins with sbt_, or sign with a certificate of its CA.';

/** The record of an address; times in ms of the monotonic clock. */
interface Known {
  /** Times of its wrong tokens in the last minute. */
  wrong: readonly number[];
  /** Time at which each of its right tokens last passed, by the key of the token. */
  readonly passed: Map<string, number>;
}

/**
 * The control token of a server, and a limit on guesses (docs/spec/control-plane.md C4). After ten wrong tokens in a minute, all tokens of
 * that address are refused until the minute is over. A right token that the address sent within the last hour still passes.
 */
export class ControlToken implements Gate {
  readonly wanted = 'the value of SANDBANK_CONTROL_TOKEN';
  readonly missing = `The control plane asks for Authorization: Bearer and ${this.wanted}.`;
  readonly #key: string;
  readonly #clock: Pick<WallClock, 'monotonic'>;
  readonly #addresses = new Map<string, Known>();

  constructor(value: string, clock: Pick<WallClock, 'monotonic'>) {
    this.#key = tokenKey(value);
    this.#clock = clock;
  }

  judge(given: string, address: string | undefined): TokenVerdict {
    return this.#judge(given, address, this);
  }

  opens(key: string): boolean {
    return areAlike(key, this.#key);
  }

  /** The gate of a named bank. `own`: the key of its own token now; null: it has none. Wrong tokens are counted over all banks. */
  ofBank(own: () => string | null): Gate {
    const gate: Gate = {
      wanted: 'the token of this bank, which begins with sbt_',
      missing: notOpenText,
      judge: (given, address) => this.#judge(given, address, gate),
      opens: (key) => {
        // Both are compared, so that a bank without a token, or no bank, takes as long.
        const ownKey = own();
        const isOwn = areAlike(key, ownKey ?? this.#key) && ownKey !== null;
        return this.opens(key) || isOwn;
      },
    };
    return gate;
  }

  #judge(given: string, address: string | undefined, gate: Gate): TokenVerdict {
    const key = tokenKey(given);
    const isRight = gate.opens(key);
    if (address === undefined) return isRight ? 'right' : 'wrong';
    const now = this.#clock.monotonic();
    const { wrong: before, passed } = this.#addresses.get(address) ?? { wrong: [], passed: new Map<string, number>() };
    const wrong = before.filter((at) => now - at < minute);
    const isLate = wrong.length >= maxWrong;
    if (isLate && !(isRight && now - (passed.get(key) ?? -hour) < hour)) {
      return { retryAfter: Math.max(1, Math.ceil(((wrong[0] ?? now) + minute - now) / 1000)) };
    }
    if (isRight) keepNewest(passed, key, now, maxPassed);
    keepNewest(this.#addresses, address, { wrong: isRight ? wrong : [...wrong, now], passed }, maxAddresses);
    return isRight ? 'right' : 'wrong';
  }
}

/** The control token with this value; null: none is set. */
export function controlTokenOf(value: string | null, clock: Pick<WallClock, 'monotonic'>): ControlToken | null {
  return value === null ? null : new ControlToken(value, clock);
}

/** A new token of a named bank: `sbt_` and 43 characters of 32 random bytes, by which secrets are masked (docs/spec/control-plane.md C3). */
export function newBankToken(): string {
  return `sbt_${Buffer.from(randomIds.wireKey(), 'hex').toString('base64url')}`;
}

/** The stored form of a token: its SHA-256, hexadecimal. A token of a bank has 256 random bits, so nobody finds it from its key. */
export function tokenKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two keys in constant time. */
function areAlike(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** The text of a refusal after too many wrong tokens. */
export function tooManyWrong({ wanted }: Gate): string {
  return `Too many wrong control tokens came from this address. Try again in a minute, with ${wanted}.`;
}

/**
 * Requires the control token for a change under `/v1/sandbox` (rules.md G1). Throws FORBIDDEN, or ACCESS_EXCEEDED after too many wrong
 * tokens.
 */
export function requireControlToken(request: Request, token: Gate): void {
  const given = request.get(header);
  const verdict = given === undefined ? 'missing' : token.judge(given, clientAddress(request));
  if (verdict === 'right') return;
  if (typeof verdict === 'object') {
    const { retryAfter } = verdict;
    throw new Refusal({ code: 'ACCESS_EXCEEDED', path: tokenHeader, text: tooManyWrong(token), retryAfter });
  }
  const text =
    `The header ${header} ${verdict === 'missing' ? 'is missing' : 'has another value'}. This bank has a control token: ` +
    `a call under /v1/sandbox that changes something carries it too. It is ${token.wanted}.`;
  throw new Refusal({ code: 'FORBIDDEN', path: tokenHeader, text });
}
