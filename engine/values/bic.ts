// ISO 9362:2022: party (4), country (2), location (2), optional branch (3).
const structure = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** True for the form of a business identifier code: 8 or 11 capitals and digits. */
export function isBic(text: string): boolean {
  return structure.test(text);
}

/** Country code of a BIC. */
export function bicCountry(bic: string): string {
  return bic.slice(4, 6);
}
