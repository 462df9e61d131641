import express, { type RequestHandler } from 'express';

/** The largest body (rules.md E2), in bytes, of everything but bulk payments. */
const bodyLimit = 256 * 1024;

/** Reads the bytes of any body as they were sent: the Digest is over them. Compressed ones are refused. */
export function readBytes(limit = bodyLimit): RequestHandler {
  return express.raw({ type: () => true, limit, inflate: false });
}

/** Whether a Content-Type is that of JSON, in UTF-8 (interface: What the service does, 4). */
export function isJsonType(type: string): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
}
