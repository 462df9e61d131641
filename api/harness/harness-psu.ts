import type { Control } from './control.ts';
import type { Psu, ScaRedirect } from './types.ts';

/** A PSU who finishes SCAs in one call each (rules.md A3). */
export function harnessPsu(control: Control, customerNumber: string): Psu {
  const answer = async (scaRedirect: ScaRedirect, outcome: object): Promise<URL> => {
    const { redirect } = await control<{ readonly redirect: string }>('POST', `/sca/${scaIdIn(scaRedirect)}`, outcome);
    return new URL(redirect);
  };
  return {
    customerNumber,
    approve: (scaRedirect, { context = 'PRIVATE', agreement, accounts } = {}) =>
      answer(scaRedirect, {
        outcome: 'approve',
        psu: customerNumber,
        context,
        ...(agreement !== undefined && { agreement }),
        ...(accounts !== undefined && { accounts }),
      }),
    cancel: (scaRedirect) => answer(scaRedirect, { outcome: 'cancel' }),
    expire: (scaRedirect) => answer(scaRedirect, { outcome: 'expire' }),
    fail: (scaRedirect, failure) => answer(scaRedirect, { outcome: 'fail', ...(failure !== undefined && { failure }) }),
  };
}

/** The path of a scaRedirect ends in the id. */
function scaIdIn(scaRedirect: ScaRedirect): string {
  const address = typeof scaRedirect === 'string' ? scaRedirect : scaRedirect.href;
  const id = /\/sca\/([^/?#]+)/.exec(address)?.[1];
  if (id !== undefined) return id;
  throw new Error(`${address} is no scaRedirect: expected the address that the answer has in _links.scaRedirect.href.`);
}
