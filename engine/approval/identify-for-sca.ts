import { Refusal, orRefusal } from '../values/fault.ts';
import { countWrongNumber } from '../sca/sca.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { failSca, type ScaResult } from './finish-sca.ts';
import { chosenContext, type ChosenContext } from '../parties/acting.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { closedSca, openSca } from './open-sca.ts';
import { checkContexts } from './check-contexts.ts';
import { findSigner, type WrongNumber, wrongNumberFault } from '../payments/sign-payment.ts';

/** The next step after a national identity number was entered on the SCA page. */
type Identification =
  /** `left` further attempts are allowed. */
  | { readonly next: 'ask-again'; readonly why: WrongNumber; readonly left: number }
  | { readonly next: 'choose-context' }
  | { readonly next: 'approve'; readonly choice: ChosenContext }
  /** Nothing is left to approve. */
  | { readonly next: 'closed' }
  | { readonly next: 'redirect'; readonly result: ScaResult };

/**
 * Identifies the PSU by the number entered on the SCA page. The third wrong number fails the SCA (rules.md A2c); a PSU who
 * cannot approve anything fails it at once (A4). Throws SCA_NOT_FOUND, SCA_INVALID or SCA_EXPIRED for an SCA that cannot
 * be used.
 */
export function identifyForSca(bank: BankContext, scaId: string, psuNumber: string): Promise<Identification> {
  return bank.ledger.write(async (tx) => {
    const sca = await openSca(bank, tx, scaId);
    const now = await bankNow(bank, tx);
    if ((await closedSca(tx, sca, now)) !== null) return { next: 'closed' };
    const actor = await findSigner(tx, sca, psuNumber);
    if (typeof actor === 'string') return afterWrongNumber(bank, tx, sca, { why: actor, psuNumber, now });
    const contexts = await orRefusal(checkContexts(tx, { sca, actor, now }));
    if (contexts instanceof Refusal) {
      return { next: 'redirect', result: await failSca(bank, tx, sca, { fault: contexts.faults[0], now }) };
    }
    return afterIdentifying(
      sca,
      contexts.map(({ acting }) => chosenContext(acting)),
    );
  });
}

async function afterWrongNumber(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  { why, psuNumber, now }: { readonly why: WrongNumber; readonly psuNumber: string; readonly now: Instant },
): Promise<Identification> {
  const left = await countWrongNumber(tx, sca);
  if (left > 0) return { next: 'ask-again', why, left };
  const fault = wrongNumberFault(why, psuNumber);
  return { next: 'redirect', result: await failSca(bank, tx, sca, { fault, now }) };
}

/** No choice is needed when there is a single context, and the request names it or none. */
function afterIdentifying(sca: Sca, [only, ...others]: readonly ChosenContext[]): Identification {
  const suits = only !== undefined && (sca.context === null || sca.context === only.context);
  return suits && others.length === 0 ? { next: 'approve', choice: only } : { next: 'choose-context' };
}
