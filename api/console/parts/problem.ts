import { html, type Html } from '../../pages/html.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';

/** Why something was not done or is not shown, with each fault and what is allowed. */
export function problemBox({ detail, errors = [], allowed }: ProblemFacts): Html {
  const others = errors.filter((each) => each.detail !== detail);
  const texts = Array.isArray(allowed) ? allowed.filter((each) => typeof each === 'string') : [];
  return html`<div class="problem" id="note" role="alert">
    <p>${detail}</p>
    ${
      others.length > 0 &&
      html`<ul>
        ${others.map((each) => html`<li>${each.path}: ${each.detail}</li>`)}
      </ul>`
    }
    ${texts.length > 0 && html`<p>Allowed: ${texts.slice(0, 20).join(', ')}</p>`}
  </div>`;
}
