import { AsyncResource } from 'node:async_hooks';
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../../engine/values/fault.ts';
import { clip } from '../../engine/values/text.ts';

const kilobyte = 1024;
/** Largest body (rules.md E2), in bytes, except of bulk payments. */
const bodyLimit = 256 * kilobyte;
/** Largest body of a bulk payment (rules.md E2), in bytes: it may have many creditors. */
export const bulkBodyLimit = 8 * kilobyte * kilobyte;

/**
 * Reads the bytes of a body as sent: the Digest is over them. Refuses a compressed body and one that broke off. Refuses a body that is
 * announced too large before it is read, and one that grows too large at the limit (docs/spec/control-plane.md C2); both answers close
 * the connection.
 */
export function readBytes(limit = bodyLimit): RequestHandler {
  return (request, response, next) => {
    // The body was read already, or the request has none.
    if (request.body !== undefined || !hasBody(request)) {
      // A request that broke off at once also looks as if it had no body.
      next(request.destroyed && !request.complete ? brokenOff() : undefined);
      return;
    }
    const refuse = (refusal: Refusal): void => {
      response.setHeader('connection', 'close');
      next(refusal);
    };
    if (request.destroyed && !request.complete) next(brokenOff());
    else if (isEncoded(request)) refuse(encoded());
    else if (Number(request.headers['content-length'] ?? 0) > limit) refuse(tooLarge(limit));
    else {
      collect(request, limit, (bytes) => {
        if (bytes instanceof Refusal) {
          refuse(bytes);
          return;
        }
        request.body = bytes;
        next();
      });
    }
  };
}

/** Reads a form of at most `limit` bytes, for {@link fieldsOf}. A body of another type is not read. */
export function readForm(limit: number): RequestHandler {
  const read = readBytes(limit);
  return (request, response, next) => {
    const [type = ''] = (request.headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() === 'application/x-www-form-urlencoded') read(request, response, next);
    else next();
  };
}

/** The fields of a form that was read; none without one. */
export function fieldsOf(request: Pick<Request, 'body'>): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(bytesOf(request)));
}

/** Checks whether a Content-Type is JSON in UTF-8 (interface: What the service does, 4). */
export function isJsonType(type: string): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
}

/** Whether a request has a body, of a stated length or of none. */
export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The bytes of the body; empty without one. */
export function bytesOf(request: Pick<Request, 'body'>): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
}

/** Calls `done` once, in the async context of the caller, with the whole body or with the refusal of it. */
function collect(request: Request, limit: number, done: (bytes: Buffer | Refusal) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = AsyncResource.bind((result: Buffer | Refusal): void => {
    request.off('data', add).off('end', end).off('close', gone).off('error', gone);
    done(result);
  });
  const add = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= limit) return;
    request.pause();
    finish(tooLarge(limit));
  };
  const end = (): void => finish(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  const gone = (): void => finish(brokenOff());
  request.on('data', add).once('end', end).once('close', gone).once('error', gone);
}

function isEncoded({ headers }: Request): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding.toLowerCase() !== 'identity';
}

function tooLarge(limit: number): Refusal {
  const most =
    limit >= bodyLimit ? '256 KB, for a bulk payment 8 MB' : `${Math.floor(limit / kilobyte)} KB, as this is a form`;
  return new Refusal({ code: 'BAD_REQUEST', place: 'size', text: `The body is too large: at most ${most}.` });
}

function encoded(): Refusal {
  const text = 'The body is sent with a Content-Encoding. Send it as it is: the Digest is over the bytes sent.';
  return new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-encoding', text });
}

function brokenOff(): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', text: 'The request cannot be read: it broke off.' });
}

/** Refusal for a request that express could not read (rules.md E2); null for any other error. */
export function unreadBody(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { status } = error as Error & { readonly status?: number };
  if (status === undefined || status < 400 || status > 499) return null;
  return new Refusal({ code: 'BAD_REQUEST', text: `The request cannot be read: ${clip(error.message, 200)}.` });
}
