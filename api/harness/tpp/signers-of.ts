import type { Bank } from '../../../engine/bank.ts';
import { listPsus } from '../../../engine/sandbox-data/psus.ts';
import { findAccount } from '../account-state.ts';
import type { Approval } from '../types.ts';

export interface Signer {
  readonly psu: string;
  readonly approval: Approval;
}

/** An account's currency, and who signs payments from it: the usual ones, and how each of any PSUs does. */
export interface Signers {
  readonly currency: string;
  /** The holder, or for a corporation's account the PSUs who may pay from it (rules.md D4). At least one. */
  readonly usual: readonly [Signer, ...Signer[]];
  of(psu: string): Signer;
}

/** `account`: BBAN or IBAN. Throws an Error when there is none. */
export async function signersOf(bank: Bank, account: string): Promise<Signers> {
  const { account: debtor, holder } = await findAccount(bank, account);
  const psus = await listPsus(bank);
  const mayPay = psus.flatMap(({ customerNumber: psu, engagements }) =>
    engagements
      .filter(({ account: { bban, iban } }) => bban === debtor.bban && iban === debtor.iban)
      .filter(({ roles }) => roles.includes('REGISTER'))
      .map(({ agreement }): Signer => ({ psu, approval: { context: 'CORPORATE', agreement: agreement.id } })),
  );
  const isPerson = psus.some(({ customerNumber }) => customerNumber === holder);
  const [first, ...others] = mayPay;
  return {
    currency: debtor.currency,
    usual: isPerson || first === undefined ? [{ psu: holder, approval: {} }] : [first, ...others],
    of: (psu) => mayPay.find((signer) => signer.psu === psu) ?? { psu, approval: {} },
  };
}
