import { agreements } from '../parties/rows/agreements.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { withEngagements, type SandboxAgreement } from './sandbox-agreement.ts';

/** Every agreement, private and corporate (real-api-facts.md 10). */
export function listSandboxAgreements(bank: BankContext): Promise<SandboxAgreement[]> {
  return bank.ledger.read(async (reader) => {
    const found: SandboxAgreement[] = [];
    for (const agreement of await agreements(reader)) found.push(await withEngagements(reader, agreement));
    return found;
  });
}
