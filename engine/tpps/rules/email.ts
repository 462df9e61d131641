/** Maximum length of an SMTP path (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const maxLength = 254;

const name = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is an address like `name@domain.example`: ASCII, no quotes, a domain of at least two labels. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (text.length > maxLength || at > 64 || !name.test(text.slice(0, Math.max(at, 0)))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length > 1 && labels.every((one) => label.test(one));
}
