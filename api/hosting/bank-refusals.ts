import { NotAllowed, Refusal } from '../../engine/values/fault.ts';
import { quote } from '../../engine/values/text.ts';
import { Problem } from '../pipeline/problem.ts';
import { defaultName, isBankName, nameForm } from './bank-store.ts';

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
