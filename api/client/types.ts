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
  /** The body exactly as it is sent: a text is its UTF-8 bytes. Left out, null or empty: none. */
  readonly body?: string | Uint8Array | null;
  /** When it is signed; left out: now. The bank accepts 60 s before and after its own time. */
  readonly date?: Date;
}

/**
 * Signs a request as the interface asks ("TPP authentication and signing"). Returns all headers to send: the caller's, and
 * `TPP-Signature-Certificate`, `Signature`, and where the caller has none `Date`, `X-Request-ID` (a UUID), and `Digest` when
 * there is a body. A header of the caller that is to be signed is kept as it is; a `Signature` is replaced.
 * @throws {Error} when the certificate or the key is no PEM.
 */
export type SignRequest = (request: RequestToSign) => Record<string, string>;

export interface SigningFetchOptions extends TppCredentials {
  /** Address that a path such as a link of the bank (`/v1/...`) is appended to. Left out: whole addresses only. */
  readonly base?: string;
}

/**
 * Makes a `fetch` that signs each request, and sends it with the global `fetch`. A body is read to its end first, as its
 * bytes are signed.
 */
export type SigningFetch = (options: SigningFetchOptions) => typeof fetch;
