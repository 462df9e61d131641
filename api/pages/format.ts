const noBreak = '\u00a0';
const minus = '\u2212';

/**
 * A decimal string in Norwegian notation, with no-break spaces: `1 234,50 NOK`. Keeps all digits.
 */
export function amountText({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const [whole = '', fraction] = amount.replace('-', '').split('.');
  const first = whole.length % 3;
  const grouped = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].filter(Boolean).join(noBreak);
  const digits = fraction === undefined ? grouped : `${grouped},${fraction}`;
  return `${amount.startsWith('-') ? minus : ''}${digits}${noBreak}${currency}`;
}

/** An account number in groups, the BBAN if there is one: `0923 29 11044`, else `NO78 0923 2911 044`. */
export function accountText(account: { readonly bban?: string | null; readonly iban?: string | null }): string {
  const bban = account.bban ?? '';
  if (/^\d{11}$/.test(bban)) return [bban.slice(0, 4), bban.slice(4, 6), bban.slice(6)].join(noBreak);
  if (bban !== '') return bban;
  return (account.iban ?? '').replaceAll(' ', '').replace(/.{4}(?=.)/g, `$&${noBreak}`);
}
