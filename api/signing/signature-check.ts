import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../engine/values/instant.ts';
import { checkCertificate } from './certificate/certificate-check.ts';
import type { CertificateStatus } from './certificate/certificate-check.ts';
import { createCertificateReader, type Tpp } from './certificate/tpp-certificate.ts';
import { checkDate } from './signature/date-check.ts';
import { checkDigest, checkSignatureValue, readSignature } from './signature/signature-value-check.ts';
import { receivedHeaders, singleHeader, type SignedRequest } from './signature/signing-string.ts';
import { leniencyOf, strictRefusal } from './leniencies.ts';
import { signingRefusal } from './signing-refusal.ts';

export interface SignatureCheckOptions {
  /** rules.md G6. */
  readonly trust: 'any' | 'ca';
  /** PEM, one certificate each; used with `ca` only. Read for each request: a bank makes its CA when it first needs it. */
  readonly trustedCas?: readonly string[];
  /** Status of a certificate, by its normalised serial; left out: never blocked or revoked. */
  readonly statusOf?: (serial: string) => CertificateStatus | Promise<CertificateStatus>;
  /** The quirk strict-signing (rules.md G3b); left out: off. */
  readonly isStrict?: boolean;
  /** Told of each verification of a signature's value when it begins: the request that waits for it may write. */
  readonly verifying?: (verified: Promise<unknown>) => void;
}

/** Returns the TPP that signed the request. `now` is the wall clock (rules.md T1); `role` is the one the call needs; null: none. */
export type SignatureCheck = (request: SignedRequest, now: Instant, role: 'PSP_PI' | 'PSP_AI' | null) => Promise<Tpp>;

/**
 * Creates the signature check of rules.md G1-G8, with its own bounded cache of parsed certificates. The check rejects with a
 * Refusal for the first fault in the order of G1: nothing sent, certificate, date, digest, signature; under the quirk
 * strict-signing a leniency comes last (rules.md G3b). Throws a plain Error when a trusted CA cannot be read.
 */
export function createSignatureCheck(options: SignatureCheckOptions): SignatureCheck {
  const readCertificate = createCertificateReader();
  const trusted = trustedBy(options);
  return async (request, now, role) => {
    const headers = receivedHeaders(request.rawHeaders);
    const certificateHeader = singleHeader(headers, 'tpp-signature-certificate', 'CERTIFICATE_INVALID') ?? '';
    const inAuthorization = (headers.get('authorization') ?? []).some((value) => /^signature\s/i.test(value));
    const sent = (headers.get('signature') ?? []).some((value) => value !== '');
    if (certificateHeader === '') throw certificateMissing(sent, inAuthorization);
    const certificate = readCertificate(certificateHeader);
    const status = (await options.statusOf?.(certificate.tpp.serial)) ?? null;
    checkCertificate(certificate, { trusted: trusted(), status }, now, role);
    checkDate(headers, now);
    checkDigest(headers, request.body);
    if (!sent) throw signatureMissing(inAuthorization ? elsewhere : 'The header Signature is missing.');
    const signature = singleHeader(headers, 'signature', 'SIGNATURE_INVALID') ?? '';
    const verified = checkSignatureValue(readSignature(signature, request, headers, certificate));
    options.verifying?.(verified);
    await verified;
    const [leniency] = options.isStrict === true ? leniencyOf(request, certificate) : [];
    if (leniency !== undefined) throw strictRefusal(leniency);
    return certificate.tpp;
  };
}

/** The certificates of the trusted CAs, each read once; null: every certificate is trusted. Throws a plain Error if one cannot be read. */
function trustedBy(options: SignatureCheckOptions): () => readonly X509Certificate[] | null {
  if (options.trust === 'any') return () => null;
  const known = new Map<string, X509Certificate>();
  const read = (pem: string): X509Certificate => {
    const certificate = known.get(pem) ?? new X509Certificate(pem);
    known.set(pem, certificate);
    return certificate;
  };
  const trusted = (): readonly X509Certificate[] => (options.trustedCas ?? []).map(read);
  trusted();
  return trusted;
}

const elsewhere =
  'The signature is in the header Authorization. Send it in the header Signature, without the word "Signature" before it.';

function certificateMissing(isSigned: boolean, inAuthorization: boolean) {
  if (isSigned) {
    const text = `The header TPP-Signature-Certificate is missing. Send the signing certificate: base64 of its DER. ${howToSign}`;
    return signingRefusal('CERTIFICATE_MISSING', 'tpp-signature-certificate', text);
  }
  return signatureMissing(
    inAuthorization
      ? `${elsewhere} The header TPP-Signature-Certificate is missing too.`
      : 'The request is not signed: the headers Signature and TPP-Signature-Certificate are missing.',
  );
}

function signatureMissing(what: string) {
  return signingRefusal('SIGNATURE_MISSING', 'signature', `${what} ${howToSign}`);
}

const howToSign =
  'docs/signing.md, served at /docs/signing.md, tells how to sign; without a certificate, /sandbox/as/shop/v1/... signs a plain request for you.';
