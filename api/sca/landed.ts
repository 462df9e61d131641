import { Router } from 'express';
import type { Logger } from 'pino';
import { Refusal } from '../../engine/values/fault.ts';
import type { FaultAdvice } from '../faults/fault-advice.ts';
import { faultGuide } from '../faults/errors-page.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { fact } from './sca-page.ts';

interface LandedOptions {
  readonly site: SiteCheck;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  readonly log: Logger;
}

/** What each parameter of a redirect means (interface: Redirect query parameters). */
const meanings: Readonly<Record<string, string>> = {
  'psu-id': 'The id of this person for your TPP. Send it as PSU-ID with the next calls.',
  'psu-corporate-id': 'The agreement under which the person acted. Send it as PSU-Corporate-ID beside PSU-ID.',
  'tpp-session-id': 'The TPP-Session-ID of the session that the approval has opened or renewed.',
  context: 'For whom the person acted: PRIVATE or CORPORATE.',
  system: 'The system that refused.',
  status: 'The HTTP status of the error, as an answer would have it.',
  code: 'The code of the error, as an answer would have it.',
  message: 'The explanation of the bank.',
};

/** Maximum number of parameters shown; a redirect has fewer. */
const maxParameters = 50;

/**
 * The page at which a PSU lands whose TPP has no page of its own yet, to mount at `/sandbox/landed` (rules.md A2g). It shows
 * the parameters that came back and what they mean, and nothing of the bank: it asks for no control token.
 */
export function landed({ site, base, log }: LandedOptions): Router {
  const router = Router({ caseSensitive: true });
  router.use(pageHeaders(), ownPagesOnly(site));
  router.get('/', (request, response) => {
    const query = new URLSearchParams(request.originalUrl.replace(/^[^?]*\??/, ''));
    response.type('html').send(landedPage([...query], base));
  });
  router.all('/', () => {
    const text = 'A browser lands here with GET after an SCA.';
    throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
  });
  router.use(pageErrors(log));
  return router;
}

type Parameters = readonly (readonly [name: string, value: string])[];

function landedPage(parameters: Parameters, base: string): string {
  const { heading, lead } = outcomeOf(new Map(parameters));
  const content = html`<p class="lead">${lead}</p>
    ${parameters.length > 0 && html`<dl>${parameters.slice(0, maxParameters).map(parameterFact)}</dl>`}
    <section aria-labelledby="page">
      <h2 id="page">Your own page</h2>
      <p class="note">
        This is a placeholder for your redirect page. Send the address of your page in the header TPP-Redirect-URI. The
        <a href="${base}/docs/errors.md">list of errors</a> says what to do about each code.
      </p>
    </section>`;
  return page({ heading, content });
}

function outcomeOf(parameters: ReadonlyMap<string, string>): {
  readonly heading: string;
  readonly lead: string | Html;
} {
  const code = parameters.get('code');
  if (code !== undefined) return { heading: 'Not approved', lead: html`<strong>${code}</strong>: ${adviceOn(code)}` };
  if (parameters.has('psu-id')) {
    const lead =
      'The person approved, and the bank sent them back with these parameters. The status of a payment says what became of it.';
    return { heading: 'Approved', lead };
  }
  const lead =
    'After an SCA the bank sends the person to this page, with parameters that say how it ended. This address has none.';
  return { heading: 'Nothing came back', lead };
}

function adviceOn(code: string): HtmlValue {
  const guide: Readonly<Partial<Record<string, FaultAdvice>>> = faultGuide;
  const advice = Object.hasOwn(guide, code) ? guide[code] : undefined;
  if (advice === undefined) return 'the bank has no such code.';
  // Advice is Markdown, with calls between backticks.
  const parts = `${advice.when} What to do: ${advice.remedy}`.split('`');
  return parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function parameterFact([name, value]: readonly [string, string]): Html {
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  return fact(
    name,
    html`<span class="value">${value}</span
      ><span class="note">${meaning ?? 'A parameter of your own address in TPP-Redirect-URI.'}</span>`,
  );
}
