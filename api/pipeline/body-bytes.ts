import express, { type Request, type RequestHandler } from 'express';
import { Refusal } from '../../engine/values/fault.ts';

/** Largest body (rules.md E2), in bytes, except of bulk payments. */
const bodyLimit = 256 * 1024;

/** Reads the bytes of a body as sent: the Digest is over them. A compressed body is refused, and one that broke off before. */
export function readBytes(limit = bodyLimit): RequestHandler {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (request, response, next) => {
    // express takes a request that has broken off already for one without a body.
    const isBrokenOff = request.destroyed && !request.complete;
    if (isBrokenOff) next(new Refusal({ code: 'BAD_REQUEST', text: 'The request cannot be read: it broke off.' }));
    else read(request, response, next);
  };
}

/** Checks whether a Content-Type is JSON in UTF-8 (interface: What the service does, 4). */
export function isJsonType(type: string): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
}

/** The bytes read: express.raw leaves a Buffer, or nothing when there was no body. */
export function bytesOf(request: Pick<Request, 'body'>): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
}
