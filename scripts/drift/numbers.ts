/* Numbers of persons and companies by their digits alone. No stand-in is one of them. */

/** Eight digits of a Norwegian phone; none begins with 0 or 1. */
export function isPhoneNumber(digits: string): boolean {
  return /^[2-9]\d{7}$/.test(digits);
}

const organisationWeights = [3, 2, 7, 6, 5, 4, 3, 2, 1];

/** Nine digits of the register of companies, with their check digit. */
export function isOrganisationNumber(digits: string): boolean {
  if (!/^[89]\d{8}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, at) => sum + Number(digit) * (organisationWeights[at] ?? 0), 0) % 11 === 0;
}

/** Sixteen digits of a card, with their check digit (ISO/IEC 7812). */
export function isCardNumber(digits: string): boolean {
  if (!/^[2-6]\d{15}$/.test(digits)) return false;
  const sum = [...digits].reduce((all, digit, at) => {
    const own = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return all + (own > 9 ? own - 9 : own);
  }, 0);
  return sum % 10 === 0;
}
