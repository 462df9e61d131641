import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { fieldsOf, readForm } from '../pipeline/body-bytes.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { redirectUriOf } from '../../engine/approval/read-sca.ts';
import { languageOf, withParameter } from '../pages/language.ts';
import { allowFrames, pageHeaders } from '../pages/page-headers.ts';
import { ownPagesOnly, pageErrors, refusedPage } from '../pages/refusals.ts';
import { readScaForm, tokenField } from './sca-form.ts';
import { knownMethod } from './sca-method.ts';
import type { ScaSteps, Step } from './sca-steps.ts';
import { stepPage } from './step-page.ts';
import { takeStep } from './take-step.ts';

interface ScaPagesOptions {
  readonly bank: Bank;
  readonly site: SiteCheck;
  readonly steps: ScaSteps;
  readonly log: Logger;
}

/** Size limit of a form, in bytes. A consent to a hundred accounts takes half of it. */
const formLimit = 16 * 1024;

/** The pages on which a PSU signs, to mount at `/sca` (rules.md A2). GET shows a step, POST takes it and redirects (A2c). */
export function scaPages({ bank, site, steps, log }: ScaPagesOptions): Router {
  const router = Router();
  router.use(pageHeaders(), ownPagesOnly(site, languageOf));
  router
    .route('/:scaId')
    // Without it, express would answer HEAD as GET.
    .head(wrongMethod)
    .get(async (request, response) => {
      const { scaId } = request.params;
      const { id, step, method } = stepIn(request, steps, scaId);
      const formToken = steps.formTokens.of(scaId, id);
      const shown = languageOf(request);
      const { page, redirectUri } = await stepPage(bank, {
        scaId,
        step,
        method,
        formToken,
        shown,
        payeesPage: payeesPageIn(request),
        payeesAt: (payees) => withParameter(request, 'payees', String(payees)),
      });
      allowFrames(response, frameAncestors(redirectUri));
      response.type('html').send(page);
    })
    .post(readForm(formLimit), async (request, response) => {
      const { scaId } = request.params;
      const { id, step, method } = stepIn(request, steps, scaId);
      const fields = fieldsOf(request);
      const shown = languageOf(request);
      if (!steps.formTokens.isOf(fields.get(tokenField) ?? '', scaId, id)) {
        await allowFramesOf(bank, scaId, response);
        response.status(403).type('html').send(refusedPage(foreignForm, shown));
        return;
      }
      const form = readScaForm(fields);
      if (form === null) throw new Refusal({ code: 'BAD_REQUEST', text: 'This is no form of the SCA page.' });
      const location = await takeStep({ bank, steps, scaId, step, method, shown }, form);
      response.status(303).set('location', location).end();
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
 * Who may frame the pages of an SCA (rules.md A2f; interface: PSU identification and SCA, 2): the origin of its redirect
 * address, and pages of the same machine. An address of an app has no origin: nobody.
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
  { query }: Request<{ scaId: string }>,
  steps: ScaSteps,
  scaId: string,
): { readonly id: string | null; readonly step: Step | null; readonly method: string | null } {
  const { step: id, method } = query;
  const step = typeof id === 'string' ? steps.find(scaId, id) : null;
  if (typeof id !== 'string' || step === null) return { id: null, step: null, method: knownMethod(method) };
  return { id, step, method: step.method };
}

const wrongMethod: RequestHandler = (request, response) => {
  response.set('allow', 'GET, POST');
  const text = `This page is read with GET and answered with POST, and ${request.method} was sent.`;
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
};
