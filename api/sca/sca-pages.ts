import express, { Router, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { Refusal } from '../../engine/core/fault.ts';
import { readSca } from '../../engine/operations/read-sca.ts';
import { closedPage } from './closed-page.ts';
import { identifyPage, type IdentifyState } from './identify-page.ts';
import { pageErrors } from './page-errors.ts';
import { pageHeaders } from './page-headers.ts';
import { readScaForm } from './sca-form.ts';
import { knownMethod } from './sca-method.ts';
import { takeStep } from './take-step.ts';

export interface ScaPagesOptions {
  readonly bank: Bank;
  readonly log: Logger;
}

/** The largest form, in bytes. A consent to a hundred accounts takes half of it. */
const formLimit = 16 * 1024;

const noAnswerYet: IdentifyState = { typed: null, problem: null };

/** The pages a PSU signs on, mounted at `/sca` (rules.md A2): GET begins, each POST is a step. */
export function scaPages({ bank, log }: ScaPagesOptions): Router {
  const router = Router();
  router.use(pageHeaders());
  router
    .route('/:scaId')
    // Without it, express would answer HEAD as GET.
    .head(wrongMethod)
    .get(async (request, response) => {
      const view = await readSca(bank, request.params.scaId, null);
      const { closed } = view;
      const beginning = { ...noAnswerYet, method: knownMethod(request.query['method']) };
      const text = closed === null ? identifyPage(view, beginning) : closedPage(view, closed.status);
      response.type('html').send(text);
    })
    .post(
      express.text({ type: 'application/x-www-form-urlencoded', limit: formLimit, inflate: false }),
      async (request, response) => {
        const form = readScaForm(typeof request.body === 'string' ? request.body : '');
        if (form === null) throw new Refusal({ code: 'BAD_REQUEST', text: 'This is no form of the SCA page.' });
        const step = await takeStep(bank, request.params.scaId, form, knownMethod(request.query['method']));
        if ('location' in step) response.status(303).set('location', step.location).end();
        else response.status(step.status).type('html').send(step.page);
      },
    )
    .all(wrongMethod);
  router.use(() => {
    throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such page. An SCA page is at /sca/ and its id.' });
  });
  router.use(pageErrors(log));
  return router;
}

const wrongMethod: RequestHandler = (request, response) => {
  response.set('allow', 'GET, POST');
  const text = `This page is read with GET and answered with POST, and ${request.method} was sent.`;
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
};
