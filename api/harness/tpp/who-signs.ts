import { type Signer, signerInPrivate, signerNamed, signersOf } from '../../bodies/signers.ts';
import { type BankFacts, findAccount } from '../account-state.ts';
import { textGiven } from '../given.ts';

/** An account's currency, its usual signers, and how any PSU signs. */
export interface Signers {
  readonly currency: string;
  /** The holder, or for a corporation's account the PSUs who may pay from it (rules.md D4). At least one. */
  readonly usual: readonly [Signer, ...Signer[]];
  of(psu: string): Signer;
}

/** The customer numbers in `signedBy`, one or a list; undefined: it was left out. Throws an Error for anything else. */
export function personsIn(call: string, signedBy: unknown): readonly string[] | undefined {
  if (signedBy === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(signedBy) ? signedBy : [signedBy];
  return all.map((one) => textGiven(call, 'a customer number or a list of them in signedBy', one));
}

/**
 * The signers of an account, by BBAN or IBAN. Throws a BankError for an unknown account, as the bank refuses its payments (rules.md P5b).
 */
export async function whoSigns(facts: BankFacts, account: string): Promise<Signers> {
  const { bban, iban, currency, holder } = await findAccount(facts, account, { status: 400, code: 'RESOURCE_UNKNOWN' });
  const signers = signersOf(await facts.psus(), bban ?? iban ?? '');
  // The list is not of all PSUs.
  const [first = signerInPrivate(holder), ...others] = signers;
  return { currency, usual: [first, ...others], of: (psu) => signerNamed(signers, psu) };
}
