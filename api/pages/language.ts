import type { Request } from 'express';
import type { FaultCode } from '../../engine/values/fault.ts';

/** The languages of the pages: English and Norwegian bokmål. */
export type Language = 'en' | 'nb';

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', nb: 'Norsk' };

const others: Readonly<Record<Language, Language>> = { en: 'nb', nb: 'en' };

/** The language of a page, and how to get to the other one. */
export interface PageLanguage {
  readonly language: Language;
  /** The language that was chosen on a page, for the addresses of the next ones. Without one the browser's decides. */
  readonly chosen: Language | null;
  /** The same page in the other language. Null if there is none. */
  readonly other: { readonly language: Language; readonly href: string } | null;
}

/** The language of pages that exist in English only. */
export const inEnglish: PageLanguage = { language: 'en', chosen: null, other: null };

/**
 * The language of a page (rules.md A2e): that of the parameter `lang`, which the switch on the page sets, else the one
 * that Accept-Language prefers, else English. Norwegian of either kind is bokmål here.
 */
export function languageOf(request: Request): PageLanguage {
  const { lang } = request.query;
  const chosen = lang === 'en' || lang === 'nb' ? lang : null;
  const language = chosen ?? (request.acceptsLanguages('en', 'nb', 'no', 'nn') || 'en');
  const shown = language === 'en' ? 'en' : 'nb';
  const other = others[shown];
  return { language: shown, chosen, other: { language: other, href: withParameter(request, 'lang', other) } };
}

/** The address of the same page with another value of a parameter, relative to it. */
export function withParameter({ originalUrl }: Pick<Request, 'originalUrl'>, name: string, value: string): string {
  const query = new URLSearchParams(originalUrl.replace(/^[^?]*\??/, ''));
  query.set(name, value);
  return `?${query.toString()}`;
}

/** An address relative to a page, which keeps the language that was chosen there: `?step=...&lang=nb`. */
export function pageAddress(parameters: Readonly<Record<string, string>>, { chosen }: Pick<PageLanguage, 'chosen'>) {
  return `?${new URLSearchParams({ ...parameters, ...(chosen !== null && { lang: chosen }) }).toString()}`;
}

/** What a page says about a link or a form that does not work. */
export interface FaultTexts {
  readonly heading: string;
  /** What has happened, or empty if the heading says it. */
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
    heading: 'This link was already used',
    what: 'It works only once.',
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
const en = {
  sandbox: 'Sandbox',
  notReal: 'No real money, no real people.',
  toConsole: 'Back to the console',
  error: 'Error:',
  problem: 'There is a problem',
  today: (date: string) => `At this bank it is ${date}.`,
  faults,
  anyFault: { heading: 'Something went wrong', what: '', advice: `${startAgain} Or:` },
  refused: {
    heading: 'The bank did not take this',
    form: 'It did not come from a page of the bank.',
    host: 'The bank does not answer at this address.',
    unchanged: 'Nothing was changed.',
  },
  openPage: 'Open the page of the bank',
  andAnswer: 'and answer there.',
  openConsole: 'Open the console of the bank',
};

const startAgainNb = 'Gå tilbake til appen eller nettstedet som sendte deg hit, og begynn på nytt der.';

const nb: typeof en = {
  sandbox: 'Sandkasse',
  notReal: 'Ingen ekte penger, ingen ekte personer.',
  toConsole: 'Til konsollen',
  error: 'Feil:',
  problem: 'Noe må rettes',
  today: (date) => `I denne banken er det ${date}.`,
  faults: {
    SCA_NOT_FOUND: {
      heading: 'Her er det ingenting å godkjenne',
      what: 'Banken kjenner ikke denne lenken.',
      advice: startAgainNb,
    },
    SCA_INVALID: {
      heading: 'Lenken er allerede brukt',
      what: 'Den virker bare én gang.',
      advice: `Hvis du svarte i et annet vindu, er det svaret som gjelder. Hvis ikke: ${startAgainNb.toLowerCase()}`,
    },
    SCA_EXPIRED: { heading: 'Denne lenken er for gammel', what: 'Den virker i 15 minutter.', advice: startAgainNb },
    NOT_FOUND: { heading: 'Denne siden finnes ikke', what: '', advice: startAgainNb },
    SYSTEM_ERROR: {
      heading: 'Noe gikk galt i banken',
      what: 'Ingenting er endret.',
      advice: 'Prøv en gang til. Årsaken står i loggen til sandkassen.',
    },
  },
  anyFault: { heading: 'Noe gikk galt', what: '', advice: `${startAgainNb} Eller:` },
  refused: {
    heading: 'Banken tok ikke imot dette',
    form: 'Det kom ikke fra en av bankens sider.',
    host: 'Banken svarer ikke på denne adressen.',
    unchanged: 'Ingenting er endret.',
  },
  openPage: 'Åpne bankens side',
  andAnswer: 'og svar der.',
  openConsole: 'Åpne bankens konsoll',
};

/** The same in each language: a text that is missing in one does not compile. */
export const pageTexts: Readonly<Record<Language, typeof en>> = { en, nb };
