import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { clip, decodedUri, quote, oneLine } from '../../engine/values/text.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { bytesOf } from '../pipeline/read-body.ts';
import type { ControlToken } from '../pipeline/control-token.ts';
import { missingPages } from '../pages/refusals.ts';
import { ownPages, type SiteCheck } from '../pipeline/own-site.ts';
import { Problem, problemHandler, refusedAt } from '../pipeline/problem.ts';
import { completeHeaders, type PlainHeaders, signatureSent, signPlainRequest } from '../signing/plain-request.ts';
import type { Credentials } from '../signing/signature/sign-request.ts';
import { testTppId, testTppName, type ThrowAwayTpps } from '../signing/test-tpp.ts';
import { bearerOf, guard } from './guard.ts';
import { withSandboxCa } from './certificates.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { changesIds } from '../../engine/bank/rules/quirk.ts';
import { latestMade } from '../../engine/sandbox-data/psus.ts';
import { orRefusal, Refusal } from '../../engine/values/fault.ts';
import { redirectAddress } from '../interface/redirect-address.ts';

interface DoorOptions {
  readonly bank: Bank;
  /** Where the bank is mounted: empty, or `/banks/{name}`. */
  readonly base: string;
  readonly site: SiteCheck;
  /** Control token. */
  readonly token: ControlToken | null;
  readonly tpps: ThrowAwayTpps;
  readonly log: Logger;
  /** Where a PSU lands after an SCA, for a TPP that names no page. */
  readonly landing: (request: Request) => string;
  /** Answers with the API document of the door of this TPP. */
  readonly document: (request: Request, response: Response, tpp: string) => Promise<void>;
  /** Follows the request that the door has made of a plain one. */
  readonly follow: (request: Request, response: Response) => void;
}

interface Entered {
  readonly tpp: Credentials;
  readonly name: string;
  readonly headers: PlainHeaders;
}

/** Paths of the door. */
export const doorPath = /^\/sandbox\/as(?=[/?]|$)(.*)$/s;
const pathBehind = /^\/([^/?]*)(\/v1(?=[/?]|$).*)?/s;

interface UnsignedDoor {
  /** Handles the requests to {@link doorPath}. */
  readonly handle: RequestHandler;
  /** What signs a request that came through the door, once its body was read. */
  readonly signing: WeakMap<Request, () => Promise<void>>;
}

/**
 * The unsigned door, `/sandbox/as/{tpp}/v1/...` (docs/spec/control-plane.md). It turns a plain request into the signed
 * request of the throw-away TPP of that name to `/v1/...`, which goes on to the interface. `handle` comes before all
 * paths of the bank and answers its own errors as problems.
 */
export function unsignedDoor(options: DoorOptions): UnsignedDoor {
  const { bank, base, token, log } = options;
  const signing = new WeakMap<Request, () => Promise<void>>();
  const behind = Router({ caseSensitive: true });
  behind.use(guard({ site: ownPages(options.site), token }));
  behind.get('/sandbox/as/:tpp/openapi.json', (request, response) =>
    options.document(request, response, nameOf(request.params.tpp)),
  );
  behind.use(async (request, response, next) => {
    const { name, target: asked } = addressed(request.url);
    refuseSigned(request);
    const tpp = await withSandboxCa(() => options.tpps.get(name, bank.security.now()));
    const target = asked.includes('/latest') ? await withLatestInPath(bank, testTppId(name), asked) : asked;
    approveAtOnce(bank, log, request, response);
    const { method } = request;
    const rawHeaders = token === null ? request.rawHeaders : forInterface(request, target);
    const headers = completeHeaders({ method, target, rawHeaders }, options.landing(request));
    signing.set(request, () => signAs(request, { tpp, name, headers }));
    request.url = target;
    request.originalUrl = base + target;
    setHeaders(request, headers.raw);
    options.follow(request, response);
    next('router');
  });
  behind.use(missingPages(base), problemHandler(log));
  const signAs = async (request: Request, { tpp, name, headers }: Entered): Promise<void> => {
    const { method, originalUrl: target } = request;
    if (method === 'POST' && target === `${base}/v1/signing-baskets`)
      request.body = await withLatestInBody(bank, testTppId(name), bytesOf(request));
    const now = bank.security.now();
    setHeaders(request, signPlainRequest({ method, target, body: bytesOf(request) }, headers, tpp, now));
  };
  return {
    handle: (request, response, next) => void behind(request, response, next),
    signing,
  };
}

/** Throws a Problem for a path that is not of the door's form, and for a name that is none. */
function addressed(url: string): { readonly name: string; readonly target: string } {
  const behind = doorPath.exec(url)?.[1] ?? '';
  const [, segment, target] = pathBehind.exec(behind) ?? [];
  const form = '/sandbox/as/{tpp}/v1/..., with a name for the TPP';
  if (segment === undefined)
    throw new Problem({ status: 404, detail: `Here is nothing. The unsigned door is ${form}.` });
  const name = nameOf(decodedUri(segment) ?? segment);
  if (target !== undefined) return { name, target };
  const detail = `There is nothing at ${clip(url, 200)}: the unsigned door leads to the interface alone, ${form}.`;
  throw new Problem({ status: 404, detail });
}

