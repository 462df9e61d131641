import { link } from '../../pipeline/links.ts';

/** A started authorisation (rules.md A1). */
export function startedSca(scaAddress: string) {
  return { scaStatus: 'started', ...offeredSca(scaAddress) };
}

/** A link to the SCA page alone: consents, and refusals that an SCA would cure (rules.md E1). */
export function offeredSca(scaAddress: string) {
  return { _links: { scaRedirect: link(scaAddress, 'GET') } };
}
