import type { ScaResult } from '../../engine/approval/finish-sca.ts';
import { faultResponse } from '../faults/fault-response.ts';

/** Value of `system` after a failure (interface: Redirect query parameters). */
const system = 'sandbank';

/**
 * The address to which the PSU's browser returns after an SCA: TPP-Redirect-URI with the interface's redirect query
 * parameters added to its query (rules.md A2, A4). Works on text, as the address may have an app's own scheme; the header
 * check has made sure that it is ASCII.
 */
export function redirectAddress(result: ScaResult): string {
  const address = result.redirectUri;
  const hash = address.indexOf('#');
  const [base, fragment] = hash < 0 ? [address, ''] : [address.slice(0, hash), address.slice(hash)];
  const query = parameters(result).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return `${base}${separatorAfter(base)}${query.join('&')}${fragment}`;
}

function parameters({ answer }: ScaResult): readonly (readonly [string, string])[] {
  if ('fault' in answer) {
    const { status, body } = faultResponse([answer.fault], { signature401: false });
    const text = body.tppMessages[0]?.text ?? answer.fault.text;
    return [
      ['system', system],
      ['status', String(status)],
      ['code', answer.fault.code],
      ['message', text],
    ];
  }
  const { psuId, corporateId, sessionId, context } = answer;
  const corporate = corporateId === null ? [] : [['psu-corporate-id', corporateId] as const];
  const session = sessionId === null ? [] : [['tpp-session-id', sessionId] as const];
  return [['psu-id', psuId], ...corporate, ...session, ['context', context]];
}

function separatorAfter(base: string): string {
  if (!base.includes('?')) return '?';
  return base.endsWith('?') || base.endsWith('&') ? '' : '&';
}
