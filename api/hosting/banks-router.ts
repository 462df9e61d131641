import {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { Logger } from 'pino';
import { psuOfAccess } from '../../engine/consents/consents.ts';
import { redirectUriOf } from '../../engine/approval/read-sca.ts';
import type { Bank } from '../../engine/bank.ts';
import { assert } from '../../engine/values/assert.ts';
import { decodedUri } from '../../engine/values/text.ts';
import type { ConsoleSessions } from '../console/sessions.ts';
import { bearerOf, guard, isReadByPages } from '../control/guard.ts';
import { type Gate, tokenHeader, tokenKey } from '../pipeline/control-token.ts';
import { isForBrowser } from '../pages/refusals.ts';
import { landedPath } from '../sca/landed.ts';
import { clientAddress, interfacePath } from '../pipeline/addresses.ts';
import { type CallCheck, hostFault, ownCalls, ownPages, ownSite } from '../pipeline/own-site.ts';
import { onceAsked } from '../pipeline/once-asked.ts';
import { problemHandler, problemOf } from '../pipeline/problem.ts';
import type { Config } from '../start/config.ts';
import { notOpen, type Strangers, strangerOf, type Visits } from './callers.ts';
import type { HostedBanks } from './hosted-banks.ts';
import type { Tenant } from './tenant.ts';

/** What a request to a bank has: what opens the bank, the path of signed calls, the id of a page of a PSU, or none of them. */
type Way = 'opened' | 'interface' | PageId | 'none';

/** The id in the address of a page that a PSU opens without a token: of an SCA, or of a page of access. */
type PageId = { readonly scaId: string } | { readonly accessId: string };

/** What a request below a bank has. `token` and `sessions`: of the bank. Counts a wrong token (C4). */
function wayOf(
  request: Request,
  { token, sessions }: { readonly token: Gate; readonly sessions: ConsoleSessions },
): Way {
  const given = bearerOf(request);
  if (sessions.of(request) !== null) return 'opened';
  if (given !== null && token.judge(given, clientAddress(request)) === 'right') return 'opened';
  if (interfacePath.test(request.path)) return 'interface';
  return pageIn(request);
}

/** The id in the address of a page of access, of the page of an SCA, or of the page where an SCA lands. */
function pageIn({ path, query }: Request): Way {
  const access = /^\/sca\/access\/([^/]+)$/.exec(path)?.[1];
  if (access !== undefined) return { accessId: access };
  const id = /^\/sca\/([^/]+)$/.exec(path)?.[1] ?? (path === landedPath ? query['sca'] : undefined);
  const scaId = typeof id === 'string' ? decodedUri(id) : null;
  return scaId === null ? 'none' : { scaId };
}

/** Whether a bank has the page of this id. A request that knows the id of an SCA, ended or not, may see its pages. */
async function hasPage(bank: Bank, id: PageId): Promise<boolean> {
  if ('accessId' in id) return (await psuOfAccess(bank, id.accessId)) !== undefined;
  return (await redirectUriOf(bank, id.scaId)) !== null;
}

interface Options {
  readonly config: Config;
  /** Null: the server has no control token, and the banks ask for none. */
  readonly strangers: Strangers | null;
  readonly log: Logger;
}

/** Router for `/banks`: hands each request to the bank that it names. Throws NOT_FOUND for an unknown name. */
export function banksRouter(banks: HostedBanks, options: Options): Router {
  const { strangers } = options;
  const router = Router({ caseSensitive: true });
  const ways = new WeakMap<Request, Way>();
  if (strangers !== null) router.use('/:name', bankFront(banks, { ...options, strangers }, ways));
  return router.use('/:name', async (request, response, next) => {
    const named = await banks.find(nameIn(request));
    const way = ways.get(request) ?? 'opened';
    if (way === 'opened') named.visits.take(request);
    const hosted = await banks.openForUse(named);
    // A file that was taken away may be back.
    if (hosted.bank.ledger.trouble() !== null) await hosted.checkLedger();
    if (typeof way === 'object') {
      if (!(await hasPage(hosted.bank, way))) {
        strangers?.count(strangerOf(request));
        await deny(request, response, next);
        return;
      }
      named.visits.take(request);
    }
    await hosted.handle(request, response, next);
  });
}

/**
 * The front of the named banks of a server with a control token, at `/banks/:name`. It asks what opens the bank before it is known whether
 * there is such a bank, and opens none: a bank of somebody else and one that is not there answer alike (docs/spec/control-plane.md H). The
 * routes of a bank ask again. `ways` gets what a request that passes has; one that is not in it has what opens the bank.
 */
function bankFront(
  banks: HostedBanks,
  { config, log, strangers }: Options & { readonly strangers: Strangers },
  ways: WeakMap<Request, Way>,
): Router {
  const router = Router({ caseSensitive: true, mergeParams: true });
  const tenants = new WeakMap<Request, Tenant>();
  const tenantOf = (request: Request): Tenant => {
    const tenant = tenants.get(request);
    assert(tenant !== undefined, 'the first handler finds it');
    return tenant;
  };
  const checkAt = checksOf(config);
  const count = (request: Request): void => strangers.count(strangerOf(request));
  router.use(async (request, response, next) => {
    const tenant = await banks.tenantAt(nameIn(request));
    tenants.set(request, tenant);
    tenant.visits?.watch(request, response);
    if (isOfConsole(request)) {
      if (tenant.sessions.of(request) === null) count(request);
      next();
    } else if (checkAt(request.path) === null) {
      const way = wayOf(request, tenant);
      ways.set(request, way);
      if (isPassed(way, request, tenant)) next('router');
      else {
        count(request);
        await deny(request, response, next);
      }
    } else next();
  });
  /** Whether it may go on to the bank, which looks closer. */
  function isPassed(way: Way, request: Request, { issued, isOfBank }: Tenant): boolean {
    if (way === 'opened') return true;
    if (!isOfBank || way === 'none') return false;
    // A right id or a signature is found in the bank, which opens for so many strangers a second.
    if (way !== 'interface') strangers.ask(strangerOf(request));
    else if (config.tppTrust === 'ca') return issued(request)?.isOwn === true;
    else return issued(request) !== null;
    return true;
  }
  const entrance = onceAsked(async () => {
    const { consoleEntrance } = await import('../console/entrance.ts');
    return consoleEntrance(config, (request) => ({ sessions: tenantOf(request).sessions, base: baseOf(request) }));
  });
  router.use('/console', entrance, refusedPages, (_request: Request, _response: Response, next: NextFunction) =>
    next('router'),
  );
  const guarded = Router({ caseSensitive: true, mergeParams: true });
  guarded.use((request, response, next) => {
    const fault = hostFault(request);
    if (fault !== null) throw fault;
    const { token, sessions } = tenantOf(request);
    const mayRead = (): boolean => isReadByPages(request) && sessions.of(request) !== null;
    guard({ site: checkAt(request.path) ?? (() => null), token, mayRead })(request, response, next);
  });
  const counted: ErrorRequestHandler = (error, request, _response, next) => {
    count(request);
    next(error);
  };
  guarded.use(counted, problemHandler(log));
  return router.use(guarded);
}

function isOfConsole({ path }: Request): boolean {
  return /^\/console(?=\/|$)/.test(path);
}

/** The check against other web sites of a path below a bank that asks for its token alone; null: another path. */
function checksOf(config: Config): (path: string) => CallCheck | null {
  const site = ownSite(config);
  const [ofCalls, ofDoor] = [ownCalls(site), ownPages(site)];
  return (path) => {
    const [, below] = /^(\/sandbox\/as|\/sandbox|\/openapi\.json)(?=\/|$)/.exec(path) ?? [];
    if (below === undefined || path === landedPath) return null;
    if (below === '/openapi.json') return () => null;
    return below === '/sandbox' ? ofCalls : ofDoor;
  };
}

/** Answers what the entrance of a console refuses with a page. */
const refusedPages: ErrorRequestHandler = async (error: unknown, request, response, next) => {
  if (response.headersSent || problemOf(error) === null) next(error);
  else await refuse(error, request, response);
};

async function refuse(error: unknown, request: Request, response: Response): Promise<void> {
  const problem = problemOf(error);
  assert(problem !== null, 'it is an expected error');
  for (const [name, value] of Object.entries(problem.facts.headers ?? {})) response.setHeader(name, value);
  // Pages are loaded when a browser asks for the first one.
  const [{ refusePage }, { PageAddresses }] = await Promise.all([
    import('../console/entrance.ts'),
    import('../console/page-addresses.ts'),
  ]);
  refusePage(new PageAddresses(request, baseOf(request)), response, problem.facts);
}

/** Gives the one answer of a bank that is not open, a page to a browser. */
async function deny(request: Request, response: Response, next: NextFunction): Promise<void> {
  if (isForBrowser(request, request.baseUrl)) await refuse(notOpen(), request, response);
  else next(notOpen());
}

function nameIn({ params }: Request): string {
  return String(params['name']);
}

function baseOf(request: Request): string {
  return `/banks/${encodeURIComponent(nameIn(request))}`;
}

interface RootOptions {
  readonly bank: Bank;
  readonly strangers: Strangers;
  readonly visits: Visits;
  readonly token: Gate;
  readonly sessions: ConsoleSessions;
}

/**
 * Counts the requests to the bank at the root of a server with a control token (docs/spec/control-plane.md H Rates): none with the token or a
 * session, for they are the host's; a signed one when its signature is checked; others at the address that they come from.
 */
export function countAtRoot({ bank, strangers, visits, token, sessions }: RootOptions): RequestHandler {
  return async (request, response, next) => {
    visits.watch(request, response);
    const given = bearerOf(request) ?? request.get(tokenHeader) ?? null;
    const isOfHost = sessions.of(request) !== null || (given !== null && token.opens(tokenKey(given)));
    const way = pageIn(request);
    if (isOfHost) visits.free(request);
    else if (!interfacePath.test(request.path)) {
      strangers.ask(strangerOf(request));
      if (typeof way === 'object' && (await hasPage(bank, way))) visits.take(request);
      else strangers.count(strangerOf(request));
    }
    next();
  };
}
