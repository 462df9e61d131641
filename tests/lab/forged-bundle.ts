import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Head line and content of a bundle, read by hand. */
export interface TakenBundle {
  readonly head: readonly string[];
  readonly json: Record<string, unknown>;
  readonly ledger: Buffer;
}

export function taken(bundle: Buffer): TakenBundle {
  const end = bundle.indexOf('\n');
  const content = zstdDecompressSync(bundle.subarray(end + 1));
  const middle = content.indexOf('\n');
  return {
    head: bundle.toString('latin1', 0, end).split(' '),
    json: JSON.parse(content.toString('utf8', 0, middle)) as Record<string, unknown>,
    ledger: content.subarray(middle + 1),
  };
}

/** What the first line of a bundle says. */
export interface ForgedHead {
  readonly version: string;
  /** Left out: 1. */
  readonly format?: string;
  /** Left out: that of the content. */
  readonly length?: number;
}

/** A bundle with a right digest, as somebody could make it by hand. */
export function forged(content: Buffer, { format = '1', version, length = content.length }: ForgedHead): Buffer {
  const line = `sandbank-bundle ${format} ${version} ${length}`;
  const packed = zstdCompressSync(content);
  const digest = createHash('sha256').update(line).update(packed).digest('hex');
  return Buffer.concat([Buffer.from(`${line} ${digest}\n`), packed]);
}

export function contentOf(json: object | string, ledger: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${typeof json === 'string' ? json : JSON.stringify(json)}\n`), ledger]);
}
