import { moneyText, numberText } from '../../pages/format.ts';
import { withOfficialNames } from '../../pages/holidays.ts';
import { breakable, html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';

/** The name of the bank at the root, in addresses and answers. */
export const rootBank = 'default';

/** What a bank without a profile is called, by its name. */
export function bankTitle(name: string): string {
  return name === rootBank ? 'Sandbank' : name;
}

/** Says why no other bank can be made here. */
export function makesNoBanks({ bankName }: PageCall): string {
  return bankName === rootBank
    ? 'This bank runs inside a test, which makes no other banks.'
    : 'Only the console at the root of the server makes other banks.';
}

/** An amount of an answer. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** An amount, with all its digits. */
export function money(amount: Money): Html {
  return html`<span class="money">${moneyText(amount)}</span>`;
}

/** An amount that an account pays. */
export function debit({ amount, currency }: Money): Money {
  return { amount: `-${amount}`, currency };
}

/** An amount of an answer in minor units of its currency. */
export function minorOf({ amount }: Pick<Money, 'amount'>): bigint {
  return BigInt(amount.replace('.', ''));
}

/** The name of an event of a life, or of a persona, in words: `mobile phone`, `short of funds`. */
export function inWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** An item of a bulk payment by its path: `item 1` for `payments[0]`. */
export function itemWords(path: string): string {
  return path.replace(/^payments\[(\d+)\]$/, (_, index) => `item ${Number(index) + 1}`);
}

/**
 * A text from outside, isolated so that it cannot change the writing direction of the page. Official names of holidays
 * in it are Norwegian.
 */
export function foreign(text: string): Html {
  return html`<bdi>${withOfficialNames(text)}</bdi>`;
}

/** A name from outside, and a number that tells it from others of the name. */
export function named({ name, number }: { readonly name: string; readonly number: string }): Html {
  return html`${foreign(name)} <span class="soft">${number}</span>`;
}

/** Length of an id of which the middle is not shown, and what is shown of its beginning and its end, in characters. */
const [longId, idBeginning, idEnd] = [28, 14, 8] as const;

/** An account number in groups, with a button that copies it without them. */
export function copiedNumber(number: string): Html {
  return copied(number, numberText(number));
}

/** An id or an address with a button that copies it. The script shows the button, and cuts a long id in its middle. */
export function copied(text: string, shown = text): Html {
  const [end, isLong] = [text.length - idEnd, text.length > longId && !text.includes('://')];
  const middle = html`${text.slice(0, idBeginning)}<span class="middle">${text.slice(idBeginning, end)}</span>`;
  return html`<span class="id"
    ><bdi ${isLong && html`title="${text}"`}>${isLong ? html`${middle}${text.slice(end)}` : shown}</bdi
    ><button type="button" class="copy" data-copy="${text}" aria-label="Copy ${shown}"></button
  ></span>`;
}

/** A text of the bank: its addresses can be copied. */
export function withCopies(text: string): readonly HtmlValue[] {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 0 ? part : copied(part)));
}

/** What each status means to a person, and its colour. */
const statuses: Readonly<Record<string, readonly [tone: Tone, words: string]>> = {
  RCVD: ['waits', 'unsigned'],
  PATC: ['waits', 'partly signed'],
  ACTC: ['waits', 'checked'],
  ACSP: ['goes', 'waits for its day'],
  PDNG: ['goes', 'due'],
  ACFC: ['goes', 'funds checked'],
  ACCP: ['warns', 'funds lacking'],
  ACSC: ['good', 'settled'],
  ACCC: ['good', 'credited'],
  ACWC: ['good', 'accepted with change'],
  ACWP: ['good', 'not posted yet'],
  PART: ['warns', 'partly settled'],
  RJCT: ['bad', 'rejected'],
  CANC: ['over', 'cancelled'],
};

type Tone = 'good' | 'bad' | 'waits' | 'goes' | 'warns' | 'over';

/** What a status of a payment means. */
export function statusWords(code: string): string {
  return statuses[code]?.[1] ?? '';
}

/** A status of a payment with what it means. */
export function status(code: string): Html {
  const [tone, words] = statuses[code] ?? (['over', null] as const);
  return tag(tone, code, words);
}

/** What a run does with a payment: the tone, what it did, and what it will do. */
const outcomes = {
  reject: ['bad', 'rejected', 'is rejected'],
  retry: ['warns', 'short of funds', 'is short of funds and tried again'],
  settle: ['good', 'settled', 'settles'],
} as const;

/** What a run did with a payment, or will do with it. */
export function outcomeTag(outcome: keyof typeof outcomes, isPast = true): Html {
  const [tone, past, future] = outcomes[outcome];
  return tag(tone, isPast || outcome !== 'settle' ? past : future);
}

/** A word that is seen at a glance. `more` stands beside it, in plain text. */
export function tag(tone: Tone, word: HtmlValue, more: HtmlValue = null): Html {
  return html`<span class="tag ${tone}">${word}</span>${more !== null && html` <span class="soft">${more}</span>`}`;
}

/**
 * A code, such as CONSENT_INVALID, which leads to its section of the guide. A line too short for it breaks after an
 * underscore.
 */
export function faultCode(call: PageCall, code: string): Html {
  return html`<a class="fault-code" href="${call.out(`docs/errors#${code.toLowerCase()}`)}">${breakable(code)}</a>`;
}

/** `1 payment`, `2 payments`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
