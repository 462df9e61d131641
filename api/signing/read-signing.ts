import { Refusal } from '../../engine/values/fault.ts';
import { createCertificateReader } from './certificate/certificate-reader.ts';
import { type Leniency, leniencyOf } from './leniencies.ts';
import { type ReceivedHeaders, receivedHeaders, singleHeader } from './signature/received-headers.ts';
import { parseSignatureHeader } from './signature/signature-header.ts';
import { type SignedRequest, signingString } from './signature/signing-string.ts';

/** What the signing headers of a request say, whether they are accepted or not. */
export interface ReadSigning {
  /** Id of the TPP that the certificate names (rules.md G8); null: it cannot be read. */
  readonly tpp: string | null;
  /** What the bank verifies the signature against, latin1; null: the Signature header names no headers, or headers that were not sent. */
  expected(): string | null;
  /** Of an accepted request. */
  leniencies(): readonly Leniency[];
}

/** Reads signing headers. The reader returned caches up to 1000 certificates: use one for all banks, or one for a number of requests, and drop it. */
export function signingReader(): (request: Pick<SignedRequest, 'method' | 'target' | 'rawHeaders'>) => ReadSigning {
  const readCertificate = createCertificateReader();
  return (request) => {
    const headers = receivedHeaders(request.rawHeaders);
    const certificate = readable(() => readCertificate(theOne(headers, 'tpp-signature-certificate')));
    return {
      tpp: certificate?.tpp.id ?? null,
      expected: () =>
        readable(() => signingString(request, headers, parseSignatureHeader(theOne(headers, 'signature')).headers)),
      leniencies: () => (certificate === null ? [] : leniencyOf(request, certificate)),
    };
  };
}

function theOne(headers: ReceivedHeaders, name: string): string {
  return singleHeader(headers, name, 'SIGNATURE_INVALID') ?? '';
}

/** Null where the signature check refuses. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
