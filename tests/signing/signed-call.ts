import { createPrivateKey, sign } from 'node:crypto';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import type { SignatureCheckOptions } from '../../api/signing/signature-check.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import type { Tpp } from '../../api/signing/certificate/tpp-certificate.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Fault } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { signedAt, testCertificate } from '../lab/certificates.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

export const body = Buffer.from('{"instructedAmount":{"amount":"100.00","currency":"NOK"}}');
const target = '/v1/periodic-payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';
const psuHeaders = {
  'PSU-ID': '8f0e3cb6-7a1c-4d0a-9a3c-0c0f4e545245',
  'TPP-Redirect-URI': 'https://tpp.example/callback',
};

/** The header list of a rightly signed POST, by default with the plain certificate. */
export function signedHeaders(
  certificate: IssuedCertificate = testCertificate(),
  date: Instant = signedAt,
): HeaderList {
  const added = signHeaders({
    method: 'POST',
    target,
    headers: psuHeaders,
    body,
    certificate: certificate.certificatePem,
    key: certificate.keyPem,
    date,
    requestId: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19',
  });
  return Object.entries({ ...psuHeaders, ...added });
}

export function call(headers: HeaderList, changes: Partial<SignedRequest> = {}): SignedRequest {
  return { method: 'POST', target, rawHeaders: headers.flat(), body, ...changes };
}

/** The list with one header set (once, at the end) or, with null, taken out. */
export function withHeader(headers: HeaderList, name: string, value: string | null): HeaderList {
  const others = headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return value === null ? others : [...others, [name, value]];
}

export function headerOf(headers: HeaderList, name: string): string {
  return headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? '';
}

/** The list with its Signature header rewritten. */
export function withSignature(headers: HeaderList, rewrite: (signature: string) => string): HeaderList {
  return withHeader(headers, 'Signature', rewrite(headerOf(headers, 'Signature')));
}

/** Signs a text by hand, apart from the code under test. */
export function signText(text: string, certificate: IssuedCertificate = testCertificate()): string {
  return sign('RSA-SHA256', Buffer.from(text, 'latin1'), createPrivateKey(certificate.keyPem)).toString('base64');
}

export interface Check extends Partial<SignatureCheckOptions> {
  readonly now?: Instant;
  readonly role?: 'PSP_PI' | 'PSP_AI' | null;
}

/** Judges a call by a new check: trust any, at the moment of signing, no role asked for, unless said otherwise. */
export function judge(request: SignedRequest, { now = signedAt, role = null, ...options }: Check = {}): Promise<Tpp> {
  return createSignatureCheck({ trust: 'any', ...options })(request, now, role);
}

/** The first fault of the refusal; throws when the call is accepted or fails in any other way. */
export async function refusalOf(request: SignedRequest, check: Check = {}): Promise<Fault> {
  return faultOf(() => judge(request, check));
}

/** The first fault of the refusal that an action ends in; throws when it ends in anything else. */
export async function faultOf(action: () => unknown): Promise<Fault> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Refusal) return error.faults[0];
    throw error;
  }
  throw new Error('expected a refusal');
}
