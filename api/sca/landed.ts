import { Router, type Request } from 'express';
import type { Logger } from 'pino';
import { aimOf, type ScaAim } from '../../engine/approval/read-sca.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { faultGuide } from '../faults/errors-page.ts';
import { html, type Html } from '../pages/html.ts';
import { languageOf, type PageLanguage } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import { pageHeaders } from '../pages/page-security.ts';
import { ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { fact, part, textsIn } from './sca-page.ts';
import type { ScaTexts } from './texts/en.ts';

interface LandedOptions {
  readonly bank: Bank;
  readonly site: SiteCheck;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  /** Whether the browser of a request may use the console. */
  readonly opensConsole: (request: Request) => boolean;
  readonly log: Logger;
}

/** Where it is mounted, below the path of a bank. */
export const landedPath = '/sandbox/landed';

/** Parameters of the page itself, which {@link withFlow} adds: they did not come from the bank. */
const ownParameters = { sca: 'sca', language: 'lang' };

/** The parameters that the next calls of a TPP need (interface: Redirect query parameters). */
const toKeep = ['psu-id', 'psu-corporate-id', 'tpp-session-id'];

/** Maximum number of parameters shown; a redirect has fewer. */
const maxParameters = 50;

/**
 * The page for a PSU whose TPP has no redirect page yet, to mount at {@link landedPath} (rules.md A2i). It shows the
 * parameters that came back and what they mean. It asks for no control token. A browser that may use the console gets a
 * link to the payment there, or to the list with what was approved.
 */
export function landed({ bank, site, base, opensConsole, log }: LandedOptions): Router {
  const router = Router({ caseSensitive: true });
  router.use(pageHeaders(), ownPagesOnly(site));
  router.get('/', async (request, response) => {
    const query = [...new URLSearchParams(request.originalUrl.replace(/^[^?]*\??/, ''))];
    const [, scaId] = query.find(([name]) => name === ownParameters.sca) ?? [];
    const parameters = query.filter(([name]) => !Object.values(ownParameters).includes(name)).slice(0, maxParameters);
    const aim = scaId === undefined ? null : await aimOf(bank, scaId);
    const kept: Parameters = scaId === undefined ? parameters : [...parameters, [ownParameters.sca, scaId]];
    response
      .type('html')
      .send(landedPage(parameters, { base, aim, toConsole: opensConsole(request), shown: shownFor(request, kept) }));
  });
  router.all('/', () => {
    const text = 'A browser lands here with GET after an SCA.';
    throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
  });
  router.use(pageErrors(log));
  return router;
}

/**
 * The address to which a PSU returns. If it is the landing page of this bank, as `request` called it, it gets the id of
 * the SCA and the language that was chosen on its pages; any other address stays as it is.
 */
export function withFlow(address: string, request: Request<{ scaId: string }>, { chosen }: PageLanguage): string {
  const bank = request.baseUrl.slice(0, -'/sca'.length);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.host !== request.headers.host || url?.pathname !== `${bank}${landedPath}`) return address;
  const added = {
    [ownParameters.sca]: request.params.scaId,
    ...(chosen !== null && { [ownParameters.language]: chosen }),
  };
  return `${address}${url.search === '' ? '?' : '&'}${new URLSearchParams(added).toString()}`;
}

/** The language of the page; its switch keeps the parameters that the page shows. */
function shownFor(request: Request, parameters: Parameters): PageLanguage {
  const shown = languageOf(request);
  if (shown.other === null) return shown;
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  query.set(ownParameters.language, shown.other.language);
  return { ...shown, other: { ...shown.other, href: `?${query.toString()}` } };
}

type Parameters = readonly (readonly [name: string, value: string])[];

interface Landing {
  readonly base: string;
  /** What the SCA is for, if that is known. */
  readonly aim: ScaAim | null;
  /** Whether the page leads to the console. */
  readonly toConsole: boolean;
  readonly shown: PageLanguage;
}

function landedPage(parameters: Parameters, { base, aim, toConsole, shown }: Landing): string {
  const { landed: texts } = textsIn[shown.language];
  const { heading, lead } = outcomeOf(new Map(parameters), texts, aim?.purpose ?? null);
  const kept = parameters.filter(([name]) => toKeep.includes(name));
  const rest = parameters.filter(([name]) => !toKeep.includes(name));
  const list = (those: Parameters): Html => html`<dl>${those.map((each) => parameterFact(each, texts))}</dl>`;
  const errors = (words: string): Html => html`<a href="${base}/docs/errors">${words}</a>`;
  const guide = (words: string): Html => html`<a href="${base}/docs/first-payment">${words}</a>`;
  const content = html`<p class="lead">${lead}</p>
    ${
      aim !== null &&
      toConsole &&
      html`<p class="lead">
        <a href="${base}/console${viewOf(aim)}">${texts.toConsole[aim.purpose]}</a>
      </p>`
    }
    ${kept.length > 0 && part('keep', texts.keep, list(kept))}
    ${rest.length > 0 && (kept.length > 0 ? part('rest', texts.rest, list(rest)) : list(rest))}
    ${part('page', texts.ownPage, html`<p class="note">${texts.placeholder} ${texts.guide(guide)} ${texts.errors(errors)}</p>`)}`;
  return page({ heading, content, shown });
}

/** Where the console shows what an SCA is for, below `/console`. */
function viewOf({ purpose, paymentId }: ScaAim): string {
  if (paymentId !== null) return `/payments/${encodeURIComponent(paymentId)}`;
  return {
    payment: '/payments',
    cancellation: '/payments',
    basket: '/payments',
    consent: '/consents',
    identification: '/people',
  }[purpose];
}

type LandedTexts = ScaTexts['landed'];

function outcomeOf(
  parameters: ReadonlyMap<string, string>,
  texts: LandedTexts,
  purpose: ScaAim['purpose'] | null,
): { readonly heading: string; readonly lead: string | Html } {
  const code = parameters.get('code');
  if (code !== undefined)
    return {
      heading: texts.refused,
      lead: html`<strong>${code}</strong>: ${adviceOn(code, texts)} ${purpose !== null && texts.again[purpose]}`,
    };
  if (!parameters.has('psu-id')) return texts.nothing;
  const { heading, lead } = texts.approved;
  return { heading, lead: html`${lead} ${purpose !== null && texts.became[purpose]}` };
}

/** What a code means after an SCA. */
function adviceOn(code: string, { codes, noCode, otherCode }: LandedTexts): string {
  const known: Readonly<Partial<Record<string, string>>> = codes;
  const meaning = Object.hasOwn(known, code) ? known[code] : undefined;
  return meaning ?? (Object.hasOwn(faultGuide, code) ? otherCode : noCode);
}

function parameterFact([name, value]: readonly [string, string], { meanings, yours }: LandedTexts): Html {
  const known: Readonly<Record<string, string>> = meanings;
  const meaning = Object.hasOwn(known, name) ? known[name] : undefined;
  return fact(name, html`<span class="value">${value}</span><span class="note">${meaning ?? yours}</span>`);
}
