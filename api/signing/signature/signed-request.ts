/** A request as the signature check sees it: plain data, so that it needs no server. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  /** Node's flat list of name, value, name, value, as latin1 text: duplicates are still visible here. */
  readonly rawHeaders: readonly string[];
  /** The exact bytes received; empty when there was no body. */
  readonly body: Uint8Array;
}
