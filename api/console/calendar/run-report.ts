import type { Static } from '../../bodies/schema.ts';
import type { runReport } from '../../control/answers.ts';
import type { runWithAttempts } from '../../control/runs/runs.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Linking } from '../console-view.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, date, money, outcome, paymentLink } from '../parts/text.ts';

type Attempt = Static<typeof runWithAttempts>['attempts'][number];

/** `2 settled, 1 tried again, 3 entries booked`. */
export function runSummary({ settled, retried, rejected, booked, registered }: Static<typeof runReport>): string {
  const parts = [
    settled > 0 && `${settled} settled`,
    retried > 0 && `${retried} tried again`,
    rejected > 0 && `${rejected} rejected`,
    booked > 0 && `${counted(booked, 'entry', 'entries')} booked`,
    registered > 0 && `${counted(registered, 'date')} of standing orders registered`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** What a run tried, with the funds that it saw. `whys`: of payments whose date was moved the reason, by payment. */
export function attemptTable(
  call: Linking,
  attempts: readonly Attempt[],
  whys: ReadonlyMap<string, string> = new Map(),
): Html {
  return table({
    caption: `${counted(attempts.length, 'attempt')}, in the order in which the run made them`,
    columns: [
      'Payment',
      'Account',
      'Date',
      { head: 'Attempt', isNumber: true },
      { head: 'Needed', isNumber: true },
      { head: 'Available', isNumber: true },
      'Outcome',
    ],
    rows: attempts.map((each) => [
      html`${paymentLink(call, each.paymentId)}${each.item !== undefined && html` ${each.item}`}`,
      accountLink(call, each.account),
      html`${date(each.nominalDate ?? each.executionDate)}
      ${(whys.get(each.paymentId) ?? '') !== '' && html`<br /><span class="soft">${whys.get(each.paymentId) ?? ''}</span>`}`,
      `${each.attempt} of 5`,
      money(each.needed),
      money(each.available),
      outcome(each.outcome),
    ]),
  });
}
