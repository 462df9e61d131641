import type { IncomingMessage } from 'node:http';
import { type ErrorRequestHandler, type RequestHandler, Router, type Request, type Response } from 'express';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { controlPlane, ofEveryBank } from '../control/control-plane.ts';
import { eventsEndpoint } from '../control/events/events.ts';
import { searchEndpoint } from '../control/search.ts';
import { paymentEndpoint } from '../control/payments/make-payment.ts';
import { requestFinder, requestsEndpoints } from '../journal/requests.ts';
import { createSignatureCheck, type SignatureCheck } from '../signing/signature-check.ts';
import { bundleEndpoint } from './banks.ts';
import type { HostedBank, Hosting } from './hosted-bank.ts';
import { ownDoor } from './own-door.ts';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/open-bank.ts';
import { bankTime } from '../../engine/bank/bank-context.ts';
import { hasLeft } from '../../engine/bank/rules/quirk.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { ArmedFaults } from '../pipeline/armed-faults.ts';
import { askedAddress } from '../pipeline/addresses.ts';
import { DryRun, type Judgement, type RequestToJudge } from '../pipeline/dry-run.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import type { ApiDescription, ApiDocument } from '../openapi/document.ts';
import { errorHandler } from '../pipeline/error-handler.ts';
import { guide } from '../guide/guide.ts';
import { llmsText, favicon, landing, nothingHere } from './landing.ts';
import { missingPages } from '../pages/refusals.ts';
import { hostFault, ownSite } from '../pipeline/own-site.ts';
import { endpoints } from '../interface/index.ts';
import { landed, landedPath } from '../sca/landed.ts';
import { preferredMethod, scaPages } from '../sca/sca-pages.ts';
import { factsOf } from '../pipeline/request-log.ts';
import { onceAsked } from '../pipeline/once-asked.ts';
import { shapeAnswer, signAnswer } from '../pipeline/shaping.ts';
import { bankCertificate, caCertificate } from '../control/certificates.ts';
import { signedInterface } from '../pipeline/signed-interface.ts';
import { sendGatewayPage } from '../pipeline/struck-call.ts';
import { unreadableFault } from './unreadable-request.ts';
import { landingOf } from '../signing/test-tpp.ts';
import { guard } from '../control/guard.ts';
import { problemHandler } from '../pipeline/problem.ts';
import type { BankTrial } from '../gauntlet/bank-trial.ts';
import { doorPath, unsignedDoor } from '../control/unsigned-door.ts';

/*
 * The way of a request from the socket to the work of an endpoint, such as `initiateIn` in
 * engine/payments/initiate-payment.ts. Each station refuses the request, or hands it on:
 *
 * 1. own-site one Host header hostFault in api/pipeline/own-site.ts
 * 2. route the endpoint of its path, method and product signedInterface in api/pipeline/signed-interface.ts
 * 3. size the bytes of its body, within the limit readBody in api/pipeline/read-body.ts
 * 4. signature certificate, date, digest and signature: the TPP createSignatureCheck in api/signing/signature-check.ts
 * 5. headers what the endpoint requires and reads readHeaders in api/pipeline/request-headers.ts
 * 6. body its JSON, by schema and rules validateBody in api/pipeline/validate-body.ts
 * 7. call what the endpoint does its `handle`, see endpoints in api/interface/index.ts
 * 8. repeat in its transaction: the first answer, or the work answerOnce in api/pipeline/endpoint.ts
 * 9. answer in the form that the quirks of the bank give it sendAnswer in api/pipeline/shaping.ts
 *
 * Three are not in the list: maintenance before station 2 (`answersClosed`), the control token after station 4, for
 * changes of sandbox data (`requireControlToken`), and an armed fault, which comes in place of station 7
 * (`carryOutStruck`). Log and journal watch beside the way. An unsigned door makes a request to /v1 of a plain one, and
 * signs it after station 3.
 */

/**
 * Routes one bank: unsigned door, pages, control plane, and the interface at both its bases. This file loads every
 * endpoint, so the first request imports it.
 */
