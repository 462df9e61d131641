const noBreak = '\u00a0';

/** An account number in the groups that people read: `0923 29 11044`, `NO78 0923 2911 044`; the BBAN where there is one. */
export function accountText(account: { readonly bban?: string | null; readonly iban?: string | null }): string {
  const bban = account.bban ?? '';
  if (/^\d{11}$/.test(bban)) return [bban.slice(0, 4), bban.slice(4, 6), bban.slice(6)].join(noBreak);
  if (bban !== '') return bban;
  return (account.iban ?? '').replaceAll(' ', '').replace(/.{4}(?=.)/g, `$&${noBreak}`);
}
