import { consent } from '../../control/consents.ts';
import { consoleAction } from '../console-view.ts';

/** Ends a consent, as the PSU does at the bank. */
export const revokeConsent = consoleAction({
  path: '/consents/:consentId/revoke',
  method: 'DELETE',
  call: '/consents/:consentId',
  answer: consent,
  done: ({ psu, tpp }) => ({ text: `${psu.name} has revoked the consent of ${tpp}.` }),
});
