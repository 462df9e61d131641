import { Refusal, type Fault } from '../values/fault.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { type TppIdentity, offerSca, type OfferedPurpose } from '../sca/sca.ts';
import type { PsuReference } from '../parties/identify-psu.ts';

/** A refusal of a read that an SCA of the PSU removes; {@link offeringSca} opens that SCA. */
export function scaRequired(fault: Fault): Refusal {
  return new Refusal({ ...fault, sca: { id: null } });
}

/** The TPP and PSU of a request, and where an SCA returns the PSU to. */
export interface PsuRequest {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly context: PsuContext | null;
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
}

/**
 * Does the work, and opens the SCA that {@link scaRequired} asks for: its address is `_links.scaRedirect` of the
 * response (rules.md E1). It is opened in a transaction of its own because a read must not write; it identifies the PSU
 * again, as a reset may have come in between. Without TPP-Redirect-URI: HTTP_HEADER_REQUIRED.
 */
export async function offeringSca<T>(
  bank: BankContext,
  request: PsuRequest,
  purpose: OfferedPurpose,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = error instanceof Refusal ? error.faults[0] : null;
    throw fault?.sca === undefined ? error : await withSca(bank, request, purpose, fault);
  }
}

async function withSca(
  bank: BankContext,
  { tpp, psu, context, redirectUri, sessionId }: PsuRequest,
  purpose: OfferedPurpose,
  fault: Fault,
): Promise<Refusal> {
  if (redirectUri === null) {
    const text = `TPP-Redirect-URI is missing: with it this answer would carry scaRedirect. ${fault.text}`;
    return new Refusal({ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri', text });
  }
  const returnTo = { redirectUri, sessionId };
  return new Refusal({ ...fault, sca: { id: await offerSca(bank, purpose, { tpp, psu, context, returnTo }) } });
}
