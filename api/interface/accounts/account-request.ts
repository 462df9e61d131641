import type { AccountRequest } from '../../../engine/consents/account-access.ts';
import type { Call } from '../../pipeline/endpoint.ts';
import { psuOf } from '../../pipeline/request-headers.ts';

/** What a request for account information says of TPP, PSU and return address. */
export function accountRequest({ tpp, headers }: Call): AccountRequest {
  return {
    tpp,
    psu: psuOf(headers),
    context: headers.psuContext,
    redirectUri: headers.redirectUri,
    sessionId: headers.sessionId,
    psuIsPresent: headers.psuIpAddress !== null,
  };
}
