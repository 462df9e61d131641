import type { Instant } from '../../values/instant.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    tpp_contact: TppContactRow;
    certificate_status: CertificateStatusRow;
  }
}

export interface TppContactRow {
  tpp_id: string;
  email: string;
}

/** A certificate that the bank refuses, by its normalised serial. */
export interface CertificateStatusRow {
  serial: string;
  status: 'blocked' | 'revoked';
  at: Instant;
}
