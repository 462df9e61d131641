import type { Request } from 'express';

/** The languages of the pages: English and Norwegian bokmål. */
export type Language = 'en' | 'nb';

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', nb: 'Norsk' };

const others: Readonly<Record<Language, Language>> = { en: 'nb', nb: 'en' };

/** The language of a page, and how to get to the other one. */
export interface PageLanguage {
  readonly language: Language;
  /** The language that was chosen on a page, for the addresses of the next ones; null: the browser's decides. */
  readonly chosen: Language | null;
  /** The same page in the other language; null: there is none. */
  readonly other: { readonly language: Language; readonly href: string } | null;
}

/** The language of pages that exist in English only. */
export const inEnglish: PageLanguage = { language: 'en', chosen: null, other: null };

/**
 * The language of a page (rules.md A2e): that of the parameter `lang`, which the switch on the page sets, else the one that
 * Accept-Language prefers, else English. Norwegian of either kind is bokmål here.
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