export async function bankRouter(hosting: Hosting, hosted: HostedBank): Promise<Router> {
  const { bank, config, base, sessions, log } = hosting;
  const { journal, faults, turn, steps, seal, catchUp } = hosted;
  const [addresses, checkSignature] = [addressesOf(hosting), signatureCheckOf(hosting, hosted)];
  const site = ownSite(config);
  const parts = { ...hosting, site, journal, faults, turn, addresses, checkSignature };
  const router = Router({ caseSensitive: true });
  const atDoor = ownDoor(() => router, { base, token: config.controlToken, journal });
  const control = [...(await controlEndpoints(hosting, hosted)), paymentEndpoint(atDoor)];
  const controlled = { ...parts, endpoints: control, judge: judgeOf(parts) };
  const isOfConsole = (request: IncomingMessage): boolean => sessions.of(request) !== null;
  const documents = documentsOf(parts, control);
  const door = unsignedDoor({
    ...parts,
    landing: (request) => landingOf(addresses.server(request), base),
    document: (request, response, door) => sendServed(response, documents.served(request, door)),
    follow: (request, response) => journal.follow(request, response),
  });
  router.use((request, response, next) => {
    if (config.followClock && interfaceAnywhere.test(request.url)) dateBy(bank.security, response);
    if (bank.quirks.has('signed-answers') && interfaceAnywhere.test(request.url)) signAnswer(response, seal);
    next();
  });
  router.use(oneHost(log));
  router.use((request, response, next) => (doorPath.test(request.url) ? door.handle(request, response, next) : next()));
  const trial = await trialOf(hosting, hosted);
  trial?.precede(router, interfacePaths);
  // Before the pages: most requests are for the interface.
  const answer = interfaceOf(parts, endpoints, { signing: door.signing, trial });
  router.use(interfacePaths, async (request, response, next) => {
    if (mayBeClosed(bank, faults) && (await answersClosed(bank, faults, response))) return;
    // Late runs first: a day that was read as ended gets no further booking (rules.md S6).
    if (/^\/accounts(?=\/|$)/.test(request.path)) await catchUp();
    await journal.noteChanges(response, () => answer(request, response, next));
  });
  router.use('/sca', scaPages({ ...parts, bankName: config.profile?.name ?? null, steps, isOfConsole }));
  // It needs no token: if the server has one, the document reveals only the date of the bank.
  router.get('/sandbox/openapi.json', guard({ site, token: null }), (request, response) =>
    sendDocument(response, documents.control(request)),
  );
  router.use('/sandbox/openapi.json', problemHandler(log));
  router.use(
    '/docs',
    guide({ ...parts, serverOf: addresses.server, documents, control, asksToken: config.controlToken !== null }),
  );
  // Most banks get no request for it.
  router.use(
    '/console',
    onceAsked(async () => {
      const { bankConsole } = await import('../console/console.ts');
      return bankConsole({
        ...controlled,
        atDoor,
        moves: await hosted.moves(),
      });
    }),
  );
  const opensConsole = (request: Request): boolean => !sessions.haveLogin || isOfConsole(request);
  router.use(landedPath, landed({ ...parts, opensConsole }));
  router.use('/sandbox', controlPlane({ ...controlled, isOfConsole }));
  router.get('/', landing(config.publicUrl));
  router.get('/llms.txt', llmsText(config.publicUrl));
  router.get('/favicon.ico', favicon);
  if (base === '') router.get('/collections{/*file}', collectionsOf(addresses));
  router.get('/openapi.json', (request, response) => sendServed(response, documents.served(request)));
  router.use(nothingHere, missingPages(base, config.profile?.name));
  router.use(errorsOf(hosting, addresses));
  return router;
}

/** Has an answer say the time of this clock in Date when it is sent (rules.md T1c). */
function dateBy(clock: Bank['security'], response: Response): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => Response;
  response.writeHead = (...given: unknown[]) => {
    if (!response.hasHeader('date')) response.setHeader('date', new Date(clock.now()).toUTCString());
    return writeHead(...given);
  };
}

function errorsOf({ bank, log }: Hosting, addresses: ReturnType<typeof addressesOf>): ErrorRequestHandler {
  return errorHandler({
    log,
    // Read for each answer: quirks can be switched.
    get signature401() {
      return bank.quirks.has('signature-401');
    },
    scaAddress: addresses.sca,
    entryAddress: addresses.entry,
  });
}

