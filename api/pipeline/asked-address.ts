import type { Request } from 'express';
import { isHost } from './host-name.ts';

/** The address that a request was sent to, by its Host; a request without one, or with what is none, was sent to `own`. */
export function askedAddress(request: Request, own: string): string {
  const host = request.headers.host ?? '';
  return isHost(host) ? `${request.protocol}://${host}` : own;
}
