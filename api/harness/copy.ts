import { isUint8Array } from 'node:util/types';
import { Refusal } from '../../engine/values/fault.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { quote } from '../../engine/values/text.ts';
import type { Bundle } from '../hosting/bundle/bundle.ts';
import { boundedFile } from '../hosting/bundle/bundle-file.ts';
import { fileReason } from '../start/error-text.ts';
import { wrongGiven } from './given.ts';

/**
 * Members of a bank. They give it to a copy as a value of this process, or as the bytes of a file, as test files share
 * no modules.
 */
export const copies = Symbol.for('sandbank.copies');
export const saves = Symbol.for('sandbank.saves');

interface Copied {
  readonly [copies]?: () => Promise<Bundle>;
  readonly [saves]?: () => Promise<Buffer>;
}

/**
 * What the bank of `createBank({ from })` begins with. Throws a Mistake of one line for what is no saved bank, and for
 * a bank that is closed.
 */
export async function bundleGiven(from: unknown): Promise<Bundle> {
  const { [copies]: copied } = Object(from) as Copied;
  if (copied !== undefined) return unlessClosed('createBank', copied);
  const bytes = await savedBytes('createBank', from);
  // Loaded here only: few tests open saved banks.
  const { readBundle } = await import('../hosting/bundle/bundle.ts');
  try {
    return await readBundle(bytes);
  } catch (error) {
    const what = typeof from === 'string' ? `the saved bank ${quote(from)}` : 'what is in from';
    throw error instanceof Mistake ? new Mistake(`createBank: ${what} ${error.message}`) : error;
  }
}

/**
 * The bytes of a saved bank, by its path, and of an open one. Throws as {@link bundleGiven} does. `call`: the function
 * that takes it.
 */
export async function savedBytes(call: string, from: unknown): Promise<Buffer> {
  const { [saves]: saved } = Object(from) as Copied;
  if (saved !== undefined) return unlessClosed(call, saved);
  if (isUint8Array(from)) return Buffer.from(from.buffer, from.byteOffset, from.length);
  if (typeof from !== 'string')
    throw wrongGiven(call, 'in from the path or the bytes of a saved bank, or an open one', from);
  let bytes: Buffer | null;
  try {
    bytes = boundedFile(from);
  } catch (error) {
    throw new Mistake(`${call}: the saved bank ${quote(from)} cannot be read: ${fileReason(error)}`);
  }
  if (bytes === null) throw new Mistake(`${call}: ${quote(from)} is no bundle of Sandbank`);
  return bytes;
}

/** A bank may close meanwhile. */
async function unlessClosed<Value>(call: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal ? new Mistake(`${call}: ${error.faults[0].text}`) : error;
  }
}