/** The endpoints of the control plane of a bank. */
async function controlEndpoints(
  { config, stopping, ownEndpoints }: Hosting,
  hosted: HostedBank,
): Promise<readonly ControlEndpoint[]> {
  const { journal, events } = hosted;
  return [
    ...ofEveryBank,
    eventsEndpoint(events, stopping),
    ...requestsEndpoints(journal),
    searchEndpoint(requestFinder(journal, config.controlToken)),
    bundleEndpoint(() => hosted.bundle()),
    caCertificate,
    bankCertificate(hosted.seal),
    ...((await ownEndpoints?.(hosted)) ?? []),
  ];
}

function signatureCheckOf(hosting: Hosting, { statusOf }: HostedBank): SignatureCheck {
  const { bank, config } = hosting;
  return createSignatureCheck({
    trust: config.tppTrust,
    trustedCas: hosting.trustedCas,
    statusOf,
    followsClock: config.followClock,
    // Read for each request: quirks can be switched.
    get isStrict() {
      return bank.quirks.has('strict-signing');
    },
  });
}

const interfacePaths = ['/v1', '/api-sandbox/v1'];
/** Signed or at an unsigned door. */
const interfaceAnywhere = /^(?:\/sandbox\/as\/[^/?]+)?(?:\/api-sandbox)?\/v1(?=[/?]|$)/;

interface InterfaceParts extends Hosting, Pick<HostedBank, 'journal' | 'faults' | 'turn'> {
  readonly addresses: Addresses;
  readonly checkSignature: SignatureCheck;
}

/**
 * Makes the judge of `POST /sandbox/doctor`. Its parts are made for the first request: most banks never get one. A path
 * that lacks the base of a named bank gets it.
 */
function judgeOf(options: InterfaceParts): (request: RequestToJudge) => Promise<Judgement> {
  let dryRun: DryRun | null = null;
  return (request) => {
    dryRun ??= new DryRun(
      {
        endpoints,
        checkSignature: options.checkSignature,
        interfaceOf: (idle, checkSignature) => {
          const router = Router({ caseSensitive: true });
          const faults = new ArmedFaults(options.stopping);
          const paths = interfacePaths.map((path) => options.base + path);
          router.use(paths, interfaceOf({ ...options, checkSignature, faults }, idle));
          return router.use(nothingHere);
        },
      },
      (error) => new Refusal(unreadableFault(error)),
    );
    const isBare = interfacePaths.some((path) => request.target.startsWith(path));
    return dryRun.judge(isBare ? { ...request, target: options.base + request.target } : request);
  };
}

/**
 * Refuses two Host headers (docs/spec/control-plane.md C2): as a problem on the control plane, else with tppMessages.
 */
function oneHost(log: Logger): RequestHandler {
  const problem = problemHandler(log);
  return (request, response, next) => {
    const fault = hostFault(request);
    if (fault !== null && /^\/sandbox(?=[/?]|$)/.test(request.url)) return problem(fault, request, response, next);
    return next(fault ?? undefined);
  };
}

/** What the API documents of a bank say. Their code is loaded on the first request: most servers get none. */
function documentsOf(options: InterfaceParts, control: readonly ControlEndpoint[]) {
  const { bank, base, addresses, config } = options;
  /** `door`: the name of a TPP, for the document of its unsigned door. */
  const served = async (request: Request, door?: string) => {
    const { interfaceDocument } = await import('../openapi/contract.ts');
    return interfaceDocument(bank, addresses.bank(request), door);
  };
  return {
    interface: async (request: Request): Promise<ApiDescription> => {
      const { describedBy } = await import('../openapi/described-by.ts');
      const { text } = await served(request);
      return describedBy(JSON.parse(text) as ApiDocument);
    },
    served,
    control: async (request: Request): Promise<ApiDescription> => {
      const { describeControlOf } = await import('../openapi/control-document.ts');
      const hasToken = config.controlToken !== null;
      return describeControlOf(options, control, { address: addresses.bank(request), isRoot: base === '', hasToken });
    },
  };
}

