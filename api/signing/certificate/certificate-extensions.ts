import { createHash, X509Certificate } from 'node:crypto';
import type { asn1 } from 'node-forge';
import { contentOf, extensionContent, extensionsIn, membersOf, parseDer } from './der.ts';
import { encode, loadForge, toDer } from './der-encoding.ts';
import type { CertificateRequest } from './issue-certificate.ts';
import { type Psd2Role, psd2StatementOid, qcStatementsOid, roleOids } from './psd2-roles.ts';

const subjectKeyIdentifier = '2.5.29.14';
const keyUsage = '2.5.29.15';
const basicConstraints = '2.5.29.19';
const certificatePolicies = '2.5.29.32';
const authorityKeyIdentifier = '2.5.29.35';
/** QCP-l of ETSI EN 319 411-2: a qualified certificate of a legal person. */
const sealPolicy = '0.4.0.194112.1.1';
/** QcCompliance, QcType and its value eseal, of ETSI EN 319 412-5. */
const [qcCompliance, qcType, eseal] = ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.1862.1.6.2'];

/**
 * Encodes the extensions of a certificate: constraints, key usage, the identifiers of both keys and, unless `roles` is null,
 * what a qualified seal of a TPP states (ETSI TS 119 495): its policy, and QCStatements with the PSD2 roles.
 */
export function encodeExtensions(request: CertificateRequest, publicKey: Buffer): asn1.Asn1 {
  const { authority = false, roles, issuer } = request;
  // Bits 0 and 1 are digitalSignature and nonRepudiation, bit 5 keyCertSign; the first byte counts the unused bits.
  const usage = Buffer.from(authority ? [3, 2, 2, 4] : [3, 2, 6, 0xc0]);
  // A self-signed certificate names no other key, so that a change of it cannot hide its signature (rules.md G10).
  const above = issuer === undefined ? null : identifierOf(issuer.certificatePem);
  return encode.sequence(
    extension(basicConstraints, true, toDer(authority ? encode.sequence(encode.boolean(true)) : encode.sequence())),
    extension(keyUsage, true, usage),
    extension(subjectKeyIdentifier, false, toDer(encode.bytes(keyIdentifier(publicKey)))),
    ...(above === null
      ? []
      : [extension(authorityKeyIdentifier, false, toDer(encode.sequence(encode.taggedBytes(0, above))))]),
    ...(roles === null ? [] : [extension(certificatePolicies, false, toDer(policies())), qcStatements(roles)]),
  );
}

function extension(oid: string, critical: boolean, content: Uint8Array): asn1.Asn1 {
  return encode.sequence(encode.oid(oid), ...(critical ? [encode.boolean(true)] : []), encode.bytes(content));
}

/** The first 20 bytes of the SHA-256 of the key (RFC 7093, section 2). */
function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, 20);
}

/** The subject key identifier of the issuer, which others compare; null when it has none. */
function identifierOf(certificatePem: string): Buffer | null {
  const [content] = membersOf(parseDer(new X509Certificate(certificatePem).raw));
  const extensions = extensionsIn(membersOf(content));
  const identifier = extensions === null ? null : extensionContent(extensions, subjectKeyIdentifier);
  return identifier === null ? null : contentOf(parseDer(identifier));
}

function policies(): asn1.Asn1 {
  return encode.sequence(encode.sequence(encode.oid(sealPolicy)));
}

function qcStatements(roles: readonly Psd2Role[]): asn1.Asn1 {
  const statements = encode.sequence(
    encode.sequence(encode.oid(qcCompliance)),
    encode.sequence(encode.oid(qcType), encode.sequence(encode.oid(eseal))),
    encode.sequence(encode.oid(psd2StatementOid), psd2Statement(roles)),
  );
  return extension(qcStatementsOid, false, toDer(statements));
}

function psd2Statement(roles: readonly Psd2Role[]): asn1.Asn1 {
  const { UTF8 } = loadForge().asn1.Type;
  const rolesOfPsp = roles.map((role) => encode.sequence(encode.oid(roleOids[role]), encode.text(UTF8, role)));
  const authority = [encode.text(UTF8, 'Finanstilsynet'), encode.text(UTF8, 'NO-FSA')];
  return encode.sequence(encode.sequence(...rolesOfPsp), ...authority);
}
