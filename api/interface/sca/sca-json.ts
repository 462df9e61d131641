import type { Told } from '../../bodies/written.ts';
import type { offeredScaAnswer, startedScaAnswer } from '../answer-parts.ts';
import { link } from '../../pipeline/endpoint.ts';

/** Answer to starting an authorisation (rules.md A1). */
export function startedSca(scaAddress: string): Told<typeof startedScaAnswer> {
  return { scaStatus: 'started', ...offeredSca(scaAddress) };
}

/** Only the link to the SCA page: for consents, and for refusals that ask for an SCA (rules.md E1). */
export function offeredSca(scaAddress: string): Told<typeof offeredScaAnswer> {
  return { _links: { scaRedirect: link(scaAddress, 'GET') } };
}
