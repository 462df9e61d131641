import type { Fault } from '../../values/fault.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';

/** How the last character of a KID is checked (rules.md P6). */
export type KidCheck = 'MOD10' | 'MOD11';

/** Whether the text has the form of a KID: 2 to 25 characters, digits, the last may be `-` (rules.md P6). */
export function isKidForm(text: string): boolean {
  return /^\d{1,24}[\d-]$/.test(text);
}

/** Whether the text is a KID whose last character is the check digit of the others. */
export function isKid(text: string, check: KidCheck): boolean {
  return isKidForm(text) && text.at(-1) === checkDigit(text.slice(0, -1), check);
}

/** The KID of a number, with its check digit at the end. */
export function kidOf(stem: string, check: KidCheck): string {
  return stem + checkDigit(stem, check);
}

function checkDigit(stem: string, check: KidCheck): string {
  return check === 'MOD10' ? mod10(stem) : mod11(stem);
}

/** Luhn algorithm: from the right every other digit is doubled and the digits of the result are added. */
function mod10(stem: string): string {
  const sum = fromTheRight(stem, (digit, place) => (place % 2 === 0 ? crossSum(digit * 2) : digit));
  return String((10 - (sum % 10)) % 10);
}

/** Weights 2 to 7 from the right, repeated. A check digit of 10 is written `-`. */
function mod11(stem: string): string {
  const sum = fromTheRight(stem, (digit, place) => digit * (2 + (place % 6)));
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? '-' : String(digit);
}

function fromTheRight(stem: string, weighted: (digit: number, place: number) => number): number {
  return Array.from(stem)
    .reverse()
    .reduce((sum, digit, place) => sum + weighted(Number(digit), place), 0);
}

function crossSum(number: number): number {
  return number > 9 ? number - 9 : number;
}

const member = 'remittanceInformationStructuredArray';

/**
 * Checks the KID of a transfer (rules.md P6). `agreement` is the creditor account's KID agreement, null without one.
 * With an agreement a missing KID is KID_MISSING and a wrong check digit KID_INVALID; without one no check digit is
 * checked. An e-invoice (CINV) always needs a KID (SCOR) beside it: KID_MISSING. A periodic payment carries none (P6b).
 */
export function checkKid(body: CreditTransferInitiation, agreement: KidCheck | null, isPeriodic: boolean): Fault[] {
  if (isPeriodic) return agreement === null ? [] : [periodicToKidAccount(agreement)];
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

function periodicToKidAccount(agreement: KidCheck): Fault {
  const text =
    'A periodic payment carries no structured reference, and the creditor account takes payments with a KID ' +
    `(${agreement}) only. Send single payments with a KID, or another creditorAccount.`;
  return { code: 'KID_MISSING', path: 'creditorAccount', text };
}

function missingKid(isEInvoice: boolean, agreement: KidCheck | null): Fault[] {
  if (isEInvoice) {
    const text = 'An e-invoice (CINV) is paid with its KID. Send a second reference, of referenceType SCOR, beside it.';
    return [{ code: 'KID_MISSING', path: member, text }];
  }
  if (agreement === null) return [];
  const text =
    `The creditor account takes payments with a KID (${agreement}) only. ` +
    `Send ${member}: [{"reference": the KID, "referenceType": "SCOR"}].`;
  return [{ code: 'KID_MISSING', path: member, text }];
}
