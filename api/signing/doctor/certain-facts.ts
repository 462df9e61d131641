import { oneLine } from '../../../engine/values/text.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';
import { formatName } from '../name/name-attribute.ts';
import { readSignatureBlock, type SignatureBlock } from './signature-block.ts';

/** What is certain of a signature that does not fit the certificate, and what to do about it, in sentences. */
export function factsOfMismatch(block: SignatureBlock, certificate: TppCertificate): string {
  const authority = isOfAnotherKey(block) ? authorityInstead(certificate) : null;
  return authority === null ? certainFacts(block) : `The certificate sent is the wrong one. ${authority}`;
}

/** What a signature value alone tells, and what to do about it, in sentences. */
export function certainFacts(block: SignatureBlock): string {
  switch (block.kind) {
    case 'hash':
      return block.hash === 'sha256'
        ? "It is made with the certificate's key and SHA-256, over another text. Compare yours with the bank's, byte by byte."
        : `It is made with ${nameOf(block.hash)}${cures.get(block.hash) ?? ''}. Sign with SHA-256 (rsa-sha256).`;
    case 'bare hash':
      return `It holds the bare ${nameOf(block.hash)} hash${formOf(block)}, without its DigestInfo. Sign with RSA PKCS#1 v1.5 and SHA-256 in one call, not with raw RSA.`;
    case 'no hash':
      return `It holds ${block.content.length} bytes that are no hash: the text was encrypted with the key, not signed. Sign with RSA PKCS#1 v1.5 and SHA-256.`;
    case 'pss':
      return `It is made with RSA-PSS${block.hash === null ? '' : ` (${nameOf(block.hash)})`}. Sign with RSA PKCS#1 v1.5, which is what rsa-sha256 means.`;
    case 'length':
      return wrongLength(block);
    case 'another key':
      return "It is made with another key than the certificate's, or was changed afterwards. Send the certificate that belongs to the signing key.";
  }
}

/** What is known of the hashes that TPPs take most often in place of SHA-256. */
const cures: ReadonlyMap<string, string> = new Map([
  [
    'sha1',
    ', which some libraries take where none is named: SHA256withRSA is the name in Java, HashAlgorithmName.SHA256 in .NET',
  ],
  ['sha512', ', which only a Digest may have: algorithm="rsa-sha256" names the hash of the signature'],
]);

function wrongLength({ bytes, expected, form }: SignatureBlock & { kind: 'length' }): string {
  if (form === 'ecdsa') return 'It is an ECDSA signature. Sign with the RSA key of the certificate.';
  if (form === 'base64') return 'It is in base64 twice. Write its bytes in base64 once.';
  if (bytes === 32) return 'It has 32 bytes, as a hash or an HMAC has. Sign with the RSA key of the certificate.';
  if (bytes === 64)
    return 'It has 64 bytes, as an Ed25519 or a raw ECDSA signature has. Sign with the RSA key of the certificate.';
  return `It has ${bytes} bytes; the certificate's key makes ${expected}. Sign with the key of the certificate, and send its base64 whole.`;
}

function nameOf(hash: string): string {
  return hash === 'md5' ? 'MD5' : hash.replace('sha', 'SHA-');
}

function formOf({ form }: SignatureBlock & { kind: 'bare hash' }): string {
  return form === 'bytes' ? '' : form === 'hex' ? ' in hexadecimal' : ' in base64';
}

/** The shortest signature of an RSA key that certificates have, in bytes. */
const shortestRsa = 256;

/**
 * Says that another key than that of the certificate has signed: the root of the chain was sent, or the certificate of another TPP. Null: its
 * key has signed, or nobody can tell. `value` null: the signature is no base64.
 */
export function wrongCertificate(certificate: TppCertificate, value: Uint8Array | null): string | null {
  const { x509 } = certificate;
  if (value === null || !isOfAnotherKey(readSignatureBlock({ value, key: x509.publicKey }))) return null;
  return `${x509.ca ? authority(certificate) : 'It is another certificate than that of the signing key.'} ${cure}`;
}

const cure = 'Send the certificate that was issued for the signing key, in the place of this one.';

/** The same where the certificate is one of an authority; null: it is of a TPP. */
function authorityInstead(certificate: TppCertificate): string | null {
  return certificate.x509.ca ? `${authority(certificate)} ${cure}` : null;
}

function authority({ x509, issuer }: TppCertificate): string {
  const isRoot = x509.issuer === x509.subject;
  return isRoot
    ? `It is the root of an authority (${oneLine(formatName(issuer), 120)}), not the certificate of a TPP.`
    : 'It is the certificate of an authority, not of a TPP.';
}

/** Whether another RSA key than this one has made the signature, also one of another length. */
function isOfAnotherKey(block: SignatureBlock): boolean {
  if (block.kind === 'length') return block.form === 'other' && block.bytes >= shortestRsa && block.bytes % 64 === 0;
  return block.kind === 'another key';
}
