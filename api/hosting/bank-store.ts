import type { KnownState } from '../../engine/bank/known-state.ts';
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

/** Where the named banks of a server are: in memory, or in files that outlive the process. */
export interface BankStore {
  /** Whether the banks outlive the process. */
  readonly isLasting: boolean;
  /** The ledger of a bank: a path, or `:memory:`. */
  ledgerOf(name: string): string;
  /** The names of the stored banks, in alphabetical order. Logs each file that it ignores. */
  names(): Promise<readonly string[]>;
  /** The record of a stored bank; null: no bank of this name is stored. Throws LedgerUnavailable if the record cannot be read. */
  find(name: string): Promise<BankRecord | null>;
  /** Whether a bank has files, but no ledger. */
  hasLost(name: string): Promise<boolean>;
  /** The known state that a bank was made with; null: it came without. Throws LedgerUnavailable if it cannot be read. */
  knownState(name: string): Promise<KnownState | null>;
  /** Begins a bank; the caller then makes its ledger. Throws CONFLICT if something else has its place. */
  make(name: string, record: BankRecord, knownState: KnownState): Promise<void>;
  /** Replaces the record of a bank. Throws LedgerUnavailable. */
  keep(name: string, record: BankRecord): void;
  /** The same beside the event loop, for what no answer depends on; false: it was replaced meanwhile, and is not kept. Rejects with LedgerUnavailable. */
  keepLater(name: string, record: BankRecord): Promise<boolean>;
  /** The credentials of a bank; null: it has none of its own. Throws LedgerUnavailable if they cannot be read. */
  credentials(name: string): Promise<KeptCredentials | null>;
  /** Replaces the credentials of a bank. Throws LedgerUnavailable. */
  keepCredentials(name: string, kept: KeptCredentials): void;
  /** Size of the ledger of a bank in bytes; null: it has none. */
  bytes(name: string): number | null;
  /** Size of the files of a bank in bytes: its ledger, log and snapshots, and the copy of each snapshot. */
  size(name: string): number;
  /** Differs as soon as another program has changed or replaced the file of a closed bank; null: it is gone. */
  stamp(name: string): string | null;
  /** Takes away what is kept of a closed bank. */
  remove(name: string, now: Instant): Promise<void>;
  /** Destroys what was removed a day before `now`. */
  sweep(now: Instant): Promise<void>;
  close(): void;
}

/** The store of banks in memory: they are all in the objects of this process, and it keeps nothing. */
export const inMemory: BankStore = {
  isLasting: false,
  ledgerOf: () => ':memory:',
  names: () => Promise.resolve([]),
  find: () => Promise.resolve(null),
  hasLost: () => Promise.resolve(false),
  knownState: () => Promise.resolve(null),
  make: () => Promise.resolve(),
  keep: () => undefined,
  keepLater: () => Promise.resolve(true),
  credentials: () => Promise.resolve(null),
  keepCredentials: () => undefined,
  bytes: () => null,
  size: () => 0,
  stamp: () => '',
  remove: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
  close: () => undefined,
};

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The regular expression of a name, as text. */
export const nameForm: string = namePattern.source;

/** Name of the bank at the root, which cannot be created or removed. */
export const defaultName = 'default';

/** Whether a bank beside `default` can have this name. */
export function isBankName(name: string): boolean {
  return namePattern.test(name) && name !== defaultName;
}
