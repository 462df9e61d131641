import { Refusal, type Fault } from '../values/fault.ts';
import type { PsuContext } from '../parties/rows/tables.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { TppIdentity } from '../sca/begin-sca.ts';
import type { PsuReference } from '../parties/identify-psu.ts';
import { offerSca, type OfferedPurpose } from '../sca/offer-sca.ts';

/** A refusal that ends with an SCA of the PSU, found while reading: {@link offeringSca} opens that SCA. */
export class ScaRequired extends Refusal {
  constructor(fault: Fault) {
    super(fault);
    this.name = 'ScaRequired';
  }
}

/** The same refusal with the SCA: the answer carries its address as `_links.scaRedirect` (rules.md E1). */
export class ScaOffered extends Refusal {
  readonly scaId: string;

  constructor(fault: Fault, scaId: string) {
    super(fault);
    this.name = 'ScaOffered';
    this.scaId = scaId;
  }
}

/** Who asks, for whom, and where the PSU returns to when an SCA is needed. */
export interface PsuRequest {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly context: PsuContext | null;
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
}

/**
 * Does the work; ScaRequired is answered with an SCA (rules.md E1), opened in a transaction of its
 * own because a read must not write: who it is for is asked anew there, for a reset may come in between.
 * HTTP_HEADER_REQUIRED when the PSU could not come back from it.
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
    if (error instanceof ScaRequired) throw await offered(bank, request, purpose, error);
    throw error;
  }
}

async function offered(
  bank: BankContext,
  { tpp, psu, context, redirectUri, sessionId }: PsuRequest,
  purpose: OfferedPurpose,
  { faults: [fault] }: ScaRequired,
): Promise<Refusal> {
  if (redirectUri === null) {
    const text = `TPP-Redirect-URI is missing: with it this answer would carry scaRedirect. ${fault.text}`;
    return new Refusal({ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri', text });
  }
  const returnTo = { redirectUri, sessionId };
  return new ScaOffered(fault, await offerSca(bank, purpose, { tpp, psu, context, returnTo }));
}
