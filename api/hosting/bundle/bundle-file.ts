import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createZstdDecompress, zstdCompress, zstdCompressSync } from 'node:zlib';
import packageJson from '../../../package.json' with { type: 'json' };
import { Mistake } from '../../../engine/values/mistake.ts';

/*
 * A bundle is one line of text and one frame of Zstandard. Node has Zstandard built in, and it packs a ledger best and
 * fastest. `head -1` shows the line: format, version of Sandbank, length of the content in bytes, and a SHA-256 over
 * the line before it and the frame. The content is one line of JSON and an SQLite file:
 *
 *     sandbank-bundle 1 0.1.0 434176 9f86d081...
 */

/** The format that this version writes and reads. A changed format gets a new number. */
const format = 1;
const headLine = /^sandbank-bundle (\d{1,6}) ([\w.+-]{1,40}) (?:(\d{1,10}) ([0-9a-f]{64})$)?/;

/** In bytes. The line is shorter, see {@link headLine}. */
const maxLine = 200;
/**
 * Maximum sizes of the JSON and of the ledger, in bytes (control-plane.md B2): a small frame may unpack to any length.
 */
const maxJson = 32 * 1024 * 1024;
const maxLedger = 320 * 1024 * 1024;
const maxContent = maxJson + maxLedger;
/** Maximum size of a bundle file, in bytes. */
const maxBundle = maxContent;
/** Maximum window of a frame, the unpacked bytes that stay in memory, as a power of two. Our own frames have 2 MB. */
const maxWindow = 24;
/** Contents below this size, in bytes, are packed in the event loop, which is faster than a thread. */
const maxAtOnce = 512 * 1024;

/** The bytes of a file that may be a bundle, or null for a device, a pipe, or a file larger than a bundle can be. */
export function boundedFile(file: string): Buffer | null {
  const found = statSync(file);
  const isReadable = found.isDirectory() || (found.isFile() && found.size <= maxBundle);
  return isReadable ? readFileSync(file) : null;
}

/** Name of the snapshot that a bank in a bundle is opened with. */
export const openedSnapshot = 'opened';

/** The two parts of a bundle. */
interface BundleContent {
  /** In UTF-8. */
  readonly json: Buffer;
  /** An SQLite file. */
  readonly ledger: Buffer;
}

/** Packs a bundle. Throws a Mistake if it is too large to be opened again. */
export async function packBundle({ json, ledger }: BundleContent): Promise<Buffer> {
  requireRoom('requests and settings', json.length, maxJson);
  requireRoom('ledger', ledger.length, maxLedger);
  const content = Buffer.concat([json, Buffer.from('\n'), ledger]);
  const packed = content.length < maxAtOnce ? zstdCompressSync(content) : await promisify(zstdCompress)(content);
  const line = `sandbank-bundle ${format} ${packageJson.version} ${content.length}`;
  return Buffer.concat([Buffer.from(`${line} ${digestOf(line, packed)}\n`), packed]);
}

/**
 * Unpacks a bundle. Throws a Mistake if the file is no bundle, damaged, too large or of a newer version. The content is
 * read as a stream, which ends at the first byte beyond its stated and its maximum length.
 */
export async function unpackBundle(file: Buffer, most = maxContent): Promise<BundleContent> {
  const end = file.subarray(0, maxLine).indexOf('\n');
  const line = end < 0 ? '' : file.toString('latin1', 0, end);
  const [, number, version = '', length = '', digest = ''] = headLine.exec(line) ?? [];
  if (file.length === 0) throw new Mistake('is empty');
  if (number === undefined) throw new Mistake('is no bundle of Sandbank');
  if (Number(number) > format || isNewer(version)) throw newer(version);
  const packed = file.subarray(end + 1);
  const whole = `sandbank-bundle ${number} ${version} ${length}`;
  if (Number(number) !== format || digestOf(whole, packed) !== digest) throw damaged();
  requireRoom('content', Number(length), most);
  return split(unpacked(packed), Number(length));
}

function newer(version: string): Mistake {
  const than = isNewer(version)
    ? `which is newer than this one, ${packageJson.version}`
    : 'in a format that this one does not know';
  return new Mistake(`was saved by Sandbank ${version}, ${than}: open it with that version`);
}

function requireRoom(what: string, length: number, most: number): void {
  if (length <= most) return;
  throw new Mistake(`has ${inMb(length)} MB of ${what}, and a bundle ${inMb(most)} MB at most`);
}

/** The content of a frame, piece by piece. Throws a Mistake for bytes that are not a frame. */
async function* unpacked(packed: Buffer): AsyncGenerator<Buffer, void> {
  const params = { [constants.ZSTD_d_windowLogMax]: maxWindow };
  const frame = createZstdDecompress({ params });
  try {
    // In object mode the pipe gets the bytes as one piece.
    yield* Readable.from([packed], { objectMode: false }).pipe(frame) as AsyncIterable<Buffer>;
  } catch {
    // The digest is right, so somebody made this file by hand.
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

/**
 * The length in bytes that the header of an SQLite file states, or null for another file. A longer file would waste
 * memory.
 */
function lengthIn(ledger: Buffer): number | null {
  if (!ledger.subarray(0, magic.length).equals(magic)) return null;
  const pageSize = ledger.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * ledger.readUInt32BE(28);
}

function damaged(): Mistake {
  return new Mistake('is damaged: it is not as it was saved');
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
