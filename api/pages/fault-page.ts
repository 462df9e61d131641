import type { Fault, FaultCode } from '../../engine/values/fault.ts';
import type { SiteFault } from '../pipeline/own-site.ts';
import { html, type Html } from './html.ts';
import { page } from './page.ts';

interface FaultWords {
  readonly heading: string;
  readonly advice: string | Html;
}

const startAgain = 'Go back to the app or the site that sent you here and start again there.';

const words: Readonly<Partial<Record<FaultCode, FaultWords>>> = {
  SCA_NOT_FOUND: { heading: 'There is nothing to approve here', advice: startAgain },
  SCA_INVALID: {
    heading: 'This link has ended',
    advice: `If you answered in another window, that answer counts. If not: ${startAgain.toLowerCase()}`,
  },
  NOT_FOUND: { heading: 'There is no such page', advice: startAgain },
  SCA_EXPIRED: { heading: 'This link is too old', advice: startAgain },
  SYSTEM_ERROR: { heading: 'The bank failed', advice: 'Nothing was changed. Try once more; the log has the reason.' },
};

/** Link to the same page without its step. */
const wayOn = html`<a href="?">Open the page of the bank</a> and answer there.`;

/** Page for a refused request: says that nothing was changed and how to go on. */
export function refusedPage({ text, hosts }: SiteFault): string {
  const content = html`<p class="lead">${text}</p>
    <p>Nothing was changed. ${hosts === undefined && wayOn}</p>
    <p class="code">FORBIDDEN</p>`;
  return page({ heading: 'The bank did not take this', problem: null, today: null, content });
}

/** Page for a link or a form that does not work: what happened and what to do. */
export function faultPage({ code, text }: Fault): string {
  const { heading, advice } = words[code] ?? {
    heading: 'This does not work',
    advice: html`${startAgain} Or: ${wayOn}`,
  };
  const content = html`<p class="lead">${text}</p>
    <p>${advice}</p>
    <p class="code">${code}</p>`;
  return page({ heading, problem: null, today: null, content });
}
