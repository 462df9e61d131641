const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Whether the text is a Norwegian account number in form: 11 digits, no blanks or dots (rules.md P5). */
export function isBban(text: string): boolean {
  return /^\d{11}$/.test(text);
}

/**
 * Whether the last of the 11 digits is the mod-11 check digit of the others. Judged only under the quirk `bban-mod11`
 * (rules.md P5). Eleven zeros fit the sum and are no account.
 */
export function isBbanMod11(text: string): boolean {
  if (!isBban(text) || text === '00000000000') return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return (11 - (sum % 11)) % 11 === Number(text[10]);
}
