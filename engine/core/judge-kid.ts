import type { Fault } from './fault.ts';
import { isKid, type KidCheck } from './kid.ts';
import type { CreditTransferInitiation } from './payment-initiation.ts';

const member = 'remittanceInformationStructuredArray';

/**
 * What is wrong with the KID of a transfer to an account of this agreement, null without one (rules.md P6): an account
 * with a KID agreement takes no payment without a KID (KID_MISSING) or with a wrong one (KID_INVALID), and an
 * e-invoice has a KID beside it wherever it goes. Without an agreement no check digit is judged.
 */
export function judgeKid(body: CreditTransferInitiation, agreement: KidCheck | null): Fault[] {
  const references = body.remittanceInformationStructuredArray ?? [];
  if (!references.some(({ referenceType }) => referenceType === 'SCOR'))
    return missingKid(references.length > 0, agreement);
  if (agreement === null) return [];
  return references.flatMap(({ reference, referenceType }, index): Fault[] => {
    if (referenceType !== 'SCOR' || isKid(reference, agreement)) return [];
    const text =
      `${reference} is no KID of the creditor account: its last character is not the ${agreement} check digit of the ` +
      'others. Send the KID of the invoice as it is printed.';
    return [{ code: 'KID_INVALID', path: `${member}[${index}].reference`, text }];
  });
}

function missingKid(isEInvoice: boolean, agreement: KidCheck | null): Fault[] {
  if (isEInvoice) {
    const text = 'An e-invoice (CINV) is paid with its KID. Send a second reference, of referenceType SCOR, beside it.';
    return [{ code: 'KID_MISSING', path: member, text }];
  }
  if (agreement === null) return [];
  const text =
    `The creditor account takes payments with a KID (${agreement}) only. ` +
    `Send ${member}: [{"reference": the KID, "referenceType": "SCOR"}]; a periodic payment cannot carry one.`;
  return [{ code: 'KID_MISSING', path: member, text }];
}
