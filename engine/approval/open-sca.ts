import { Refusal } from '../values/fault.ts';
import { checkSca } from '../sca/rules/sca.ts';
import type { Reader } from '../ledger/database.ts';
import { paymentByKey } from '../payments/rows/payments.ts';
import { findSca, type Sca } from '../sca/rows/scas.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** An SCA that can still be used. Unknown: SCA_NOT_FOUND; ended: SCA_INVALID; too old: SCA_EXPIRED (rules.md A2, A4b). */
export async function openSca(bank: BankContext, reader: Reader, scaId: string): Promise<Sca> {
  const sca = await findSca(reader, scaId);
  if (sca === undefined) {
    const text = 'There is no such SCA. Follow the scaRedirect link of the answer as it is; a reset removes open ones.';
    throw new Refusal({ code: 'SCA_NOT_FOUND', text });
  }
  const { created_at_wall: createdAt, outcome, payment_id: paymentId } = sca;
  // Of one that has ended it is told what its payment is by now.
  const ended = outcome === null || paymentId === null ? null : await paymentByKey(reader, paymentId);
  const fault = checkSca({ createdAt, outcome, status: ended?.status ?? null }, bank.wall.now());
  if (fault !== null) throw new Refusal(fault);
  return sca;
}
