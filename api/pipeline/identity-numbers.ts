/** Eleven digits that stand alone. Those in a member `bban`, in a serial number (`SN=...`) and at the end of a UUID are something else. */
const elevenDigits =
  /(?<!\d)(?<!"bban"\s*:\s*")(?<!SN=[0-9A-F]{0,40})(?<![\da-f]{8}(?:-[\da-f]{4}){3}-(?=[\da-f]{12}(?![\da-f]))[\da-f]?)\d{11}(?!\d)/gi;

/** Masks national identity numbers, D-, H- and synthetic numbers, as they are written, with asterisks of the same length. */
export function withoutIdentityNumbers(text: string): string {
  return text.replace(elevenDigits, (digits) => (isIdentityNumber(digits) ? '*'.repeat(digits.length) : digits));
}

const firstWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const secondWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Whether eleven digits are an identity number: a day, a month and both check digits. A D-number adds 40 to the day; H- and synthetic
 * numbers add 40, 65 or 80 to the month. From 2032 on, the first check digit may leave a rest of 0 to 3.
 */
export function isIdentityNumber(digits: string): boolean {
  const day = Number(digits.slice(0, 2)) % 40;
  const wholeMonth = Number(digits.slice(2, 4));
  const month = [80, 65, 40, 0].map((more) => wholeMonth - more).find((left) => left > 0) ?? 0;
  if (Number(digits.slice(0, 2)) > 71 || day < 1 || day > 31 || month < 1 || month > 12) return false;
  const sum = (weights: readonly number[]): number =>
    weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0) % 11;
  return sum(firstWeights) <= 3 && sum(secondWeights) === 0;
}
