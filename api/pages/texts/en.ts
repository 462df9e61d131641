import type { FaultCode } from '../../../engine/values/fault.ts';

/** What a page says about a link or a form that does not work. */
export interface FaultTexts {
  readonly heading: string;
  /** What has happened; empty: the heading says it. */
  readonly what: string;
  readonly advice: string;
}

const startAgain = 'Go back to the app or the site that sent you here and start again there.';

const faults = {
  SCA_NOT_FOUND: {
    heading: 'There is nothing to approve here',
    what: 'The bank does not know this link.',
    advice: startAgain,
  },
  SCA_INVALID: {
    heading: 'This link has ended',
    what: 'It works once, and was used already.',
    advice: `If you answered in another window, that answer counts. If not: ${startAgain.toLowerCase()}`,
  },
  SCA_EXPIRED: { heading: 'This link is too old', what: 'It works for 15 minutes.', advice: startAgain },
  NOT_FOUND: { heading: 'There is no such page', what: '', advice: startAgain },
  SYSTEM_ERROR: {
    heading: 'The bank failed',
    what: 'Nothing was changed.',
    advice: 'Try once more. The log of the sandbox has the reason.',
  },
} satisfies Partial<Record<FaultCode, FaultTexts>>;

/** The texts around the content of every page, and those of pages for what does not work. */
export const en = {
  sandbox: 'Sandbox',
  notReal: 'No real money, no real people.',
  error: 'Error:',
  problem: 'There is a problem',
  today: (date: string) => `At this bank it is ${date}.`,
  faults,
  anyFault: { heading: 'This does not work', what: '', advice: `${startAgain} Or:` },
  refused: {
    heading: 'The bank did not take this',
    form: 'It did not come from a page of the bank.',
    host: 'The bank does not answer at this address.',
    unchanged: 'Nothing was changed.',
  },
  openPage: 'Open the page of the bank',
  andAnswer: 'and answer there.',
};

/** What each language has to say: a text that is missing in one does not compile. */
export type PageTexts = typeof en;
