import type { BankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import type { Config } from '../start/config.ts';
import type { SandboxCa } from '../start/trusted-cas.ts';
import { NotAllowed, Refusal } from '../../engine/values/fault.ts';
import { quote } from '../../engine/values/text.ts';
import { Problem } from '../pipeline/problem.ts';

/** The record that a server keeps of a named bank beside its ledger. Its instants are of the wall clock. */
export interface BankRecord {
  /** The settings that it was made with; `clockNow` null: the file of the bank came without them. */
  readonly config: Config;
  /** Hash of the call that made it; null: no call did. */
  readonly asked: string | null;
  /** `hashOfKnownState` of what it was made with; empty: the file of the bank came without. */
  readonly knownState: string;
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
const nameForm: string = namePattern.source;

/** Name of the bank at the root, which cannot be created or removed. */
export const defaultName = 'default';

/** Whether a bank beside `default` can have this name. */
export function isBankName(name: string): boolean {
  return namePattern.test(name) && name !== defaultName;
}

/* Why a bank beside `default` is not made, or not found. */

/** Throws BAD_REQUEST for a name that no bank can have. */
export function requireName(name: string): void {
  if (isBankName(name) || name === defaultName) return;
  const text = `${quote(name)} is no name for a bank: up to 63 small letters, digits and hyphens.`;
  throw new NotAllowed({ code: 'BAD_REQUEST', path: 'name', text }, { name: nameForm });
}

/** The name is in use, or reserved. */
export function taken(text: string): Refusal {
  return new Refusal({ code: 'CONFLICT', path: 'name', text });
}

/** `most`: the maximum number of banks beside `default`. */
export function tooMany(most: number): Problem {
  const detail = `There are ${most} banks beside ${defaultName}, which is the most. DELETE /sandbox/banks/{name} takes one away.`;
  return new Problem({ status: 429, detail, allowed: { banks: String(most) } });
}

/** The record of the bank is there, and its ledger is not. */
export function lost(name: string): Refusal {
  const text =
    `The bank ${name} has lost its ledger, ${name}.sqlite in the folder of the banks. Stop the server, put a copy of it there and start ` +
    'the server again (docs/hosting.md, Restore). A POST would make a new bank, with a new token and a new CA.';
  return new Refusal({ code: 'NOT_FOUND', text });
}

/** Another bank has the name now. */
export function replaced(name: string): Refusal {
  const text = `The bank ${name} was replaced while this request waited. Send it again.`;
  return new Refusal({ code: 'CONFLICT', text });
}
