import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { Instant } from '../../engine/values/instant.ts';
import { once } from '../../engine/values/once.ts';
import { type CertificateRequest, generateKey, issueCertificate, validity } from './certificate/issue-certificate.ts';
import { keyIdOf } from './signature/sign-request.ts';
import { digestOf, signedText } from './signature/signed-text.ts';

/** How an armed fault spoils the signature of an answer (rules.md E6c). */
export type BadSignature = 'digest' | 'key' | 'expired';

/** What an answer is signed over. */
export interface AnswerToSign {
  readonly status: number;
  /** The X-Request-ID of the answer, if it has one. */
  readonly requestId: string | undefined;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
}

type Issuer = NonNullable<CertificateRequest['issuer']>;

interface Seal {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

const day = 86_400_000;
/** How long an issued certificate is used: it ends a day later. */
const usedDays = 364;

/**
 * The header of the certificate. The platform has published none: other banks of NextGenPSD2 use this one
 * (docs/signing.md).
 */
export const sealHeader = 'aspsp-signature-certificate';

/**
 * The seal by which a bank signs its answers (rules.md G14): a certificate of the sandbox CA, made at its first use,
 * for a year.
 */
export class AnswerSeal {
  readonly #key = once(generateKey);
  readonly #name: string;
  readonly #issuer: () => Promise<Issuer>;
  readonly #now: () => Instant;
  #issued: { readonly at: Instant; readonly seal: () => Promise<Seal> } | null = null;

  /** `name` is that of the bank, `issuer` gives the sandbox CA. */
  constructor(name: string, issuer: () => Promise<Issuer>, now: () => Instant) {
    this.#name = name;
    this.#issuer = issuer;
    this.#now = now;
  }

  /** Certificate and key now. Rejects with the error of the CA. */
  async current(): Promise<Seal> {
    const now = this.#now();
    const age = now - (this.#issued?.at ?? Infinity);
    // Calls at the same time share the certificate that is being issued.
    if (this.#issued === null || age < -day || age >= usedDays * day)
      this.#issued = { at: now, seal: once(() => this.#issue(now)) };
    return this.#issued.seal();
  }

  async #issue(now: Instant): Promise<Seal> {
    const [issuer, keyPem] = await Promise.all([this.#issuer(), this.#key()]);
    const names = { commonName: this.#name, organization: this.#name, roles: ['PSP_AS'] as const };
    const { certificatePem } = issueCertificate({ ...names, ...validity(now, usedDays + 1), keyPem, issuer });
    return { certificate: new X509Certificate(certificatePem), key: createPrivateKey(keyPem) };
  }

  /** The headers by which an answer is signed; `bad` spoils them as an armed fault wants. */
  async headersOf({ status, requestId, body }: AnswerToSign, bad?: BadSignature): Promise<Record<string, string>> {
    const now = this.#now();
    const { certificate, key } =
      bad === 'expired' ? await this.#issue((now - 400 * day) as Instant) : await this.current();
    const values: Record<string, string> = {
      '(status)': String(status),
      date: new Date(now).toUTCString(),
      digest: digestOf(bad === 'digest' ? Buffer.concat([body, Buffer.from(' ')]) : body, 'sha-256'),
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    };
    const names = Object.keys(values);
    const text = signedText({ method: '', target: '' }, names, (name) => values[name] ?? '');
    const signer = bad === 'key' ? createPrivateKey((await this.#issuer()).keyPem) : key;
    const signature = sign('RSA-SHA256', Buffer.from(text, 'latin1'), signer).toString('base64');
    const parts = { keyId: keyIdOf(certificate), algorithm: 'rsa-sha256', headers: names.join(' '), signature };
    const { '(status)': _status, ...headers } = values;
    return {
      ...headers,
      signature: Object.entries(parts)
        .map(([name, value]) => `${name}="${value}"`)
        .join(','),
      [sealHeader]: certificate.raw.toString('base64'),
    };
  }
}
