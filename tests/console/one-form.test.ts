import { beforeAll, expect, test } from '@jest/globals';
import { consoleViews } from '../../api/console/views.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startConsoleBank } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';
import { unescapedHtml } from '../support/html.ts';
import { forAll } from '../support/test-bank.ts';

/* The forms are written here from their rule (control-plane.md C37), not with the code that makes them. */

const [weekday, month] = ['(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)', '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'];
const longMonth = 'January|February|March|April|June|July|August|September|October|November|December';

/** What no English page may have, by what is wrong with it. */
const wrongForms: Readonly<Record<string, RegExp>> = {
  'an ISO date': /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g,
  'a long month': new RegExp(`\\b\\d{1,2}\\.? (?:${longMonth})\\b`, 'g'),
  'a long weekday': new RegExp(`\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? \\d{1,2}\\b`, 'g'),
  'a day without its month': new RegExp(`\\b${weekday} \\d{1,2}\\b(?! ${month}\\b)`, 'g'),
  'a zero before a day': new RegExp(`\\b0\\d ${month}\\b`, 'g'),
  'a day without its weekday': new RegExp(`(?<!${weekday} )\\b\\d{1,2} ${month}\\b`, 'g'),
  'a time without its comma': new RegExp(`\\b\\d{1,2} ${month}(?: \\d{4})?,? *(?:at)? \\d\\d:\\d\\d`, 'g'),
  'a currency before its amount': /\b(?:NOK|EUR|SEK|DKK|USD|GBP)[ \u00a0]-?\d|[€$£] ?\d/g,
  'an amount without its decimals': /(?<![\d.,])\d[\d,]*[ \u00a0](?:NOK|EUR|SEK|DKK|USD|GBP)\b/g,
  'an amount without its currency': /(?<![\d.,])\d{1,3}(?:,\d{3})*\.\d\d(?![\d.]|[ \u00a0][A-Z]{3}\b)/g,
  'thousands without a comma': /(?<![\d.,])\d{4,}\.\d\d\b(?!\.)/g,
};
const commaBefore = new RegExp(`\\b\\d{1,2} ${month}(?: \\d{4})?, \\d\\d:\\d\\d`);

/**
 * What a page shows to a reader, without what is data of others or is entered: calls, code, texts of entries
 * and the labels of an axis.
 */
function seen(page: string, texts: readonly string[]): string {
  return texts
    .reduce((all, text) => all.replaceAll(text, ' '), page)
    .replace(/^[^]*?<body/, '<body')
    .replaceAll(/<(style|script|pre|code|textarea|kbd)\b[^]*?<\/\1>/g, ' ')
    .replaceAll(/<text class="(?:d|m)\b[^>]*>[^<]*<\/text>/g, ' ')
    .replaceAll(/<(p class="date"|dl class="headers")>[^]*?<\/(?:p|dl)>/g, ' ')
    .replaceAll(/<(?:\/?(?:b|span|strong|time|bdi|wbr|a)\b)[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' | ')
    .replaceAll('&#39;', "'")
    .replaceAll(/[\t\n ]+/g, ' ');
}

interface OfBank {
  /** All numbers and IBANs. */
  readonly accounts: readonly string[];
  /** Texts of entries, which the bank writes as Norwegian banks do. */
  readonly texts: readonly string[];
}

/** The other forms on a page, each with what is wrong and the words around it. */
function otherForms(page: string, { accounts, texts }: OfBank): string[] {
  const text = seen(page, texts);
  const around = ({ index }: RegExpExecArray, length = 20): string =>
    text.slice(Math.max(0, index - 30), index + length + 12);
  const found = Object.entries(wrongForms).flatMap(([what, form]) =>
    [...text.matchAll(form)]
      .filter(([match]) => !(what === 'a time without its comma' && commaBefore.test(match)))
      .map((match) => `${what}: ${around(match)}`),
  );
  const numbers = [...text.matchAll(/(?<![\w-])(?:NO)?\d{11,13}(?![\w-])/g)]
    .filter(([number]) => accounts.includes(number))
    .map((match) => `an account number without groups: ${around(match)}`);
  return [...found, ...numbers];
}

const bank = forAll(
  () => startConsoleBank(),
  (own) => own.stop(),
);
let client: ConsoleClient;

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
  await bank.control('POST', '/sandbox/banks', { name: 'sparebanken-more', profile: 'sparebanken-more' });
  await bank.pays(singlePath, singlePayment({ requestedExecutionDate: '2028-01-10' }));
  await bank.control('POST', '/sandbox/life', { account: '09232911044', persona: 'student' });
});

/** The view that a path below the console is one of, or null. */
function viewOf(path: string): string | null {
  const pattern = (view: string) => new RegExp(`^/console${view.replaceAll(/:\w+/g, '[^/]+')}$`);
  return consoleViews.find((view) => pattern(view.path).test(path))?.path ?? null;
}

/** Maximum number of pages of each view. */
const maxOfView = 4;

test('C37: every page of the console writes dates, amounts and account numbers in one form, and has each id once', async () => {
  const { accounts: open } = (await bank.control('GET', '/sandbox/accounts')).body;
  const accounts = open.flatMap(({ number, iban }: { number: string; iban: string | null }) => [number, iban ?? '']);
  const { entries } = (await bank.control('GET', '/sandbox/accounts/09232911044?limit=500')).body;
  const texts = [...new Set<string>(entries.map(({ text }: { text: string }) => text))].filter((text) =>
    /\d/.test(text),
  );
  const next = consoleViews.filter(({ path }) => !path.includes(':')).map(({ path }) => `/console${path}`);
  next.push(
    '/banks/sparebanken-more/console/quirks',
    '/console/search?q=company',
    '/console/search?q=2027-03-24',
    '/console/calendar?month=2027-03',
  );
  const counts = new Map<string, number>();
  const met = new Set(next);
  const faults: string[] = [];
  for (const address of next) {
    const { text, status } = await client.get(address);
    expect([address, status]).toEqual([address, 200]);
    faults.push(...otherForms(text, { accounts, texts }).map((fault) => `${address}: ${fault}`));
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${address}: id ${id}`));
    for (const [, href = ''] of text.matchAll(/href="([^"#]+)[^"]*"/g)) {
      const { pathname, search, origin } = new URL(unescapedHtml(href), bank.address + address);
      const view = origin === bank.address ? viewOf(pathname) : null;
      if (view === null || met.has(pathname + search) || (counts.get(view) ?? 0) >= maxOfView) continue;
      met.add(pathname + search);
      counts.set(view, (counts.get(view) ?? 0) + 1);
      next.push(pathname + search);
    }
  }
  expect([...new Set(faults)]).toEqual([]);
  // It has been everywhere.
  expect(consoleViews.filter(({ path }) => path.includes(':') && !counts.has(path)).map(({ path }) => path)).toEqual(
    [],
  );
}, 120_000);
