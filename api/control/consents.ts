import { formatInstant } from '../../engine/values/instant.ts';
import { grantConsentDirectly } from '../../engine/consents/grant-consent-directly.ts';
import { type ConsentView, listConsents } from '../../engine/consents/list-consents.ts';
import { revokeConsent } from '../../engine/consents/revoke-consent.ts';
import { consentGrantBody } from './consent-grant-body.ts';
import { accountNumbers } from '../interface/account-reference.ts';
import { controlEndpoint, type ControlEndpoint } from './control-endpoint.ts';

const path = '/consents';

/** `/sandbox/consents`: consents that PSUs grant and revoke directly with the bank (rules.md A7). */
export const consents: readonly ControlEndpoint[] = [
  { method: 'GET', path, handle: async ({ bank }) => ({ consents: (await listConsents(bank)).map(formatConsent) }) },
  controlEndpoint({
    method: 'POST',
    path,
    body: consentGrantBody,
    handle: async (call) => {
      const { tpp, psu, context = 'PRIVATE', agreement = null, accounts = null } = call.readBody();
      return formatConsent(await grantConsentDirectly(call.bank, { tppId: tpp, psu, context, agreement, accounts }));
    },
  }),
  {
    method: 'DELETE',
    path: `${path}/:consentId`,
    handle: async ({ bank, params }) => formatConsent(await revokeConsent(bank, params['consentId'] ?? '')),
  },
];

/** `psuId` is the TPP's PSU-ID, `corporateId` its PSU-Corporate-ID. */
function formatConsent({ consent, accounts, cards }: ConsentView): object {
  const isCorporate = consent.owner_type === 'corporate';
  return {
    consentId: String(consent.id),
    tpp: consent.tpp_id,
    psu: { number: consent.customer_number, name: consent.customer_name },
    psuId: consent.psu_id,
    context: isCorporate ? 'CORPORATE' : 'PRIVATE',
    ...(isCorporate && { corporateId: consent.agreement_id }),
    agreement: consent.agreement_name,
    accounts: accounts.map((account) => ({ id: account.resource_id, ...accountNumbers(account), name: account.name })),
    cardAccounts: cards.map((card) => ({ id: card.resource_id, maskedPan: card.masked_pan, name: card.name })),
    grantedAt: formatInstant(consent.granted_at),
    endedAt: consent.ended_at === null ? null : formatInstant(consent.ended_at),
    lastScaAt: formatInstant(consent.last_sca_at),
  };
}
