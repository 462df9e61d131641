import { Router, type ErrorRequestHandler, type Request } from 'express';
import type { Logger } from 'pino';
import { assert } from '../../engine/values/assert.ts';
import { consoleEntrance, refusePage } from '../console/entrance.ts';
import { PageAddresses } from '../console/page-addresses.ts';
import { guard, isReadByPages } from '../control/guard.ts';
import { landedPath } from '../sca/landed.ts';
import { type CallCheck, hostFault, ownCalls, ownPages, ownSite } from '../pipeline/own-site.ts';
import { problemHandler, problemOf } from '../pipeline/problem.ts';
import type { Config } from '../start/config.ts';
import type { Tenant } from './tenant.ts';

interface FrontOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The token and sessions for a name, whether such a bank exists or not. */
  readonly tenantAt: (name: string) => Promise<Tenant>;
}

/**
 * The front of the named banks of a server with a control token, at `/banks/:name`. It asks for the token before it is known whether
 * there is such a bank, and opens none: a bank of somebody else and one that is not there answer alike (docs/spec/control-plane.md H). The
 * routes of a bank ask again.
 */
export function bankFront({ config, log, tenantAt }: FrontOptions): Router {
  const router = Router({ caseSensitive: true, mergeParams: true });
  const tenants = new WeakMap<Request, Tenant>();
  const tenantOf = (request: Request): Tenant => {
    const tenant = tenants.get(request);
    assert(tenant !== undefined, 'the first handler finds it');
    return tenant;
  };
  const checkAt = checksOf(config);
  router.use(async (request, _response, next) => {
    if (/^\/console(?=\/|$)/.test(request.path) || checkAt(request.path) !== null) {
      tenants.set(request, await tenantAt(nameIn(request)));
      next();
    } else next('router');
  });
  const entrance = consoleEntrance(config, (request) => {
    return { sessions: tenantOf(request).sessions, base: baseOf(request) };
  });
  router.use('/console', entrance, refusedPages);
  const problem = problemHandler(log);
  router.use((request, response, next) => {
    const check = checkAt(request.path);
    if (check === null) {
      next();
      return;
    }
    const { token, sessions } = tenantOf(request);
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
const refusedPages: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const problem = problemOf(error);
  if (problem === null || response.headersSent) next(error);
  else refusePage(new PageAddresses(request, baseOf(request)), response, problem.facts);
};

function nameIn({ params }: Request): string {
  return String(params['name']);
}

function baseOf(request: Request): string {
  return `/banks/${encodeURIComponent(nameIn(request))}`;
}
