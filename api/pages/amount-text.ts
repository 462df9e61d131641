const noBreak = '\u00a0';
const minus = '\u2212';

/**
 * A decimal string as people in Norway write it: `1 234,50 NOK`, with blanks that do not break. The digits stay as they
 * were sent.
 */
export function amountText({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const [whole = '', fraction] = amount.replace('-', '').split('.');
  const first = whole.length % 3;
  const grouped = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].filter(Boolean).join(noBreak);
  const digits = fraction === undefined ? grouped : `${grouped},${fraction}`;
  return `${amount.startsWith('-') ? minus : ''}${digits}${noBreak}${currency}`;
}
