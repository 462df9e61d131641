// ISO 9362:2022: four for the party, the country, two for the place, three more for a branch.
const structure = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** Whether the text is a business identifier code in its form: 8 or 11 capitals and digits. */
export function isBic(text: string): boolean {
  return structure.test(text);
}

/** The country of the bank that a BIC names. */
export function bicCountry(bic: string): string {
  return bic.slice(4, 6);
}
