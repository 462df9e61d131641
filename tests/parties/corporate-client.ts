import type { Reply, TestBank } from '../lab/server.ts';

/** PSUs of the known state that act for corporations. */
export const corporatePsu = '18129215603';
export const otherCorporatePsu = '20079518612';
export const sigrid = '17818050100';
export const tor = '20818850094';
export const unknownId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';

/** The parameters that a redirect adds. */
export function parameters(address: URL): Record<string, string> {
  return Object.fromEntries(address.searchParams);
}

/** The scaRedirect of an answer, or of one that an SCA would cure. */
export function scaOf(reply: Reply): string {
  return reply.body._links.scaRedirect.href;
}

/** The headers of a PSU in corporate context. */
export function headersOf(redirect: URL, more: Record<string, string> = {}): Record<string, string> {
  const corporateId = redirect.searchParams.get('psu-corporate-id');
  return {
    'psu-id': redirect.searchParams.get('psu-id') ?? '',
    ...(corporateId !== null && { 'psu-corporate-id': corporateId }),
    ...more,
  };
}

/** A corporate consent from beginning to end; gives the redirect. */
export async function corporateConsent(bank: TestBank, psu = corporatePsu, more: object = {}): Promise<URL> {
  const offered = await bank.signed('POST', '/v1/bank-offered-consents');
  return bank.approve(scaOf(offered), psu, { context: 'CORPORATE', ...more });
}

/** Code and path of each message. */
export function messages(reply: Reply): string[] {
  return reply.body.tppMessages.map(({ code, path }: Record<string, string>) =>
    path === undefined ? code : `${code} ${path}`,
  );
}
