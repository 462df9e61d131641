declare module '../../ledger/tables.ts' {
  interface Tables {
    first_answer: FirstAnswerRow;
  }
}

/** The first answer to each X-Request-ID of a TPP, method and path (rules.md P9). */
export interface FirstAnswerRow {
  readonly tpp_id: string;
  readonly method: string;
  /** Below `/v1`, decoded. */
  readonly path: string;
  /** In lower case. */
  readonly request_id: string;
  /** Null: an older program kept it and did not know this. */
  readonly query: string | null;
  /** Digest of the body, and the PSU headers. */
  readonly content: string;
  /** The response body, as JSON. */
  readonly answer: string;
  /** What the call made; one of the three. */
  readonly payment_id: number | null;
  readonly basket_id: number | null;
  /** The id of the SCA, with which its link ends. */
  readonly sca_resource_id: string | null;
}
