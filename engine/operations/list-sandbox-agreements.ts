import { agreements } from '../ledger/agreements.ts';
import type { BankContext } from './shared/bank-context.ts';
import { withEngagements, type SandboxAgreement } from './shared/sandbox-agreement.ts';

/** Every agreement, private and corporate (real-api-facts.md 10). */
export function listSandboxAgreements(bank: BankContext): Promise<SandboxAgreement[]> {
  return bank.ledger.read(async (reader) => {
    const found: SandboxAgreement[] = [];
    for (const agreement of await agreements(reader)) found.push(await withEngagements(reader, agreement));
    return found;
  });
}
