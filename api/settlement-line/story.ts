import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { addDays, daysBetween, localDate } from '../../engine/values/local-date.ts';
import { closuresIn } from './axis.ts';
import type { Mark } from './model.ts';
import { rowText } from './text.ts';

/** What the line of a payment as text tells of it: an answer of `GET /sandbox/payments/{id}`. */
export interface Story {
  readonly status: string;
  readonly history: readonly { readonly at: string }[];
  readonly attempts: readonly { readonly at: string; readonly outcome: 'settle' | 'retry' | 'reject' }[];
  readonly nextAttempt: { readonly at: string } | null;
  readonly returns: readonly { readonly at: string | null; readonly due: string }[];
}

/** Maximum number of marks that are told, the last ones, and of days between whose closures are. */
const [maxMarks, maxDays] = [8, 62] as const;

/**
 * A payment as a line of text, `ordered Wed 24 -- closed 25-29 -- ● Tue 30 05:30`, for those who have its answer alone.
 * `expected`: a date that somebody expected.
 */
export function storyText(story: Story, expected?: string): string {
  const { history, attempts, nextAttempt, returns, status } = story;
  const orderedAt = history[0]?.at ?? '';
  const tries = new Map(
    attempts.map(({ at, outcome }): [string, Mark] => [`${at} ${outcome}`, { kind: outcome, at, isSolid: true }]),
  );
  const isRefused = status === 'RJCT' && attempts.every(({ outcome }) => outcome !== 'reject');
  const kind = status === 'CANC' ? 'cancel' : isRefused ? 'reject' : undefined;
  const marks: Mark[] = [
    ...tries.values(),
    ...(nextAttempt === null ? [] : [{ kind: 'settle', at: nextAttempt.at, isSolid: false } as const]),
    ...returns.map(({ at, due }): Mark => ({ kind: 'return', at: at ?? due, isSolid: at !== null })),
    ...(kind === undefined ? [] : [{ kind, at: history.at(-1)?.at ?? '', isSolid: true } as const]),
  ];
  const inOrder = marks.toSorted((one, other) => one.at.localeCompare(other.at));
  const shown: Mark[] = [{ kind: 'order', at: orderedAt, isSolid: true }, ...inOrder.slice(-maxMarks)];
  const isWaiting = status === 'RCVD' || status === 'PATC';
  const sentence = status === 'RCVD' ? 'waits for a signature' : 'waits for another signature';
  const row = { marks: shown, sentence, tone: isWaiting ? 'waits' : 'soft' } as const;
  return rowText(row, closuresBetween(orderedAt, shown.at(-1)?.at ?? orderedAt), expected);
}

/** The closed days between two instants, those of the last two months. */
function closuresBetween(from: string, to: string): ReturnType<typeof closuresIn> {
  const last = localDate(to.slice(0, 10));
  const days = Math.min(maxDays, Math.max(0, daysBetween(localDate(from.slice(0, 10)), last)));
  const calendar = norwegianCalendar();
  return closuresIn(
    Array.from({ length: days + 1 }, (_, index) => {
      const date = addDays(last, index - days);
      return { date, type: calendar.closure(date) === null ? 'banking' : 'closed' };
    }),
  );
}
