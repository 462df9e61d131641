import { readSignatureBlock, type SignatureBlock } from '../doctor/signature-block.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';
import { formatName } from '../name/name-attribute.ts';
import { oneLine } from '../../../engine/values/text.ts';

/** In bytes: the shortest signature of an RSA key that certificates have. */
const shortestRsa = 256;

/**
 * Says that the certificate sent is not the one whose key has signed, as where the root of the chain or the certificate of another TPP is
 * sent; null: its key has signed, or it cannot be told. `value` null: the signature is no base64.
 */
export function wrongCertificate(certificate: TppCertificate, value: Uint8Array | null): string | null {
  const { x509 } = certificate;
  if (value === null || !isOfAnotherKey(readSignatureBlock({ value, key: x509.publicKey }))) return null;
  return `${x509.ca ? authority(certificate) : 'It is another certificate than that of the signing key.'} ${cure}`;
}

const cure = 'Send the certificate that was issued for the signing key, in the place of this one.';

/** What is known of the certificate of a signature that another key has made. */
export function authorityInstead(certificate: TppCertificate): string | null {
  return certificate.x509.ca ? `${authority(certificate)} ${cure}` : null;
}

function authority({ x509, issuer }: TppCertificate): string {
  const isRoot = x509.issuer === x509.subject;
  return isRoot
    ? `It is the root of an authority (${oneLine(formatName(issuer), 120)}), not the certificate of a TPP.`
    : 'It is the certificate of an authority, not of a TPP.';
}

/** Whether another RSA key than this one has made the signature, also one of another length. */
export function isOfAnotherKey(block: SignatureBlock): boolean {
  if (block.kind === 'length') return block.form === 'other' && block.bytes >= shortestRsa && block.bytes % 64 === 0;
  return block.kind === 'another key';
}
