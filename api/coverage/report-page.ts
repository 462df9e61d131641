import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { disclaimer, type ReportedBehaviour, summaryOf } from './report.ts';

/** The report as one page that loads nothing: what was not met stands first. */
export function reportPage(behaviours: readonly ReportedBehaviour[]): string {
  const unmet = behaviours.filter(({ met }) => !met);
  const met = behaviours.filter((each) => each.met);
  return page({
    heading: 'Integration coverage',
    content: html`<p class="lead">${summaryOf(behaviours)}.</p>
      <p class="note">${disclaimer}</p>
      ${unmet.length > 0 && section('Not met', unmet, ({ how }) => html`<span class="note">${how}</span>`)}
      ${met.length > 0 && section('Met', met, metText)}`,
  });
}

function section(title: string, all: readonly ReportedBehaviour[], shown: (one: ReportedBehaviour) => Html): Html {
  const groups = [...Map.groupBy(all, ({ kind }) => kind)].map(
    ([kind, some]) =>
      html`<h3>${kind} (${some.length})</h3>
        <dl>
          ${some.map(
            (one) =>
              html`<div>
                <dt>${one.name}</dt>
                <dd>${shown(one)}</dd>
              </div>`,
          )}
        </dl>`,
  );
  return html`<section>
    <h2>${title} (${all.length})</h2>
    ${groups}
  </section>`;
}

function metText({ count, first }: ReportedBehaviour): Html {
  const often = count === 1 ? 'once' : `${count} times`;
  return html`<span class="note">${often}${first !== null && `, first at ${first}`}</span>`;
}
