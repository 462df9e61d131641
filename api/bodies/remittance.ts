import * as Type from 'typebox';
import { isKidForm } from '../../engine/payments/rules/kid.ts';
import { faultAt, formatValue, memberOf, type Members, type RuleFault } from './rule.ts';
import { choice, listOf, optional, shortText, titled } from './schema.ts';

/** Issuer of references of Norwegian e-invoices (real-api-facts.md 4.1). */
const eInvoices = 'BITS-EFAKTURA';

export const remittanceInformationUnstructured = Type.String({
  title: 'RemittanceInformationUnstructured',
  description: 'a text of 1 to 140 characters',
  minLength: 1,
  maxLength: 140,
  format: 'said-text',
});

export const structuredRemittance = titled(
  'StructuredRemittance',
  'SCOR: a KID. CINV: the reference of an e-invoice, with its issuer.',
  {
    rules: [kidForm, eInvoiceIssuer],
  },
).closed({
  reference: shortText('a reference of 1 to 35 characters', 35, {
    format: 'clearing-text',
    examples: ['99754667145676221'],
  }),
  referenceType: choice('the kind of reference', ['SCOR', 'CINV']),
  // A blank one is as if it were not sent (rules.md P8b).
  referenceIssuer: optional(
    Type.String({
      description: 'an issuer of 1 to 35 characters',
      maxLength: 35,
      format: 'clearing-text',
      examples: [eInvoices],
    }),
  ),
});

export const remittanceInformationStructuredArray = listOf(structuredRemittance, 'a list of one reference or more', {
  minItems: 1,
});

/**
 * rules.md P6: a SCOR reference has 2 to 25 digits. Its check digit depends on the creditor account and is checked
 * later.
 */
function kidForm({ reference, referenceType }: Members): readonly RuleFault[] {
  if (referenceType !== 'SCOR' || typeof reference !== 'string' || reference === '' || isKidForm(reference)) return [];
  const text = `${formatValue(reference)} is no KID: expected 2 to 25 digits, the last may be "-", without blanks (for example "99754667145676221").`;
  return faultAt('reference', text);
}

/** rules.md P6: a CINV reference has the issuer of e-invoices. */
function eInvoiceIssuer({ referenceType, referenceIssuer }: Members): readonly RuleFault[] {
  if (referenceType !== 'CINV' || referenceIssuer === eInvoices) return [];
  const received = referenceIssuer === undefined ? 'missing' : formatValue(referenceIssuer);
  const text = `The referenceIssuer of a CINV reference is ${received}: expected "${eInvoices}", the issuer of e-invoices.`;
  return faultAt('referenceIssuer', text);
}

/** rules.md P6: an e-invoice has one CINV and one SCOR reference. */
export function oneOfEachReference({ remittanceInformationStructuredArray: given }: Members): readonly RuleFault[] {
  const references: readonly unknown[] = Array.isArray(given) ? given : [];
  const types = references.map((reference) => memberOf(reference, 'referenceType'));
  if (!types.includes('CINV')) return [];
  return types.flatMap((type, index) => {
    if ((type !== 'CINV' && type !== 'SCOR') || types.indexOf(type) === index) return [];
    const text = `There is a second ${type} reference. An e-invoice has one CINV and one SCOR: leave this one out.`;
    return faultAt(`remittanceInformationStructuredArray[${index}]`, text);
  });
}

/** rules.md P6: structured or unstructured, never both. */
export function oneRemittance(members: Members): readonly RuleFault[] {
  const both = members['remittanceInformationUnstructured'] !== undefined;
  const member = 'remittanceInformationStructuredArray';
  if (!both || members[member] === undefined) return [];
  return faultAt(member, 'Remittance information is structured or unstructured, never both. Send one of the two.');
}