async function sendServed(
  response: Response,
  served: Promise<{ readonly text: string; readonly etag: string }>,
): Promise<void> {
  const { text, etag } = await served;
  response.set({ 'cache-control': 'no-cache', etag }).type('json').send(text);
}

async function sendDocument(response: Response, described: Promise<ApiDescription>): Promise<void> {
  const description = await described;
  const { apiDocument } = await import('../openapi/document.ts');
  response.set('cache-control', 'no-store').json(apiDocument(description));
}

/**
 * The interface alone, for {@link interfacePaths}. `signing`: what signs the requests of the unsigned door. `trial`:
 * what shapes its answers last.
 */
function interfaceOf(
  options: InterfaceParts,
  offered: readonly Endpoint[],
  {
    signing,
    trial,
  }: { readonly signing?: WeakMap<Request, () => Promise<void>>; readonly trial?: BankTrial | null } = {},
): RequestHandler {
  const { bank } = options;
  const handle = signedInterface(offered, {
    ...options,
    scaAddress: options.addresses.sca,
    controlToken: options.token,
    runExclusive: options.turn.runExclusive,
  });
  return async (request, response) => {
    if (bank.quirks.size > 0) await shapeByQuirks(bank, response);
    trial?.shape(response);
    await handle(request, response, signing?.get(request));
  };
}

/** The bank under the trial of a gauntlet. Null, with nothing of it loaded, if no gauntlet runs this process. */
async function trialOf({ trial }: Hosting, { bank, faults }: HostedBank): Promise<BankTrial | null> {
  if (trial === null) return null;
  const { BankTrial } = await import('../gauntlet/bank-trial.ts');
  return new BankTrial(trial, bank, faults);
}

/** Shapes an answer as the quirks of the bank have it (rules.md Q2). Without a quirk, no file of a quirk is loaded. */
async function shapeByQuirks(bank: Bank, response: Response): Promise<void> {
  const { quirkShaping } = await import('../quirks/index.ts');
  shapeAnswer(response, await quirkShaping(bank));
}

function mayBeClosed(bank: Bank, faults: ArmedFaults): boolean {
  return faults.hasWindow || bank.quirks.has('leaves');
}

/**
 * Answers a request as a gateway does, in the window of an armed fault and after the bank has left the platform
 * (rules.md E6f, Q11b). False if the bank is open.
 */
async function answersClosed(bank: Bank, faults: ArmedFaults, response: Response): Promise<boolean> {
  const { now, state } = await bank.ledger.read((reader) => bankTime(bank, reader));
  const status = hasLeft(bank.quirks, state.seeded_at, now) ? 404 : faults.closedAt(now);
  if (status !== null) sendGatewayPage(response, status);
  return status !== null;
}

type Addresses = ReturnType<typeof addressesOf>;

/** Absolute addresses of a bank as the client called it. */
function addressesOf({ config, address, base, listens }: Hosting) {
  const server = (request: Request): string => config.publicUrl ?? askedAddress(request, address);
  const bank = (request: Request): string => `${server(request)}${base}`;
  return {
    server,
    bank,
    /** Of an SCA page. */
    sca: (request: Request, scaId: string): string => {
      const method = preferredMethod(request.headers);
      return `${bank(request)}/sca/${scaId}${method === null ? '' : `?method=${method}`}`;
    },
    /** Of a request's entry in the journal (rules.md G11), or null if it has none or nobody can open it. */
    entry: (request: Request, response: Response): string | null => {
      const { entryKey } = factsOf(response);
      return entryKey === undefined || !listens ? null : `${bank(request)}/sandbox/requests/${entryKey}`;
    },
  };
}

/** `/collections/`: the stories for API clients. The list, and each file at its path. */
function collectionsOf(addresses: Addresses): RequestHandler {
  return async (request, response, next) => {
    const { collections } = await import('../catalogue/collections.ts');
    const files = collections(addresses.server(request));
    const path = request.path.replace(/^\/collections\/?/, '');
    const text = path === '' ? [...files.keys()].join('\n') : files.get(decodeURIComponent(path));
    if (text === undefined) next();
    else response.type(path.endsWith('.json') ? 'json' : 'text/plain').send(text);
  };
}
