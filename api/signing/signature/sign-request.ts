import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import type { Instant } from '../../../engine/values/instant.ts';
import { digestOf } from './digest-check.ts';
import { issuerDn } from '../name/name-attribute.ts';
import { receivedHeaders } from './received-headers.ts';
import { normaliseSerial } from '../certificate/serial.ts';
import { coveredWhenSent } from './signature-value-check.ts';
import { signingString } from './signing-string.ts';

export interface RequestToSign {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The caller's own headers, any case; those the bank wants signed are covered (rules.md G4). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  readonly date: Instant;
  readonly requestId: string;
  readonly coverRequestTarget?: boolean;
  /** Left out: that of the certificate. */
  readonly keyId?: string;
}

/**
 * Signs a request as a TPP does. Returns the headers to send besides the caller's own: Date, X-Request-ID,
 * TPP-Signature-Certificate, Signature, and Digest (SHA-256) when there is a body. An issuer name outside ASCII
 * makes the Signature an RFC 2047 encoded word (interface: TPP authentication and signing, item 8).
 */
export function signHeaders(request: RequestToSign): Record<string, string> {
  const certificate = new X509Certificate(request.certificate);
  const added: Record<string, string> = {
    Date: new Date(request.date).toUTCString(),
    ...(request.body.length === 0 ? {} : { Digest: digestOf(request.body, 'sha-256') }),
    'X-Request-ID': request.requestId,
  };
  const all = receivedHeaders(Object.entries({ ...request.headers, ...added }).flat());
  const names = [
    ...(request.coverRequestTarget === true ? ['(request-target)'] : []),
    ...coveredWhenSent.filter((name) => all.has(name)),
  ];
  const signed = Buffer.from(signingString(request, all, names), 'latin1');
  const value = sign('RSA-SHA256', signed, createPrivateKey(request.key)).toString('base64');
  const keyId = request.keyId ?? keyIdOf(certificate);
  const signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${value}"`;
  return {
    ...added,
    'TPP-Signature-Certificate': certificate.raw.toString('base64'),
    Signature: /^[\x20-\x7e]*$/.test(signature)
      ? signature
      : `=?utf-8?B?${Buffer.from(signature).toString('base64')}?=`,
  };
}

/** The keyId of a certificate: `SN=<serial, hexadecimal>,CA=<issuer, RFC 2253>`. */
export function keyIdOf(certificate: X509Certificate): string {
  return `SN=${normaliseSerial(certificate.serialNumber) ?? ''},CA=${issuerDn(certificate)}`;
}
