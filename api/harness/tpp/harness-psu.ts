import type { Control } from '../control.ts';
import { membersGiven, textGiven, wrongGiven } from '../given.ts';
import type { Psu, ScaRedirect } from '../types.ts';

/** A PSU who finishes SCAs in one call each (rules.md A3). */
export function harnessPsu(control: Control, customerNumber: string): Psu {
  textGiven('bank.psu', "the PSU's customer number", customerNumber);
  const answer = async (call: string, scaRedirect: ScaRedirect, outcome: object): Promise<URL> => {
    const id = scaIdIn(`psu.${call}`, scaRedirect);
    const { redirect } = await control<{ readonly redirect: string }>('POST', `/sca/${id}`, outcome);
    return new URL(redirect);
  };
  return {
    customerNumber,
    approve: async (scaRedirect, approval = {}) => {
      membersGiven('psu.approve', ['context', 'agreement', 'accounts'], approval);
      const { context = 'PRIVATE', agreement, accounts } = approval;
      return answer('approve', scaRedirect, {
        outcome: 'approve',
        psu: customerNumber,
        context,
        ...(agreement !== undefined && { agreement }),
        ...(accounts !== undefined && { accounts }),
      });
    },
    cancel: (scaRedirect) => answer('cancel', scaRedirect, { outcome: 'cancel' }),
    reject: (scaRedirect) => answer('reject', scaRedirect, { outcome: 'reject' }),
    expire: (scaRedirect) => answer('expire', scaRedirect, { outcome: 'expire' }),
    fail: (scaRedirect, failure) =>
      answer('fail', scaRedirect, { outcome: 'fail', ...(failure !== undefined && { failure }) }),
  };
}

const wanted = 'the address of an SCA page, which an answer has in _links.scaRedirect and tpp.authorise returns';

/** The path of a scaRedirect ends in the id. */
function scaIdIn(call: string, scaRedirect: ScaRedirect): string {
  const given: unknown = scaRedirect;
  const address = typeof given === 'object' && given !== null && 'href' in given ? given.href : given;
  const id = /\/sca\/([^/?#]+)/.exec(typeof address === 'string' ? address : '')?.[1];
  if (id !== undefined) return id;
  throw wrongGiven(call, wanted, address);
}
