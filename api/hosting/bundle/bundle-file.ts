import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createZstdDecompress, zstdCompress, zstdCompressSync } from 'node:zlib';
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
const maxLine = 200;
/** Most bytes of the JSON and of the ledger (control-plane.md B2): a frame of a few bytes may have any length. */
const maxJson = 32 * 1024 * 1024;
const maxLedger = 320 * 1024 * 1024;
const maxContent = maxJson + maxLedger;
/** Maximum size of a bundle file, in bytes. */
export const maxBundle = maxContent;
/** Largest window of a frame, as a power of two, in bytes: so much of what was unpacked is kept. Ours have 2 MB. */
const maxWindow = 24;
/** Contents below this size, in bytes, are packed in the event loop: faster than in a thread. */
const maxAtOnce = 4 * 1024 * 1024;

/** Name of the snapshot that a bank in a bundle is opened with. */
export const openedSnapshot = 'opened';

/** The two parts of a bundle. */
export interface BundleContent {
  /** In UTF-8. */
  readonly json: Buffer;
  /** An SQLite file. */
  readonly ledger: Buffer;
}

/** The bytes are no bundle that this version can open. The message is the end of a sentence that begins with the name of the file. */
export class BundleRefused extends Error {}

/** Packs a bundle. Throws a BundleRefused for one that is too large to be opened again. */
export async function packBundle({ json, ledger }: BundleContent): Promise<Buffer> {
  requireRoom('requests and settings', json.length, maxJson);
  requireRoom('ledger', ledger.length, maxLedger);
  const content = Buffer.concat([json, Buffer.from('\n'), ledger]);
  const packed = content.length < maxAtOnce ? zstdCompressSync(content) : await promisify(zstdCompress)(content);
  const line = `sandbank-bundle ${format} ${packageJson.version} ${content.length}`;
  return Buffer.concat([Buffer.from(`${line} ${digestOf(line, packed)}\n`), packed]);
}

/**
 * Unpacks a bundle. Throws a BundleRefused when it is damaged, of a newer version, too large, or none. What it unpacks to is read as a stream,
 * which ends at the first byte beyond what the file says and what a bundle may have.
 */
export async function unpackBundle(file: Buffer): Promise<BundleContent> {
  const end = file.subarray(0, maxLine).indexOf('\n');
  const line = end < 0 ? '' : file.toString('latin1', 0, end);
  const [, number, version = '', length = '', digest = ''] = headLine.exec(line) ?? [];
  if (file.length === 0) throw new BundleRefused('is empty');
  if (number === undefined) throw new BundleRefused('is no bundle of Sandbank');
  if (Number(number) > format || isNewer(version)) throw newer(version);
  const packed = file.subarray(end + 1);
  const whole = `sandbank-bundle ${number} ${version} ${length}`;
  if (Number(number) !== format || digestOf(whole, packed) !== digest) throw damaged();
  requireRoom('content', Number(length), maxContent);
  return split(unpacked(packed), Number(length));
}

function newer(version: string): BundleRefused {
  return new BundleRefused(
    `was saved by Sandbank ${version}, which is newer than this one, ${packageJson.version}: open it with that version`,
  );
}

function requireRoom(what: string, length: number, most: number): void {
  if (length <= most) return;
  throw new BundleRefused(`has ${inMb(length)} MB of ${what}, and a bundle ${inMb(most)} MB at most`);
}

/** The content of a frame, piece by piece. Throws a BundleRefused for bytes that are none. */
async function* unpacked(packed: Buffer): AsyncGenerator<Buffer, void> {
  const params = { [constants.ZSTD_d_windowLogMax]: maxWindow };
  const frame = createZstdDecompress({ params });
  try {
    // A stream of bytes, of which a pipe would read each.
    yield* Readable.from([packed], { objectMode: false }).pipe(frame) as AsyncIterable<Buffer>;
  } catch {
    // Only a file that was made by hand: its digest is right.
    throw damaged();
  } finally {
    frame.destroy();
  }
}

/** Divides the content, `length` bytes in all, at its first line break. */
async function split(content: AsyncIterable<Buffer>, length: number): Promise<BundleContent> {
  const lines: Buffer[] = [];
  let json: Buffer | null = null;
  let ledger = Buffer.alloc(0);
  let [inLines, inLedger] = [0, 0];
  for await (const piece of content) {
    let rest = piece;
    if (json === null) {
      const end = piece.indexOf('\n');
      const line = end < 0 ? piece : piece.subarray(0, end);
      inLines += line.length;
      requireRoom('requests and settings', inLines, maxJson);
      if (inLines > length) throw damaged();
      lines.push(line);
      if (end < 0) continue;
      json = Buffer.concat(lines);
      rest = piece.subarray(end + 1);
      if (inLines >= length) throw damaged();
      requireRoom('ledger', length - inLines - 1, maxLedger);
      ledger = Buffer.allocUnsafeSlow(length - inLines - 1);
    }
    if (inLedger + rest.length > ledger.length) throw damaged();
    const isHeaderRead = inLedger >= headerLength;
    rest.copy(ledger, inLedger);
    inLedger += rest.length;
    if (!isHeaderRead && inLedger >= headerLength && lengthIn(ledger) !== ledger.length) throw damaged();
  }
  if (json === null || inLedger !== ledger.length || inLedger < headerLength) throw damaged();
  return { json, ledger };
}

/** How an SQLite file begins, and the length of its header in bytes. */
const magic = Buffer.from('SQLite format 3\0');
const headerLength = 100;

/** The length in bytes that the header of an SQLite file says; null: it is none. Space that no page takes would be memory for nothing. */
function lengthIn(ledger: Buffer): number | null {
  if (!ledger.subarray(0, magic.length).equals(magic)) return null;
  const pageSize = ledger.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * ledger.readUInt32BE(28);
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
