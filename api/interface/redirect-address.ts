import type { ScaResult } from '../../engine/approval/finish-sca.ts';
import { faultResponse } from '../faults/fault-response.ts';

/** The system that a failure names as its origin (interface: Redirect query parameters). */
const system = 'sandbank';

/**
 * Where the PSU goes after an SCA: the TPP's own address, its query and fragment kept, with the interface's redirect
 * query parameters after its query (rules.md A2, A4). Taken as text, so that an app's scheme stays as it is; that it is ASCII was judged with the header.
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
