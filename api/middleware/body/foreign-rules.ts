import { parseIban } from '../../../engine/core/iban.ts';
import { sepaZone } from '../../../engine/core/sepa-countries.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';

/** rules.md P11: a SEPA payment needs a BIC outside the EEA. */
export function agentOutsideEea({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined) return [];
  const iban = memberOf(creditorAccount, 'iban');
  const read = typeof iban === 'string' ? parseIban(iban) : '';
  if (typeof read === 'string' || sepaZone(read.country) !== 'outside the EEA') return [];
  const text = `creditorAgent is missing: ${read.country} is outside the EEA, and a payment there needs the BIC of the creditor's bank.`;
  return [{ member: 'creditorAgent', text }];
}

/** An account number that is no IBAN says nothing of its bank. */
export function agentWithoutIban({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined || memberOf(creditorAccount, 'bban') === undefined) return [];
  if (memberOf(creditorAccount, 'iban') !== undefined) return [];
  const text = `creditorAgent is missing: an account without iban needs the BIC of its bank. Send one of the two.`;
  return [{ member: 'creditorAgent', text }];
}