/** The name of a TPP. Throws a Problem for another text. */
function nameOf(text: string): string {
  if (testTppName.test(text)) return text;
  throw refusedAt('tpp', `${quote(text, 100)} is no name for a TPP: use 1 to 60 letters, digits and hyphens.`);
}

/** A request with a signature was meant for `/v1`. */
function refuseSigned({ headers }: Request): void {
  const name = signatureSent(headers);
  if (name === undefined) return;
  const detail = `The request has the header ${name}, and this path signs for its caller. Leave it out, or send the signed request to /v1.`;
  throw refusedAt(name, detail);
}

/**
 * Moves the control token, which the door has checked, to the header that the interface takes for changes under
 * /v1/sandbox: there Authorization belongs to the TPP.
 */
function forInterface(request: Request, target: string): string[] {
  const { rawHeaders } = request;
  const own = ['authorization', 'sandbank-control-token'];
  const kept = rawHeaders.filter((_, at) => !own.includes((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
  return target.startsWith('/v1/sandbox/') ? [...kept, 'Sandbank-Control-Token', bearerOf(request) ?? ''] : kept;
}

/** Replaces the headers of a request by a raw list. Headers that it already had keep Node's own values. */
function setHeaders(request: Request, raw: readonly string[]): void {
  const received = request.headers;
  const names = raw.filter((_, at) => at % 2 === 0);
  request.headers = Object.fromEntries(
    names.map((name, at) => [name.toLowerCase(), received[name.toLowerCase()] ?? raw[2 * at + 1]]),
  );
  request.rawHeaders = [...raw];
}

/*
 * Shortcuts of the unsigned door (docs/spec/control-plane.md C18): the word `latest`, and an approval within the call.
 */

/**
 * The id of the latest payment or basket that this TPP made at `payments/{product}`, `payment` (any payment) or
 * `signing-baskets`; null: none. `unsigned`: of payments that wait for a signature only.
 */
async function latestAt(bank: Bank, tppId: string, at: string, unsigned: boolean): Promise<string | null> {
  const id = await latestMade(bank, tppId, { at, unsigned });
  if (id === undefined || !changesIds(bank.quirks)) return id ?? null;
  const { wireIdsOf } = await import('../quirks/encrypted-ids.ts');
  // Baskets have the form of payments.
  return (await wireIdsOf(bank)).show('payment', id);
}

/**
 * The target with the id in the place of `latest`: `/v1/payments/{product}/latest/status`. Another target stays as it
 * is.
 */
async function withLatestInPath(bank: Bank, tppId: string, target: string): Promise<string> {
  const [, at] = /^\/v1\/((?:\w+-)?payments\/[^/?]+|payment|signing-baskets)\/latest(?=[/?]|$)/.exec(target) ?? [];
  const id = at === undefined ? null : await latestAt(bank, tppId, at, /\/authorisations(?=\?|$)/.test(target));
  return id === null ? target : target.replace('/latest', () => `/${encodeURIComponent(id)}`);
}

/** The body of a new basket with the id of the latest payment in the place of `latest`. */
async function withLatestInBody(bank: Bank, tppId: string, body: Uint8Array): Promise<Buffer> {
  const [bytes, text] = [Buffer.from(body), Buffer.from(body).toString()];
  const id = text.includes('"latest"') ? await latestAt(bank, tppId, 'payment', true) : null;
  return id === null ? bytes : Buffer.from(text.replaceAll('"latest"', () => JSON.stringify(id)));
}

/**
 * Lets the PSU whom Sandbank-Approve names approve the SCA that the answer leads to, before the answer is sent.
 * Sandbank-Approved of the answer is the redirect to the TPP, or says why the PSU could not approve. `log` gets
 * failures of the bank itself.
 */
function approveAtOnce(bank: Bank, log: Logger, { headers }: Request, response: Response): void {
  const psu = headers['sandbank-approve'];
  if (typeof psu !== 'string' || psu === '') return;
  const context = headers['psu-context'] === 'CORPORATE' ? 'CORPORATE' : 'PRIVATE';
  const agreement = context === 'PRIVATE' ? null : String(headers['psu-corporate-id'] ?? '') || null;
  const end = response.end.bind(response) as (...given: unknown[]) => Response;
  const approve = async (scaId: string): Promise<void> => {
    const given = { outcome: 'approve', psu, context, agreement, accounts: null } as const;
    const result = await orRefusal(finishSca(bank, scaId, given));
    const said = result instanceof Refusal ? result.faults[0].text : redirectAddress(result);
    // Whole: a client reads the redirect's parameters.
    response.set('Sandbank-Approved', oneLine(said, said.length).replaceAll(/[^\x20-\x7E]/g, '?'));
  };
  response.end = (...given: unknown[]) => {
    const [, scaId] = /"scaRedirect":\{"href":"[^"?]*\/sca\/([\w-]+)/.exec(String(given[0] ?? '')) ?? [];
    if (scaId === undefined) return end(...given);
    approve(scaId).then(
      () => end(...given),
      (error: unknown) => {
        log.error({ err: error }, 'an approval at the door failed');
        response.set('Sandbank-Approved', 'The bank could not carry out the approval.');
        end(...given);
      },
    );
    return response;
  };
}
