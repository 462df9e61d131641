import type { Request, RequestHandler } from 'express';
import type { ControlToken } from '../pipeline/control-token.ts';
import type { CallCheck } from '../pipeline/own-site.ts';
import { Problem } from '../pipeline/problem.ts';

interface GuardOptions {
  readonly site: CallCheck;
  /** It is null if no token is required. */
  readonly token: ControlToken | null;
  /** Whether a request needs no token for another reason. By default every request needs it. */
  readonly mayRead?: (request: Request) => boolean;
}

/** Refuses requests of other web sites (403), and without the control token if one is set (401). */
export function guard({ site, token, mayRead = () => false }: GuardOptions): RequestHandler {
  return (request, _response, next) => {
    const problem = siteProblem(site, request);
    if (problem !== null) throw problem;
    if (token !== null && !mayRead(request)) requireToken(request, token);
    next();
  };
}

/** The problem (403) of a request that `site` refuses, or null if it passes. */
export function siteProblem(site: CallCheck, request: Request): Problem | null {
  const fault = site(request);
  if (fault === null) return null;
  const { text: detail, hosts: allowed } = fault;
  return new Problem({ status: 403, detail, ...(allowed !== undefined && { allowed }) });
}

/** The bearer token of a request. */
export function bearerOf({ headers }: Pick<Request, 'headers'>): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function requireToken(request: Request, token: ControlToken): void {
  const given = bearerOf(request);
  if (given !== null && token.opens(given)) return;
  const detail =
    'The control plane asks for Authorization: Bearer and the value of SANDBANK_CONTROL_TOKEN; commands take it from there or from --control-token.';
  throw new Problem({ status: 401, detail, headers: { 'www-authenticate': 'Bearer realm="sandbank"' } });
}
