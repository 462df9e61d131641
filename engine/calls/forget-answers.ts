import type { Writer } from '../ledger/database.ts';
import { forgetAnswersAbout, forgetAnswersFrom } from './rows/first-answers.ts';

/** Payments whose first answers are forgotten: these, or all from an account. */
export type Forgotten = { readonly payments: readonly { readonly id: number }[] } | { readonly accountId: number };

/** Forgets the first answers to the calls of deleted payments, so that a repeated call makes a payment again (rules.md D2). */
export async function forgetAnswers(tx: Writer, about: Forgotten): Promise<void> {
  if ('accountId' in about) await forgetAnswersFrom(tx, about.accountId);
  else await forgetAnswersAbout(tx, about.payments);
}
