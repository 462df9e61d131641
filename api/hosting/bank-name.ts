/* Names of the banks of a server. Commands load this file too, so it imports nothing. */

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The regular expression of a name, as text. */
export const nameForm: string = namePattern.source;

/** Name of the bank at the root. */
export const defaultName = 'default';

/** Whether a bank beside the one at the root can have this name. */
export function isBankName(name: string): boolean {
  return namePattern.test(name) && name !== defaultName;
}
