import type { Engagement } from '../../../engine/parties/rows/engagements.ts';
import type { SandboxAgreement } from '../../../engine/sandbox-data/sandbox-agreement.ts';
import { link } from '../../pipeline/links.ts';

/** real-api-facts.md 10: /v1/sandbox/agreements. A private customer's own can only be read. */
export function sandboxAgreement({ agreement, engagements }: SandboxAgreement) {
  const self = `/v1/sandbox/agreements/${agreement.resource_id}`;
  const isCorporate = agreement.owner_type === 'corporate';
  return {
    agreementId: agreement.resource_id,
    owner: agreement.owner_number,
    name: agreement.name,
    type: agreement.owner_type.toUpperCase(),
    engagements: engagements.map(sandboxEngagement),
    _links: {
      self: isCorporate ? link(self, 'GET', 'DELETE') : link(self, 'GET'),
      ...(isCorporate && { engagements: link(`${self}/engagements`, 'POST') }),
    },
  };
}

/** An engagement as it is sent. */
export function sandboxEngagement({ customer_number: customer, bban, iban, may_view, may_register }: Engagement) {
  return {
    customer,
    account: { ...(bban !== null && { bban }), ...(iban !== null && { iban }) },
    roles: [...(may_view === 1 ? ['VIEW'] : []), ...(may_register === 1 ? ['REGISTER'] : [])],
  };
}
