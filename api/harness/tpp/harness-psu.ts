import { BankError } from '../bank-error.ts';
import type { Control } from '../connect.ts';
import { membersGiven, textGiven, wrongGiven } from '../given.ts';
import type { AccountReader, Psu, ScaRedirect } from '../types/index.ts';

/** A PSU who finishes SCAs in one call each (rules.md A3). */
export function harnessPsu(control: Control, customerNumber: string): Psu {
  textGiven('bank.psu', "the PSU's customer number", customerNumber);
  const answer = async (outcome: string, scaRedirect: ScaRedirect, more: object = {}): Promise<URL> => {
    const { id, state } = scaIn(`psu.${outcome}`, scaRedirect);
    const asked = { params: { scaId: id }, query: { state }, body: { outcome, ...more } };
    const { redirect } = await control('POST /sca/:scaId', asked);
    return new URL(redirect);
  };
  return {
    customerNumber,
    approve: async (scaRedirect, approval = {}) => {
      membersGiven('psu.approve', ['context', 'agreement', 'accounts'], approval);
      const { context = 'PRIVATE', ...others } = approval;
      return answer('approve', scaRedirect, { psu: customerNumber, context, ...others });
    },
    revoke: (consent) => revoke(control, customerNumber, consent),
    cancel: (scaRedirect) => answer('cancel', scaRedirect),
    reject: (scaRedirect) => answer('reject', scaRedirect),
    expire: (scaRedirect) => answer('expire', scaRedirect),
    fail: (scaRedirect, failure) => answer('fail', scaRedirect, { failure }),
  };
}

/** Ends the consent of a reader (rules.md A7). The TPP's own ids of PSU and agreement identify it. */
async function revoke(control: Control, customerNumber: string, consent: AccountReader): Promise<URL> {
  const { headers } = Object(consent) as Partial<AccountReader>;
  if (headers === undefined) throw wrongGiven('psu.revoke', 'the consent that tpp.consent returned', consent);
  const { consents } = await control('GET /consents');
  const all = consents.filter(
    ({ psuId, corporateId }) => psuId === headers['psu-id'] && corporateId === headers['psu-corporate-id'],
  );
  const ofReader = all.find(({ endedAt }) => endedAt === null) ?? all.at(-1);
  if (ofReader?.psu.number === customerNumber) {
    await control('DELETE /consents/:consentId', { params: { consentId: ofReader.consentId } });
    const { address } = await control('GET /access/:number', { params: { number: customerNumber } });
    return new URL(address);
  }
  const whose = ofReader === undefined ? 'it grants nothing' : `it is a consent of the PSU ${ofReader.psu.number}`;
  const text = `The PSU ${customerNumber} cannot revoke this consent: ${whose}.`;
  throw new BankError(text, { status: 404, code: 'NOT_FOUND' });
}

const wanted = 'the address of an SCA page, which an answer has in _links.scaRedirect and tpp.authorise returns';

/** The path of a scaRedirect ends in the id. A bank may add a query (rules.md A2g): without it `state` is `none`. */
function scaIn(call: string, scaRedirect: ScaRedirect): Readonly<Record<'id' | 'state', string>> {
  const given: unknown = scaRedirect;
  const address = typeof given === 'object' && given !== null && 'href' in given ? given.href : given;
  const text = typeof address === 'string' ? address : '';
  const id = /\/sca\/([^/?#]+)/.exec(text)?.[1];
  if (id !== undefined) return { id, state: /[?&]state=([^&#]*)/.exec(text)?.[1] ?? 'none' };
  throw wrongGiven(call, wanted, address);
}
