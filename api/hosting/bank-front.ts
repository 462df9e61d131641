import { Router, type ErrorRequestHandler, type Request } from 'express';
import type { Logger } from 'pino';
import { consoleEntrance, refusePage } from '../console/entrance.ts';
import { PageAddresses } from '../console/page-addresses.ts';
import { guard, isReadByPages } from '../control/guard.ts';
import { landedPath } from '../sca/landed.ts';
import { type CallCheck, hostFault, ownCalls, ownPages, ownSite } from '../pipeline/own-site.ts';
import { problemHandler, problemOf } from '../pipeline/problem.ts';
import type { Config } from '../start/config.ts';
import type { Tenant } from './hosted-bank.ts';

interface FrontOptions {
  readonly config: Config;
  readonly log: Logger;
  /** What opens the bank of a name, which may not be there. */
  readonly tenantAt: (name: string) => Tenant;
}

/**
 * What stands before the named banks of a server with a control token, at `/banks/:name`. It asks for the token before it is known whether
 * there is such a bank, and opens none: a bank of somebody else and one that is not there answer alike (docs/spec/control-plane.md H). The
 * routes of a bank ask again.
 */
export function bankFront({ config, log, tenantAt }: FrontOptions): Router {
  const router = Router({ caseSensitive: true, mergeParams: true });
  const nameIn = ({ params }: Request): string => String(params['name']);
  const baseOf = (request: Request): string => `/banks/${encodeURIComponent(nameIn(request))}`;
  const checkAt = checksOf(config);
  router.use(
    '/console',
    consoleEntrance(config, (request) => ({
      sessions: tenantAt(nameIn(request)).sessions,
      base: baseOf(request),
    })),
    refusals((request) => new PageAddresses(request, baseOf(request))),
  );
  const problem = problemHandler(log);
  router.use((request, response, next) => {
    const check = checkAt(request.path);
    if (check === null) {
      next();
      return;
    }
    const { token, sessions } = tenantAt(nameIn(request));
    const mayRead = (): boolean => isReadByPages(request) && sessions.of(request) !== null;
    try {
      const fault = hostFault(request);
      if (fault !== null) throw fault;
      guard({ site: check, token, mayRead })(request, response, next);
    } catch (error) {
      void problem(error, request, response, next);
    }
  });
  return router;
}

/** The check against other web sites of a path below a bank; null: the path asks for no token. */
function checksOf(config: Config): (path: string) => CallCheck | null {
  const site = ownSite(config);
  const [ofCalls, ofDoor] = [ownCalls(site), ownPages(site)];
  return (path) => {
    const [, below] = /^(\/sandbox\/as|\/sandbox\/landed|\/sandbox|\/openapi\.json)(?=\/|$)/.exec(path) ?? [];
    if (below === undefined || below === landedPath) return null;
    if (below === '/openapi.json') return () => null;
    return below === '/sandbox' ? ofCalls : ofDoor;
  };
}

/** Answers what the entrance of a console refuses with a page. */
function refusals(pageOf: (request: Request) => PageAddresses): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const problem = problemOf(error);
    if (problem === null || response.headersSent) next(error);
    else refusePage(pageOf(request), response, problem.facts);
  };
}
