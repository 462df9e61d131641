import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { quote } from '../../engine/core/clip.ts';
import { Problem } from './problem.ts';

export interface GuardOptions {
  /** Names beside localhost, with a port or without. */
  readonly allowedHosts: readonly string[];
  /** Null: no token is asked for. */
  readonly token: string | null;
}

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps web pages away from the control plane, which has no signature: the Host must be one of ours (a name that was
 * rebound to 127.0.0.1 is not), an Origin must be the same host, the bearer token must fit where one is set.
 */
export function guard({ allowedHosts, token }: GuardOptions): RequestHandler {
  const hosts = new Set([...localHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
  return (request, _response, next) => {
    const host = (request.headers.host ?? '').toLowerCase();
    requireHost(host, hosts);
    requireSameOrigin(request.headers.origin, host);
    if (token !== null) requireToken(request.headers.authorization, token);
    next();
  };
}

function requireHost(host: string, hosts: ReadonlySet<string>): void {
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/.exec(host) ?? [];
  if (hosts.has(name) || hosts.has(host)) return;
  const detail = `The control plane does not answer to the host ${quote(host, 100)}. SANDBANK_ALLOWED_HOSTS adds names.`;
  throw new Problem({ status: 403, detail, allowed: [...hosts] });
}

function requireSameOrigin(origin: string | undefined, host: string): void {
  if (origin === undefined) return;
  if (URL.canParse(origin)) {
    const { protocol, host: from } = new URL(origin);
    // Both through the same parser: a default port falls away on either side.
    const own = `${protocol}//${host}`;
    if (URL.canParse(own) && from !== '' && new URL(own).host === from) return;
  }
  throw new Problem({ status: 403, detail: 'The control plane takes no requests from web pages of another origin.' });
}

function requireToken(authorization: string | undefined, token: string): void {
  const [, given] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? [];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return;
  const detail = 'The control plane asks for Authorization: Bearer and the value of SANDBANK_CONTROL_TOKEN.';
  throw new Problem({ status: 401, detail, headers: { 'www-authenticate': 'Bearer realm="sandbank"' } });
}

/** Equal lengths, as the comparison needs them. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
