import type { Request } from 'express';

const host = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Whether a text names a host, with a port or without, as a Host header does: nothing that an address would read otherwise. */
export function isHost(text: string): boolean {
  return host.test(text) && URL.canParse(`http://${text}`);
}

/** The address that a request was sent to, by its Host; a request without one, or with what is none, was sent to `own`. */
export function askedAddress(request: Request, own: string): string {
  const host = request.headers.host ?? '';
  return isHost(host) ? `${request.protocol}://${host}` : own;
}
