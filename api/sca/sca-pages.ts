import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/open-bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { fieldsOf, readForm } from '../pipeline/read-body.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { accessPages } from './access-page.ts';
import { redirectUriOf } from '../../engine/approval/read-sca.ts';
import { languageOf, withParameter, pageAddress } from '../pages/language.ts';
import { allowFrames, pageHeaders } from '../pages/page-security.ts';
import { ownPagesOnly, pageErrors, refusedPage } from '../pages/refusals.ts';
import { withFlow } from './landed.ts';
import { insistField, tokenField, contextNamed, contextValue } from './sca-forms.ts';
import type { ScaSteps, StepCall, NumberProblem, Step } from './sca-steps.ts';
import { stepPage } from './step-page.ts';
import { finishSca, identifyForSca, type ScaAnswer, sharesNothing } from '../../engine/approval/finish-sca.ts';
import { redirectAddress } from '../interface/redirect-address.ts';

interface ScaPagesOptions {
  readonly bank: Bank;
  /** The name on the pages. Null is that of the sandbox. */
  readonly bankName: string | null;
  /** Whether the browser of a request has a session of the console. */
  readonly isOfConsole: (request: Request) => boolean;
  readonly site: SiteCheck;
  readonly steps: ScaSteps;
  readonly log: Logger;
}

/** Size limit of a form, in bytes. A consent to a hundred accounts takes half of it. */
const formLimit = 16 * 1024;

/**
 * The pages on which a PSU signs, to mount at `/sca` (rules.md A2). GET shows a step, POST takes it and redirects
 * (A2c).
 */
export function scaPages({ bank, bankName, isOfConsole, site, steps, log }: ScaPagesOptions): Router {
  const router = Router();
  router.use(pageHeaders(), ownPagesOnly(site, languageOf));
  const callOf = (request: Request<{ scaId: string }>): StepCall => {
    const { scaId } = request.params;
    const toConsole = isOfConsole(request) ? `../console/sca/${encodeURIComponent(scaId)}` : null;
    return { bank, bankName, toConsole, steps, scaId, ...stepIn(request, steps), shown: languageOf(request) };
  };
  router.use('/access', accessPages({ bank, bankName, isOfConsole, formTokens: steps.formTokens }));
  router
    .route('/:scaId')
    // Without it, express would answer HEAD as GET.
    .head(wrongMethod)
    .get(async (request, response) => {
      requireQuery(bank, request);
      const { page, redirectUri } = await stepPage(callOf(request), {
        payeesPage: payeesPageIn(request),
        payeesAt: (payees) => withParameter(request, 'payees', String(payees)),
      });
      allowFrames(response, frameAncestors(redirectUri));
      response.type('html').send(page);
    })
    .post(readForm(formLimit), async (request, response) => {
      const call = callOf(request);
      const { scaId, stepId, shown } = call;
      const fields = fieldsOf(request);
      if (!steps.formTokens.isOf(fields.get(tokenField) ?? '', scaId, stepId)) {
        await allowFramesOf(bank, scaId, response);
        response.status(403).type('html').send(refusedPage(foreignForm, shown));
        return;
      }
      response
        .status(303)
        .set('location', withFlow(await takeScaStep(call, fields), request, shown))
        .end();
    })
    .all(wrongMethod);
  router.use('/:scaId', framedFault(bank));
  router.use(() => {
    throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such page. An SCA page is at /sca/ and its id.' });
  });
  router.use(pageErrors(log, languageOf));
  return router;
}

const foreignForm = {
  text:
    'The form does not carry the token of this page. It comes from another site or a program, or the server was started ' +
    'again since the page was loaded. A program answers with POST /sandbox/sca/ and the id instead.',
};

/** The page of a fault of an SCA that the bank knows is framed as its other pages are. */
function framedFault(bank: Bank): ErrorRequestHandler<{ scaId: string }> {
  return async (error: unknown, request, response, next) => {
    // A ledger that cannot be read has caused the fault: then nobody frames its page.
    await allowFramesOf(bank, request.params.scaId, response).catch(() => undefined);
    next(error);
  };
}

async function allowFramesOf(bank: Bank, scaId: string, response: Response): Promise<void> {
  const redirectUri = await redirectUriOf(bank, scaId);
  if (redirectUri !== null) allowFrames(response, frameAncestors(redirectUri));
}

/** A developer's own page may frame the page too, wherever it runs on the same machine. */
const localPages = ['http://localhost:*', 'http://127.0.0.1:*'];

/** An origin that a content security policy can name: a host of other characters could add directives to it. */
const nameable = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/**
 * Who may frame the pages of an SCA (rules.md A2f; interface: PSU identification and SCA, 2): the origin of its
 * redirect address, and pages of the same machine. An address of an app has no origin: nobody.
 */
export function frameAncestors(redirectUri: string): readonly string[] {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  return nameable.test(url.origin) ? [url.origin, ...localPages] : localPages;
}

/** The page of the payees that the address names, 1 if it names none. */
function payeesPageIn({ query: { payees } }: Request<{ scaId: string }>): number {
  return typeof payees === 'string' && /^[1-9]\d{0,5}$/.test(payees) ? Number(payees) : 1;
}

/** The step named in the address; the first page if it is missing or expired. */
function stepIn(
  { params, query }: Request<{ scaId: string }>,
  steps: ScaSteps,
): Pick<StepCall, 'stepId' | 'step' | 'method'> {
  const { step: id, method } = query;
  const step = typeof id === 'string' ? steps.find(params.scaId, id) : null;
  if (typeof id !== 'string' || step === null) return { stepId: null, step: null, method: knownMethod(method) };
  return { stepId: id, step, method: step.method };
}

