import type { Fault, FaultCode } from '../../engine/values/fault.ts';
import type { SiteFault } from '../pipeline/own-site.ts';
import { html, type Html } from './html.ts';
import { pageAddress, type PageLanguage } from './language.ts';
import { page, pageTexts } from './page.ts';
import type { FaultTexts } from './texts/en.ts';

/** Page for a refused request: says that nothing was changed and how to go on. */
export function refusedPage({ text, hosts }: SiteFault, shown: PageLanguage): string {
  const { refused } = pageTexts[shown.language];
  const content = html`<p class="lead">${hosts === undefined ? refused.form : refused.host} ${refused.unchanged}</p>
    ${hosts === undefined && html`<p>${wayOn(shown)}</p>`} ${forDevelopers('FORBIDDEN', text)}`;
  return page({ heading: refused.heading, problem: null, today: null, content, shown });
}

/** Page for a link or a form that does not work: what happened and what to do. */
export function faultPage({ code, text }: Fault, shown: PageLanguage): string {
  const texts = pageTexts[shown.language];
  const known: Partial<Record<FaultCode, FaultTexts>> = texts.faults;
  const { heading, what, advice } = known[code] ?? texts.anyFault;
  const content = html`<p class="lead">${what} ${advice} ${known[code] === undefined && wayOn(shown)}</p>
    ${forDevelopers(code, text)}`;
  return page({ heading, problem: null, today: null, content, shown });
}

/** Link to the same page without its step. */
function wayOn(shown: PageLanguage): Html {
  const { openPage, andAnswer } = pageTexts[shown.language];
  return html`<a href="${pageAddress({}, shown)}">${openPage}</a> ${andAnswer}`;
}

/** The code and the text of a fault, which are English, as the API answers it. */
function forDevelopers(code: string, text: string): Html {
  return html`<p class="code" lang="en"><strong>${code}</strong> ${text}</p>`;
}
