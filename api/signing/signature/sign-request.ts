import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { issuerDn } from '../name/name-attribute.ts';
import { normaliseSerial } from '../certificate/serial.ts';
import { coveredWhenSent, digestOf, signedText, withoutBlanks } from './signed-text.ts';

/** A certificate and its key, PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
  /** The default is that of the certificate. */
  readonly keyId?: string;
}

export interface RequestToSign extends Credentials {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The caller's own headers, any case; those the bank wants signed are covered (rules.md G4). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Milliseconds since 1970. */
  readonly date: number;
  readonly requestId: string;
  readonly coverRequestTarget?: boolean;
  /** Lower-case names of headers that are neither added nor signed. */
  readonly leaveOut?: readonly string[];
}

/**
 * Signs a request as a TPP does. Returns the headers to send besides the caller's own: TPP-Signature-Certificate and
 * Signature, and where the caller has none Date, X-Request-ID, and Digest (SHA-256) when there is a body. An issuer
 * name outside ASCII makes the Signature an RFC 2047 encoded word (interface: TPP authentication and signing, item 8).
 * Throws the Error of node:crypto for a certificate or key that is no PEM.
 */
export function signHeaders(request: RequestToSign): Record<string, string> {
  const { leaveOut = [] } = request;
  const isWanted = (name: string): boolean => !leaveOut.includes(name.toLowerCase());
  const values = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), withoutBlanks(value)]),
  );
  const added = Object.entries({
    Date: new Date(request.date).toUTCString(),
    ...(request.body.length > 0 && { Digest: digestOf(request.body, 'sha-256') }),
    'X-Request-ID': request.requestId,
  }).filter(([name]) => !values.has(name.toLowerCase()) && isWanted(name));
  for (const [name, value] of added) values.set(name.toLowerCase(), value);
  const names = [
    ...(request.coverRequestTarget === true ? ['(request-target)'] : []),
    ...coveredWhenSent.filter((name) => values.has(name)),
  ];
  const signer = signerOf(request);
  const signed = signedText(request, names, (name) => values.get(name) ?? '');
  const value = sign('RSA-SHA256', Buffer.from(signed, 'latin1'), signer.key).toString('base64');
  const keyId = request.keyId ?? signer.keyId;
  const signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${value}"`;
  const proof = {
    'TPP-Signature-Certificate': signer.certificate,
    Signature: /^[\x20-\x7e]*$/.test(signature)
      ? signature
      : `=?utf-8?B?${Buffer.from(signature).toString('base64')}?=`,
  };
  return Object.fromEntries([...added, ...Object.entries(proof).filter(([name]) => isWanted(name))]);
}

const maxSigners = 100;
/** The last signers, the oldest first: reading a key takes longer than signing with it. */
const signers = new Map<string, ReturnType<typeof readSigner>>();

function signerOf({ certificate, key }: Credentials) {
  const name = `${certificate}\n${key}`;
  const signer = signers.get(name) ?? readSigner(certificate, key);
  signers.delete(name);
  signers.set(name, signer);
  if (signers.size > maxSigners) signers.delete(signers.keys().next().value ?? '');
  return signer;
}

/** {@link Credentials} in the form that signing needs; the certificate is the base64 of its DER. */
function readSigner(pem: string, key: string) {
  const certificate = new X509Certificate(pem);
  return { key: createPrivateKey(key), certificate: certificate.raw.toString('base64'), keyId: keyIdOf(certificate) };
}

/** The keyId of a certificate: `SN=<serial, hexadecimal>,CA=<issuer, RFC 2253>`. */
export function keyIdOf(certificate: X509Certificate): string {
  return `SN=${normaliseSerial(certificate.serialNumber) ?? ''},CA=${issuerDn(certificate)}`;
}
