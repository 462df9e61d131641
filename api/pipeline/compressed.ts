import { gzipSync } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';

/** A smaller answer gains nothing, in bytes. */
const least = 1_024;
const compressible = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*json|javascript|xml)|image\/svg)/;

/**
 * Compresses the whole texts that are answered from here on, for clients that take gzip (docs/spec/control-plane.md
 * C33). What is written in parts, as a stream of events, goes out as it is written.
 */
export function compressed(request: Request, response: Response, next: NextFunction): void {
  const send = response.end.bind(response) as (body?: unknown, encoding?: unknown, done?: unknown) => Response;
  response.end = ((body?: unknown, encoding?: unknown, done?: unknown): Response => {
    const bytes = typeof body === 'string' ? Buffer.from(body, encoding as BufferEncoding | undefined) : body;
    const isWhole = Buffer.isBuffer(bytes) && !response.headersSent && bytes.length >= least;
    const type = String(response.get('content-type'));
    if (!isWhole || !compressible.test(type) || response.get('content-encoding') !== undefined)
      return send(body, encoding, done);
    response.vary('accept-encoding');
    if (request.acceptsEncodings('gzip') !== 'gzip') return send(body, encoding, done);
    const packed = gzipSync(bytes, { level: 5 });
    response.set({ 'content-encoding': 'gzip', 'content-length': String(packed.length) });
    return send(packed, encoding, done);
  }) as Response['end'];
  next();
}
