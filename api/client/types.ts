/** The credentials that a TPP signs with. */
export interface TppCredentials {
  /** The signing certificate, PEM. */
  readonly certificate: string;
  /** Its RSA key, PEM. */
  readonly key: string;
  /** Also signs `(request-target)`, the method and the path. The interface does not ask for it. */
  readonly signRequestTarget?: boolean;
}

export interface RequestToSign extends TppCredentials {
  readonly method: string;
  /** The whole address, or a path with its query. */
  readonly url: string | URL;
  readonly headers?: Headers | Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
  /** The bytes of the body; a text is sent in UTF-8. Undefined, null or empty for a request without a body. */
  readonly body?: string | Uint8Array | null;
  /** The time of signing, by default now. The bank accepts 60 s before and after its own time. */
  readonly date?: Date;
}

/**
 * Signs a request as the interface asks ("TPP authentication and signing"). Returns all headers to send: the caller's
 * headers, `TPP-Signature-Certificate` and `Signature`. Adds `Date`, `X-Request-ID` (a UUID) and, for a body, `Digest`
 * if the caller leaves them out. Keeps every header of the caller, but replaces a `Signature`.
 * @throws {Error} if the certificate or the key is no PEM, or the body neither a text nor a Uint8Array.
 */
export type SignRequest = (request: RequestToSign) => Record<string, string>;

export interface SigningFetchOptions extends TppCredentials {
  /**
   * The address before a path, such as a link of the bank (`/v1/...`). Without it `fetch` takes whole addresses only.
   */
  readonly base?: string;
}

/**
 * Makes a `fetch` that signs each request and sends it with the global `fetch`. Reads a body to its end first, because
 * the signature covers its bytes.
 */
export type SigningFetch = (options: SigningFetchOptions) => typeof fetch;

/** An answer as it was received. */
export interface SignedAnswer {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** The exact bytes; a text stands for its UTF-8. */
  readonly body?: string | Uint8Array | null;
}

/**
 * Verifies the signature of an answer under `/v1`: Digest and body, the signed headers, the key of the bank, and that
 * no certificate has expired at `now`. `certificate` is that of `GET /sandbox/bank-certificate`, PEM.
 * @throws {Error} with the reason if the answer is not as the bank signed it.
 */
export type VerifyAnswer = (answer: SignedAnswer, bank: { readonly certificate: string; readonly now?: Date }) => void;
