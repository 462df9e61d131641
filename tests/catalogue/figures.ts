import { pickMember } from '../../api/catalogue/step-values.ts';

/* The numbers in the texts of scenarios, each counted anew in what happened. */

/** What a played scenario was asked and answered. */
export interface Happened {
  readonly ends: string;
  readonly steps: readonly { readonly curl: string; readonly status: number; readonly answer: unknown }[];
}

/** A number of a text with the word after it, `four days`. */
interface Figure {
  readonly phrase: string;
  readonly value: number;
}

type Count = (told: Happened) => number;

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
/** Dates, times of day, amounts that were kept and plain `one` say when or what, not how many. */
const noFigures = new RegExp(`\\b\\d{1,2} (?:${months})(?: \\d{4})?|\\b\\d{2}:\\d{2}\\b|\\d+\\.\\d{2}`, 'g');
const figure = new RegExp(`\\b(\\d+|${words.slice(2).join('|')})\\b\\W+(\\w+)?`, 'gi');

/** The numbers of a text, but for dates, times of day and amounts with their fraction. */
export function figuresIn(text: string): Figure[] {
  return [...text.replaceAll(noFigures, '').matchAll(figure)].map(([, number = '', word = '']) => {
    const value = words.indexOf(number.toLowerCase());
    return { phrase: `${number} ${word}`.trim().toLowerCase(), value: value < 0 ? Number(number) : value };
  });
}

/** What a number of a scenario counts; undefined: nobody says. A status is counted by itself: it is one of the answers. */
export function countOf(scenario: string, { phrase, value }: Figure, told: Happened): number | undefined {
  const count = counts[scenario]?.[phrase];
  if (count !== undefined) return count(told);
  return value >= 200 && told.steps.some(({ status }) => status === value) ? value : undefined;
}

/** The members at a path of the answers that have it, as texts, in their order. */
const membersAt = ({ steps }: Happened, path: string): string[] =>
  steps.flatMap(({ answer }) => {
    const member = pickMember(answer, path);
    return member === undefined ? [] : String(member);
  });
const sum = ({ steps }: Happened, ...members: string[]): number => {
  const runs = steps.flatMap(({ answer }) => [pickMember(answer, 'runs') ?? []].flat());
  return runs.flatMap((run) => members.map((name) => Number(pickMember(run, name)))).reduce((all, one) => all + one, 0);
};
const transactionId = 'transactions.booked.0.transactionId';
const ms = (text: string): number => Date.parse(text);
const hour = 3_600_000;
/** Hours of the one move of the clock. */
const hoursMoved: Count = (told) => {
  const [from = '', to = ''] = [membersAt(told, 'from')[0], membersAt(told, 'to')[0]];
  return (ms(to) - ms(from)) / hour;
};
/** The number in what the bank says. */
const said =
  (pattern: RegExp): Count =>
  ({ steps }) =>
    Number(pattern.exec(JSON.stringify(steps.map(({ answer }) => answer)))?.[1] ?? NaN);
const approvals: Count = ({ steps }) => steps.filter(({ curl }) => curl.includes('"approve"')).length;
const refusals: Count = ({ steps }) => steps.filter(({ status }) => status >= 400).length;
/** Calls of the address that is refused at last, before it is. */
const readsBefore429: Count = ({ steps }) => {
  const urlOf = (curl: string): string => /http[^']*/.exec(curl)?.[0] ?? '';
  const end = steps.findIndex(({ status }) => status === 429);
  return steps.slice(0, end).filter(({ curl }) => urlOf(curl) === urlOf(steps[end]?.curl ?? '')).length;
};
/** Kroner of the items of a bulk payment of two that are paid, or are not. */
const kroner =
  (isPaid: boolean): Count =>
  (told) => {
    const unpaid = membersAt(told, 'tppMessages.0.path').at(-1);
    const items = ['payments.0', 'payments.1'].filter((item) => (item.replace(/\.(\d)/, '[$1]') !== unpaid) === isPaid);
    return items.reduce((all, item) => all + Number(membersAt(told, `${item}.instructedAmount.amount`).at(-1)), 0);
  };

const counts: Readonly<Record<string, Readonly<Record<string, Count>>>> = {
  'bulk-part': { '10 kroner': kroner(true), '500 were': kroner(false) },
  'consent-lapsed': {
    '180 days': said(/more than (\d+) days ago/),
    '181 days': (told) => Math.round(hoursMoved(told) / 24),
  },
  corporate: { 'two accounts': (told) => Number(membersAt(told, 'accounts.length')[0]) },
  easter: {
    'four days': (told) => {
      const [paid = ''] = membersAt(told, 'runs.0.id');
      return (ms(paid.slice(0, 10)) - ms(membersAt(told, 'requestedExecutionDate').at(-1) ?? '')) / (24 * hour);
    },
  },
  'expired-sca': { '15 minutes': said(/older%20than%20(\d+)%20minutes/) },
  'first-payment': {
    '250 kroner': ({ ends }) => {
      const [before = NaN, after = NaN] = [...ends.matchAll(/\d+\.\d{2}/g)].map(Number);
      return before - after;
    },
  },
  'five-attempts': {
    'five times': (told) => sum(told, 'retried', 'rejected'),
    'five attempts': (told) => sum(told, 'retried', 'rejected'),
  },
  'ids-reissued': {
    '241 characters': (told) => membersAt(told, transactionId)[0]?.length ?? NaN,
    'two ids': (told) => new Set(membersAt(told, transactionId)).size,
    '60 days': (told) => Math.round(hoursMoved(told) / 24),
  },
  'month-end': {
    'three payments': (told) => sum(told, 'settled'),
    '31 is': said(/"nominalDate":"2027-03-(\d\d)"/),
  },
  'monthly-variable': {
    'three payments': (told) => sum(told, 'settled'),
    '1 to': said(/bounds (\d+) to/),
    '12 in': said(/Month (\d+) is outside/),
    '11 in': said(/bounds 1 to (\d+)/),
  },
  'signing-basket': {
    'two payments': (told) => Number(membersAt(told, 'paymentIds.length')[0]),
    '24 hours': hoursMoved,
  },
  'two-signers': { 'two people': approvals, 'two signatures': approvals },
  'unattended-limit': { 'four such': readsBefore429, 'four reads': readsBefore429, '24 hours': hoursMoved },
  'wrong-requests': { 'eight refusals': refusals },
};
