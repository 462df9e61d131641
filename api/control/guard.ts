import type { Request, RequestHandler } from 'express';
import { type ControlToken, tooManyWrong } from '../pipeline/control-token.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { Problem } from '../pipeline/problem.ts';

interface GuardOptions {
  readonly site: SiteCheck;
  /** Null: no token is required. */
  readonly token: ControlToken | null;
  /** A request that needs no token for another reason; left out: none. */
  readonly mayRead?: (request: Request) => boolean;
}

/** Refuses other web sites, as control plane calls are not signed (403), and a wrong bearer token if one is set (401, or 429 after too many). */
export function guard({ site, token, mayRead = () => false }: GuardOptions): RequestHandler {
  return (request, _response, next) => {
    const fault = site(request);
    if (fault !== null) {
      const { text: detail, hosts: allowed } = fault;
      throw new Problem({ status: 403, detail, ...(allowed !== undefined && { allowed }) });
    }
    if (token !== null && !mayRead(request)) requireToken(request, token);
    next();
  };
}

function requireToken({ headers, socket }: Request, token: ControlToken): void {
  const [, given] = /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '') ?? [];
  const verdict = given === undefined ? 'wrong' : token.judge(given, socket.remoteAddress);
  if (verdict === 'right') return;
  if (verdict !== 'wrong') {
    const { retryAfter } = verdict;
    const headers = { 'retry-after': String(retryAfter) };
    throw new Problem({ status: 429, detail: tooManyWrong, headers });
  }
  const detail = 'The control plane asks for Authorization: Bearer and the value of SANDBANK_CONTROL_TOKEN.';
  throw new Problem({ status: 401, detail, headers: { 'www-authenticate': 'Bearer realm="sandbank"' } });
}
