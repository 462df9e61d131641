import type { Account } from '../accounts/rows/accounts.ts';

/** An account as those see it who manage the sandbox's data: with its holder. */
export interface SandboxAccount {
  readonly account: Account;
  readonly customerNumber: string;
}
