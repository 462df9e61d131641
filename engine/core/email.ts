/** The longest address that SMTP carries (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const longestEmail = 254;

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const pattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`);

/** Whether a text is an address of the usual form, `name@domain.example`: ASCII, no quotes, a domain of two labels or more. */
export function isEmail(text: string): boolean {
  return text.length <= longestEmail && text.indexOf('@') <= 64 && pattern.test(text);
}
