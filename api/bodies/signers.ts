/** A PSU as `GET /sandbox/info` lists it: the accounts that it holds, and what it may do for others. */
interface PsuRights {
  readonly customerNumber: string;
  readonly accounts: readonly AccountNumbers[];
  readonly engagements: readonly {
    readonly agreement: { readonly id: string };
    readonly account: AccountNumbers;
    readonly roles: readonly string[];
  }[];
}

interface AccountNumbers {
  readonly bban: string | null;
  readonly iban: string | null;
}

/** Who signs, and what it answers on the SCA page. */
export interface Signer {
  readonly psu: string;
  readonly approval: { readonly context: 'PRIVATE' | 'CORPORATE'; readonly agreement?: string };
}

/**
 * Who signs payments from an account, by BBAN or IBAN: the holder, or the PSUs who may pay for a company (rules.md D4).
 */
export function signersOf(psus: readonly PsuRights[], account: string): Signer[] {
  return psus.flatMap(({ customerNumber: psu, accounts, engagements }): Signer[] => {
    if (accounts.some((held) => isNumberOf(account, held))) return [signerInPrivate(psu)];
    return engagements
      .filter((engaged) => isNumberOf(account, engaged.account) && engaged.roles.includes('REGISTER'))
      .map(({ agreement }) => ({ psu, approval: { context: 'CORPORATE', agreement: agreement.id } }));
  });
}

/** A PSU as one of these signers, else in private: whether it may sign is for the bank to say. */
export function signerNamed(signers: readonly Signer[], psu: string): Signer {
  return signers.find((signer) => signer.psu === psu) ?? signerInPrivate(psu);
}

export function signerInPrivate(psu: string): Signer {
  return { psu, approval: { context: 'PRIVATE' } };
}

/** Whether an account has this BBAN or IBAN. */
export function isNumberOf(number: string, { bban, iban }: AccountNumbers): boolean {
  return bban === number || iban === number;
}

/** An account of a payment body, by BBAN or IBAN. */
export function accountReference(currency: string, number: string): object {
  return { [/^[A-Z]{2}/i.test(number) ? 'iban' : 'bban']: number, currency };
}
