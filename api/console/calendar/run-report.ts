import type { Static } from '../../bodies/schema.ts';
import type { runReport } from '../../control/answers.ts';
import type { runWithAttempts } from '../../control/runs/runs.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { Linking } from '../console-view.ts';
import { table } from '../parts/lists.ts';
import { accountLink, counted, date, foreign, money, pastOutcome, paymentLink, shortId } from '../parts/text.ts';

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

/** What is known of a payment beside its attempts. */
export interface About {
  /** Null: several, or none was sent. */
  readonly creditor: string | null;
  /** Why it is paid on this day and not on the one that was asked for; null: it is the same. */
  readonly moved: string | null;
}

/** What a run tried, with the funds that it saw. `about`: what is known of the payments, by id. */
export function attemptTable(
  call: Linking,
  attempts: readonly Attempt[],
  about: ReadonlyMap<string, About> = new Map(),
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
      html`${paymentLink(call, each.paymentId, nameOf(each, about))}${each.item !== undefined && html` ${each.item}`}`,
      accountLink(call, each.account),
      html`${date(each.nominalDate ?? each.executionDate)} ${why(about.get(each.paymentId)?.moved ?? null)}`,
      `${each.attempt} of 5`,
      money(each.needed),
      money(each.available),
      pastOutcome(each.outcome, each.reason),
    ]),
  });
}

function nameOf({ paymentId }: Attempt, about: ReadonlyMap<string, About>): HtmlValue {
  const creditor = about.get(paymentId)?.creditor ?? null;
  return creditor === null ? shortId(paymentId) : foreign(creditor);
}

function why(moved: string | null): HtmlValue {
  return moved !== null && html`<br /><span class="soft">${moved}</span>`;
}
