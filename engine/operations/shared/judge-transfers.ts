import type { Fault } from '../../core/fault.ts';
import type { InitiatedTransfer } from '../../core/initiation.ts';
import { judgeKid } from '../../core/judge-kid.ts';
import { creditorNumber } from '../../core/payment-initiation.ts';
import { isForeign } from '../../core/product.ts';
import { judgeTransfer } from '../../core/transfer-rules.ts';
import { accountsByNumber } from '../../ledger/accounts.ts';
import type { Reader } from '../../ledger/database.ts';

/** What is wrong with the transfers of an initiation, each path from the root of the body (rules.md P5b, P6, P11). */
export async function judgeTransfers(
  reader: Reader,
  product: string,
  transfers: readonly InitiatedTransfer[],
  debtorCurrency: string,
): Promise<Fault[]> {
  const numbers = new Set(transfers.map(({ body }) => creditorNumber(body)));
  const creditors = await accountsByNumber(reader, [...numbers]);
  return transfers.flatMap(({ path, body }) => {
    const creditor = creditors.get(creditorNumber(body));
    const faults = [
      ...judgeTransfer(product, body, { debtor: debtorCurrency, creditor: creditor?.currency ?? null }),
      // A KID is a Norwegian reference: a payment from abroad could not carry one.
      ...(isForeign(product) ? [] : judgeKid(body, creditor?.kid_agreement ?? null)),
    ];
    return path === '' ? faults : faults.map((fault) => within(path, fault));
  });
}

/** The debtor account of a bulk payment stands once, beside its items. */
function within(path: string, fault: Fault): Fault {
  if (fault.path?.startsWith('debtorAccount')) return fault;
  return { ...fault, path: fault.path === undefined ? path : `${path}.${fault.path}` };
}
