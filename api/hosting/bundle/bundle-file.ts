import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import packageJson from '../../../package.json' with { type: 'json' };

/*
 * A bundle is one line of text, and then one frame of Zstandard, which Node has built in and which packs a ledger, most of it
 * empty pages, best and fastest. The line can be read with `head -1`: format, version of Sandbank, length of the content in
 * bytes, SHA-256 over the line up to it and the frame. The content is one line of JSON, and then an SQLite file:
 *
 *     sandbank-bundle 1 0.1.0 434176 9f86d081...
 */

/** The format that this version writes. It reads no other: a change of the format comes with a new number. */
const format = 1;
const headLine = /^sandbank-bundle (\d{1,6}) ([\w.+-]{1,40}) (?:(\d{1,10}) ([0-9a-f]{64})$)?/;

/** In bytes. The line is shorter, see {@link headLine}. */
const longestLine = 200;
/** Most bytes of JSON and ledger: a frame of a few bytes may claim any length. */
const mostContent = 320 * 1024 * 1024;
/** Most bytes of a file. */
export const mostBundled = mostContent;
/** Contents below this size, in bytes, are packed in the event loop: faster than in a thread. */
const largestAtOnce = 4 * 1024 * 1024;

/** Name of the snapshot that a bank in a bundle is opened with. */
export const openedSnapshot = 'opened';

/** The two parts of a bundle. */
export interface BundleContent {
  readonly json: string;
  /** An SQLite file. */
  readonly ledger: Buffer;
}

/** The bytes are no bundle that this version can open. The message is the end of a sentence that begins with the name of the file. */
export class BundleRefused extends Error {}

/** Packs a bundle. Throws a BundleRefused for a ledger that is too large for one. */
export async function packBundle({ json, ledger }: BundleContent): Promise<Buffer> {
  const content = Buffer.concat([Buffer.from(`${json}\n`), ledger]);
  if (content.length > mostContent) throw new BundleRefused(`takes ${inMb(content.length)} MB, ${atMost}`);
  const packed = content.length < largestAtOnce ? zstdCompressSync(content) : await promisify(zstdCompress)(content);
  const line = `sandbank-bundle ${format} ${packageJson.version} ${content.length}`;
  return Buffer.concat([Buffer.from(`${line} ${digestOf(line, packed)}\n`), packed]);
}

/** Unpacks a bundle. Throws a BundleRefused when it is damaged, of a newer version, or none; reads no more than the file says. */
export function unpackBundle(file: Buffer): BundleContent {
  const end = file.subarray(0, longestLine).indexOf('\n');
  const line = end < 0 ? '' : file.toString('latin1', 0, end);
  const [, number, version = '', length = '', digest = ''] = headLine.exec(line) ?? [];
  if (file.length === 0) throw new BundleRefused('is empty');
  if (number === undefined) throw new BundleRefused('is no bundle of Sandbank');
  if (Number(number) > format || isNewer(version)) throw newer(version);
  const packed = file.subarray(end + 1);
  const whole = `sandbank-bundle ${number} ${version} ${length}`;
  if (Number(number) !== format || digestOf(whole, packed) !== digest) throw damaged();
  if (Number(length) > mostContent) throw new BundleRefused(`takes ${inMb(Number(length))} MB, ${atMost}`);
  return split(unpacked(packed, Number(length)));
}

function newer(version: string): BundleRefused {
  return new BundleRefused(
    `was saved by Sandbank ${version}, which is newer than this one, ${packageJson.version}: open it with that version`,
  );
}

const atMost = `and a bundle ${inMb(mostContent)} MB at most`;

function unpacked(packed: Buffer, length: number): Buffer {
  try {
    const content = zstdDecompressSync(packed, { maxOutputLength: Math.max(length, 1) });
    if (content.length === length) return content;
  } catch {
    // Only a file that was made by hand: its digest is right.
  }
  throw damaged();
}

function split(content: Buffer): BundleContent {
  const end = content.indexOf('\n');
  if (end < 0) throw damaged();
  return { json: content.toString('utf8', 0, end), ledger: content.subarray(end + 1) };
}

function damaged(): BundleRefused {
  return new BundleRefused('is damaged: it is not as it was saved');
}

function digestOf(line: string, packed: Buffer): string {
  return createHash('sha256').update(line).update(packed).digest('hex');
}

/** Compares the numbers of two versions, `1.10.0` and `1.9.2`. */
function isNewer(version: string): boolean {
  const [theirs, ours] = [version, packageJson.version].map((text) => text.split(/[-+]/)[0]?.split('.').map(Number));
  for (const [index, own] of (ours ?? []).entries()) {
    const other = theirs?.[index] ?? 0;
    if (other !== own) return other > own;
  }
  return false;
}

function inMb(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
