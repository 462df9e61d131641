import {
  issueCertificate,
  type CertificateRequest,
  type IssuedCertificate,
} from '../../api/signing/certificate/issue-certificate.ts';
import type { Instant } from '../../engine/values/instant.ts';

/** The wall clock of the signing tests: Tuesday 30 March 2027, 08:00 UTC. */
export const signedAt = Date.UTC(2027, 2, 30, 8) as Instant;

export const namelessTpp: CertificateRequest = {
  commonName: 'tpp.example',
  organization: 'Test TPP, AS',
  roles: ['PSP_AI', 'PSP_PI'],
  validFrom: Date.UTC(2027, 0, 1) as Instant,
  validTo: Date.UTC(2027, 11, 31) as Instant,
};

const plainTpp: CertificateRequest = { ...namelessTpp, organizationIdentifier: 'PSDNO-FSA-987654321' };

const issued = new Map<string, IssuedCertificate>();

/** A certificate that differs from the plain one as said. Made once per test file: generating a key takes long. */
export function testCertificate(changes: Partial<CertificateRequest> = {}): IssuedCertificate {
  const request = { ...plainTpp, ...changes };
  const key = JSON.stringify(request);
  const certificate = issued.get(key) ?? issueCertificate(request);
  issued.set(key, certificate);
  return certificate;
}
