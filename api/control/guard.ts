import type { Request, RequestHandler } from 'express';
import { clientAddress } from '../pipeline/client-address.ts';
import { type ControlToken, tooManyWrong } from '../pipeline/control-token.ts';
import type { CallCheck } from '../pipeline/own-site.ts';
import { Problem } from '../pipeline/problem.ts';

interface GuardOptions {
  readonly site: CallCheck;
  /** Null: no token is required. */
  readonly token: ControlToken | null;
  /** Whether a request needs no token for another reason; left out: none does. */
  readonly mayRead?: (request: Request) => boolean;
}

/** Refuses requests of other web sites (403), and without the control token if one is set (401; 429 after too many wrong ones). */
export function guard({ site, token, mayRead = () => false }: GuardOptions): RequestHandler {
  return (request, _response, next) => {
    const problem = siteProblem(site, request);
    if (problem !== null) throw problem;
    if (token !== null && !mayRead(request)) requireToken(request, token);
    next();
  };
}

/** What `site` finds wrong with a request, as a problem (403); null: it passes. */
export function siteProblem(site: CallCheck, request: Request): Problem | null {
  const fault = site(request);
  if (fault === null) return null;
  const { text: detail, hosts: allowed } = fault;
  return new Problem({ status: 403, detail, ...(allowed !== undefined && { allowed }) });
}

function requireToken(request: Request, token: ControlToken): void {
  const [, given] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const verdict = given === undefined ? 'wrong' : token.judge(given, clientAddress(request));
  if (verdict === 'right') return;
  if (verdict !== 'wrong') {
    const { retryAfter } = verdict;
    const headers = { 'retry-after': String(retryAfter) };
    throw new Problem({ status: 429, detail: tooManyWrong, headers });
  }
  const detail = 'The control plane asks for Authorization: Bearer and the value of SANDBANK_CONTROL_TOKEN.';
  throw new Problem({ status: 401, detail, headers: { 'www-authenticate': 'Bearer realm="sandbank"' } });
}
