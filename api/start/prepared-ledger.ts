import { zstdDecompressSync } from 'node:zlib';
import type { PreparedLedger } from '../../engine/bank.ts';
import { prepared } from './prepared.ts';

/** The seeded ledger that a build has made. It is unpacked for each bank: few processes open many. */
export function preparedLedger(): PreparedLedger | null {
  if (prepared === null) return null;
  const { fingerprint, image } = prepared.ledger;
  return { fingerprint, image: () => zstdDecompressSync(Buffer.from(image, 'base64')) };
}