/** Refuses the address of an SCA without the query that it was sent with (rules.md A2g): SCA_NOT_FOUND. */
function requireQuery(bank: Bank, { params, query }: Request<{ scaId: string }>): void {
  if (query['step'] === undefined) requireState(bank, params.scaId, query['state']);
}

/** Refuses an SCA whose address lacks its state (rules.md A2g): SCA_NOT_FOUND. */
export function requireState({ quirks }: Bank, scaId: string, state: unknown): void {
  if (!quirks.has('sca-query') || state === scaId) return;
  const text = 'The address lacks its query. Follow the scaRedirect link of the answer as it is.';
  throw new Refusal({ code: 'SCA_NOT_FOUND', text });
}

const wrongMethod: RequestHandler = (request, response) => {
  response.set('allow', 'GET, POST');
  const text = `This page is read with GET and answered with POST, and ${request.method} was sent.`;
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
};

const nationalNumber = /^\d{11}$/;
/** Limits on what a stored step holds, in characters; a valid number or context is shorter. */
const maxTyped = 20;
const maxContext = 100;

/**
 * Takes one step of an SCA (rules.md A2, A2c) and returns the address to redirect to: the next page, relative to this
 * one, or the TPP's. Asks again for what a person can correct; a refusal of the bank (A4) ends the SCA. Fields that no
 * page submits: BAD_REQUEST. Throws what identifyForSca and finishSca throw for an SCA that cannot be used.
 */
async function takeScaStep(call: StepCall, fields: URLSearchParams): Promise<string> {
  switch (fields.get('action') ?? '') {
    case 'cancel':
      return end(call, { outcome: 'cancel' });
    case 'reject':
      return reject(call);
    case 'identify':
      return identify(call, (fields.get('psu') ?? '').replace(/\s/g, ''), fields.has(insistField));
    case 'choose':
      return choose(call, fields.get('context') ?? '');
    case 'approve':
      return approve(call, fields.getAll('account'));
    default:
      throw new Refusal({ code: 'BAD_REQUEST', text: 'This is no form of the SCA page.' });
  }
}

async function identify(call: StepCall, psu: string, insists: boolean): Promise<string> {
  const asked = { psu: psu.slice(0, maxTyped), context: null, askedAgain: null, problem: null };
  const askAgain = (problem: NumberProblem): string => pageOf(call, { ...asked, problem });
  if (psu === '') return askAgain({ why: 'missing' });
  if (!nationalNumber.test(psu)) return askAgain({ why: 'malformed' });
  const identified = await identifyForSca(call.bank, call.scaId, psu, insists);
  switch (identified.next) {
    case 'ask-again':
      return askAgain({ why: identified.why, left: identified.left });
    case 'ask-another':
      return askAgain({ why: 'unable', code: identified.code });
    case 'choose-context':
      return pageOf(call, asked);
    case 'approve':
      return pageOf(call, { ...asked, context: contextValue(identified.choice) });
    case 'closed':
      return firstPage(call);
    case 'redirect':
      return redirectAddress(identified.result);
  }
}

/** The next page checks whether the PSU has this context. */
function choose(call: StepCall, context: string): string {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  return pageOf(call, { ...step, context: context.slice(0, maxContext), askedAgain: null });
}

async function approve(call: StepCall, accounts: readonly string[]): Promise<string> {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  const choice = contextNamed(step.context ?? '');
  if (choice === null) return pageOf(call, step);
  try {
    const mustChoose = step.askedAgain !== 'shares nothing';
    return await end(call, { outcome: 'approve', psu: step.psu, ...choice, accounts, mustChoose });
  } catch (error) {
    if (!sharesNothing(error)) throw error;
    return pageOf(call, { ...step, askedAgain: 'shares nothing' });
  }
}

/** Asks once more before it rejects the payment for all of its signers (rules.md A4c). */
async function reject(call: StepCall): Promise<string> {
  const { step } = call;
  if (!isIdentified(step)) return firstPage(call);
  return step.askedAgain === 'reject'
    ? end(call, { outcome: 'reject' })
    : pageOf(call, { ...step, askedAgain: 'reject' });
}

function isIdentified(step: Step | null): step is Step {
  return step !== null && step.problem === null;
}

/** Relative address of the first page, from any page of the SCA. */
function firstPage({ shown }: StepCall): string {
  return pageAddress({}, shown);
}

function pageOf({ steps, scaId, method, shown }: StepCall, step: Omit<Step, 'method'>): string {
  return pageAddress({ step: steps.keep(scaId, { ...step, method }) }, shown);
}

async function end({ bank, scaId }: StepCall, answer: ScaAnswer): Promise<string> {
  return redirectAddress(await finishSca(bank, scaId, answer));
}

/** Methods of the interface (PSU identification and SCA, 4); two patterns hold the name of a bank or a provider. */
const named = /^(?:ENGANGSKODEAPP_BIOMETRI|HA2|[A-Z]{2,20}ID|[A-Z]{2,20}_MOBILE)$/;
const biometric = 'ENGANGSKODEAPP_BIOMETRI';

/**
 * The authentication method that the TPP prefers: that of X-PSU-AuthMethod-Preferred, else the biometric one if
 * TPP-Redirect-Preferred is false. Ignores unknown methods (rules.md A10).
 */
export function preferredMethod(headers: Readonly<Record<string, unknown>>): string | null {
  const method = knownMethod(headers['x-psu-authmethod-preferred']);
  return method ?? (headers['tpp-redirect-preferred'] === 'false' ? biometric : null);
}

/** The value if it is a known method, else null. */
function knownMethod(value: unknown): string | null {
  return typeof value === 'string' && named.test(value) ? value : null;
}
