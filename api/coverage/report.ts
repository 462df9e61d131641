import type { Static } from '../bodies/schema.ts';
import type { reportedBehaviour } from './coverage-answer.ts';
import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';

export type ReportedBehaviour = Static<typeof reportedBehaviour>;

/** The limit of the report, in one sentence. */
export const disclaimer =
  'The report counts behaviours of the bank, not correct reactions of the client. It is no certification.';

/** Whole per cent of the behaviours that were met, rounded down; 100 when there are none. */
export function shareMet(behaviours: readonly ReportedBehaviour[]): number {
  return behaviours.length === 0 ? 100 : Math.floor((100 * metIn(behaviours)) / behaviours.length);
}

/** `34 of 116 behaviours met (29 %)` */
export function summaryOf(behaviours: readonly ReportedBehaviour[]): string {
  return `${metIn(behaviours)} of ${behaviours.length} behaviours met (${shareMet(behaviours)} %)`;
}

/** Why a wanted share is not reached; null: it is, or none is wanted. */
export function belowMinimum(behaviours: readonly ReportedBehaviour[], least: number | null): string | null {
  if (least === null || shareMet(behaviours) >= least) return null;
  return `${summaryOf(behaviours)}, and at least ${least} % are wanted`;
}

/** The report in lines: the summary, and below each kind what was not met with the scenario that shows it. */
export function reportLines(behaviours: readonly ReportedBehaviour[]): string[] {
  const unmet = behaviours.filter(({ met }) => !met);
  const groups = [...Map.groupBy(unmet, ({ kind }) => kind)].flatMap(([kind, some]) => {
    const of = behaviours.filter((each) => each.kind === kind).length;
    return [
      '',
      `${kind}: ${some.length} of ${of} not met`,
      ...some.flatMap(({ name, how }) => [`  ${name}`, `      ${how}`]),
    ];
  });
  return [`${summaryOf(behaviours)}.`, ...groups, '', disclaimer];
}

/** Behaviours of several reports of the same table, each once: what any of them met is met. */
export function joinReports<Reported extends ReportedBehaviour>(reports: readonly (readonly Reported[])[]): Reported[] {
  const joined = new Map<string, Reported>();
  for (const each of reports.flat()) {
    const known = joined.get(each.name);
    joined.set(each.name, known === undefined ? each : sum(known, each));
  }
  return [...joined.values()];
}

function sum<Reported extends ReportedBehaviour>(one: Reported, other: Reported): Reported {
  const [first = null] = [one.first, other.first]
    .filter((at) => at !== null)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return { ...one, met: one.met || other.met, count: one.count + other.count, first };
}

function metIn(behaviours: readonly ReportedBehaviour[]): number {
  return behaviours.filter(({ met }) => met).length;
}

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
