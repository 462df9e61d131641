import express, { Router, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { refusedPage } from '../pages/fault-page.ts';
import { pageErrors } from '../pages/page-errors.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { formTokenIn, readScaForm } from './sca-form.ts';
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
  router.use(pageHeaders(), ownPagesOnly(site));
  router
    .route('/:scaId')
    // Without it, express would answer HEAD as GET.
    .head(wrongMethod)
    .get(async (request, response) => {
      const { scaId } = request.params;
      const { id, step, method } = stepIn(request, steps, scaId);
      const formToken = steps.formToken(scaId, id);
      response.type('html').send(await stepPage(bank, { scaId, step, method, formToken }));
    })
    .post(
      express.text({ type: 'application/x-www-form-urlencoded', limit: formLimit, inflate: false }),
      async (request, response) => {
        const { scaId } = request.params;
        const { id, step, method } = stepIn(request, steps, scaId);
        const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
        if (!steps.isFormToken(formTokenIn(fields), scaId, id)) {
          response.status(403).type('html').send(refusedPage(foreignForm));
          return;
        }
        const form = readScaForm(fields);
        if (form === null) throw new Refusal({ code: 'BAD_REQUEST', text: 'This is no form of the SCA page.' });
        const location = await takeStep({ bank, steps, scaId, step, method }, form);
        response.status(303).set('location', location).end();
      },
    )
    .all(wrongMethod);
  router.use(() => {
    throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such page. An SCA page is at /sca/ and its id.' });
  });
  router.use(pageErrors(log));
  return router;
}

const foreignForm = {
  text:
    'The form does not carry the token of this page. It comes from another site or a program, or the server was started ' +
    'again since the page was loaded. A program answers with POST /sandbox/sca/ and the id instead.',
};

function ownPagesOnly(site: SiteCheck): RequestHandler {
  return (request, response, next) => {
    const fault = site(request);
    if (fault === null) next();
    else response.status(403).type('html').send(refusedPage(fault));
  };
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
