import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { memberOf } from '../bodies/rule.ts';
import { messageOf } from '../../engine/values/message-of.ts';

/** First line of an error's message: Node's other lines are advice. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}

/** Cause of a failed request, in brackets after a blank, or empty if it is unknown. */
export function reasonOf(error: unknown): string {
  const cause = memberOf(error, 'cause') ?? error;
  const reason = memberOf(cause, 'code') ?? memberOf(cause, 'message');
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}

/** What to do if a client could not connect by TLS, a sentence after a blank, or empty if TLS is not the cause. */
export function tlsAdvice(error: unknown): string {
  const code = String(memberOf(memberOf(error, 'cause') ?? error, 'code') ?? '');
  if (/^(?:ERR_SSL_|EPROTO$)/.test(code)) return ' This bank speaks HTTP: write http:// in the address.';
  if (!/CERT|VERIFY|ISSUER/.test(code)) return '';
  return ' Its certificate is not trusted: NODE_EXTRA_CA_CERTS=FILE trusts the CA in FILE. GET /sandbox/ca has the CA of a Sandbank.';
}

/** The files beside a ledger, by the ends of their names. */
const beside = ['', '-wal', '-shm', '.lock', '.snapshots'];

/**
 * Says which file or folder of a path this process may not write, and who owns it, after a blank: ` (/data belongs to
 * uid 0, and this process has uid 1000)`. It is empty if permissions are not the cause, or the system has no uids.
 */
export function closedToUs(path: string): string {
  const uid = process.geteuid?.();
  const closed =
    uid === undefined ? undefined : [...beside.map((end) => path + end), ...foldersOf(path)].find(isClosed);
  if (closed === undefined) return '';
  return ` (${closed} belongs to uid ${statSync(closed).uid}, and this process has uid ${uid})`;
}

/**
 * The first line of an error's message. For a file that this process may not open it adds the owner, see {@link
 * closedToUs}.
 */
export function fileMessageOf(error: unknown): string {
  const { code, path } = Object(error) as NodeJS.ErrnoException;
  return firstLineOf(error) + (code === 'EACCES' && path !== undefined ? closedToUs(path) : '');
}

/** Why a file cannot be read or written, in our words, or by the system's code. */
export function fileReason(error: unknown): string {
  const code = String(memberOf(error, 'code') ?? '');
  // Where a folder is made, a file is in its way; where a new file is opened, one is there.
  if (code === 'EEXIST' && memberOf(error, 'syscall') === 'open') return 'it is there already, and no file is replaced';
  return fileReasons.get(code) ?? (code === '' ? 'the reason is unknown' : code);
}

const fileReasons = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it is a file'],
  ['ENOTDIR', 'a file is on the way to it'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['EFBIG', 'the disk takes no file of this size'],
]);

/** The nearest folder above that exists and can be read. */
function foldersOf(path: string): string[] {
  const above = dirname(resolve(path));
  if (above === dirname(above)) return [above];
  return isThere(above) ? [above] : foldersOf(above);
}

function isClosed(path: string): boolean {
  if (!isThere(path)) return false;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Its folder cannot be read, so the folder is the closed one.
    return false;
  }
}
