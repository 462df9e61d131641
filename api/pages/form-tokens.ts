import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomIds } from '../../engine/bank/ids.ts';

/**
 * The tokens that prove that a form comes from a page of this process (rules.md A2d). Each is bound to what its page belongs to: an SCA and
 * its step, the session of a console's browser. They are valid until the process ends.
 */
export class FormTokens {
  readonly #secret = randomIds.secret();

  /** The token of the forms of one page. */
  of(...bound: readonly (string | null)[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(bound)).digest('base64url');
  }

  /** Whether a form carried the token of that page. */
  isOf(given: string, ...bound: readonly (string | null)[]): boolean {
    const [expected, received] = [Buffer.from(this.of(...bound)), Buffer.from(given)];
    return received.length === expected.length && timingSafeEqual(received, expected);
  }
}
