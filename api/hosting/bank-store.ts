import type { BankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import type { SandboxCa } from '../start/trusted-cas.ts';

/** The record that a server keeps of a named bank beside its ledger. Its instants are of the wall clock. */
export interface BankRecord {
  /** The settings that it was made with; `clockNow` null: the file of the bank came without them. */
  readonly config: Config;
  /** Hash of the call that made it; null: no call did. */
  readonly asked: string | null;
  /** When its clock started. */
  readonly since: Instant;
  /** The last request to it. */
  readonly used: Instant;
  /** When the log warned that it will expire; null: not since the last request. */
  readonly warned: Instant | null;
  /** Its clock as it was last seen; null: nobody has looked yet. */
  readonly clock: BankClock | null;
  readonly faults: readonly ArmedFault[];
}

/** The stored credentials of a bank. */
export interface KeptCredentials {
  /** The key of its token (`tokenKey` of api/pipeline/control-token.ts); null: its token was revoked. */
  readonly tokenKey: string | null;
  /** Null until it is first needed. */
  readonly ca: SandboxCa | null;
}

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The regular expression of a name, as text. */
export const nameForm: string = namePattern.source;

/** Name of the bank at the root, which cannot be created or removed. */
export const defaultName = 'default';

/** Whether a bank beside `default` can have this name. */
export function isBankName(name: string): boolean {
  return namePattern.test(name) && name !== defaultName;
}
