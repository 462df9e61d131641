import type { ScaResult } from '../../engine/approval/finish-sca.ts';
import { faultResponse } from '../faults/fault-response.ts';

/** Value of `system` after a failure (interface: Redirect query parameters). */
const system = 'sandbank';

/** The interface's redirect query parameters, of a success, then of a failure. */
const ownNames = [
  'psu-id',
  'psu-corporate-id',
  'tpp-session-id',
  'context',
  'system',
  'status',
  'code',
  'message',
] as const;
const areOwn: ReadonlySet<string> = new Set(ownNames);

/**
 * The address to which the PSU's browser returns after an SCA: TPP-Redirect-URI with the interface's redirect query
 * parameters (rules.md A2, A4). They replace parameters of the same names (A2h). Works on text, because the address may
 * have an app's own scheme; the header check has made sure that it is ASCII.
 */
export function redirectAddress(result: ScaResult): string {
  const address = result.redirectUri;
  const hash = address.indexOf('#');
  const [rest, fragment] = hash < 0 ? [address, ''] : [address.slice(0, hash), address.slice(hash)];
  const base = withoutOwnParameters(rest);
  const query = parameters(result).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return `${base}${separatorAfter(base)}${query.join('&')}${fragment}`;
}

/** Drops the query parameters whose decoded names are the bank's. All others stay, in their order. */
function withoutOwnParameters(address: string): string {
  const mark = address.indexOf('?');
  if (mark < 0) return address;
  const parts = address.slice(mark + 1).split('&');
  const kept = parts.filter((part) => !areOwn.has(nameIn(part)));
  return kept.length === parts.length ? address : `${address.slice(0, mark + 1)}${kept.join('&')}`;
}

/** The decoded name of one parameter. */
function nameIn(part: string): string {
  // URLSearchParams drops a question mark at the beginning; the & protects it.
  const [name = ''] = new URLSearchParams(`&${part}`).keys();
  return name;
}

function parameters({ answer }: ScaResult): readonly (readonly [(typeof ownNames)[number], string])[] {
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
