import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { ownSite } from '../../api/pipeline/own-site.ts';
import { scaPages } from '../../api/sca/sca-pages.ts';
import { ScaSteps } from '../../api/sca/sca-steps.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { type PsuContext, customerByNumber } from '../../engine/parties/rows/customers.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';
import { beginSca } from '../../engine/sca/sca.ts';
import type { memoryBank } from '../lab/bank.ts';
import { tpp } from '../lab/payments.ts';
import { forEach, memoryBankForEach } from '../support/test-bank.ts';

/** What is answered on the way through the pages. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The SCA pages of a bank over HTTP, as a browser without JavaScript meets them. */
export interface Pages {
  readonly address: string;
  readonly steps: ScaSteps;
  /** The first page. */
  get(scaId: string): Promise<Response>;
  /**
   * Goes from the first page to the one on which `action` is answered, answering with the same fields before, and sends it;
   * stops where another page comes. A list gives a field more than once.
   */
  submit(scaId: string, fields: Fields): Promise<Response>;
  close(): Promise<void>;
}

export async function openPages(bank: Bank): Promise<Pages & AsyncDisposable> {
  const steps = new ScaSteps(bank.wall);
  const site = ownSite({ allowedHosts: ['pages.test'], publicUrl: null, host: '127.0.0.1' });
  const app = express().use(
    '/sca',
    scaPages({ bank, bankName: null, isOfConsole: () => false, site, steps, log: pino({ level: 'silent' }) }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sca`;
  const get = (scaId: string): Promise<Response> => openPage(`${address}/${scaId}`);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    ...{ address, steps, get, close, [Symbol.asyncDispose]: close },
    submit: async (scaId, fields) => walk(await get(scaId), fields),
  };
}

/** A bank with its pages for each test, see {@link memoryBank}. */
export function pagesForEach(...opened: Parameters<typeof memoryBank>): { readonly bank: Bank; readonly pages: Pages } {
  const bank = memoryBankForEach(...opened);
  const pages = forEach(
    () => openPages(bank),
    (own) => own.close(),
  );
  return { bank, pages };
}

/** The text of each page that was opened. */
const texts = new WeakMap<Response, string>();

export async function openPage(address: string): Promise<Response> {
  const response = await fetch(address, { redirect: 'manual' });
  texts.set(response, await response.clone().text());
  return response;
}

/** Sends the form of a page, with its token, and follows to the next page; not to the TPP. */
export async function answer(page: Response, fields: Fields): Promise<Response> {
  const [, token = ''] = /name="token" value="([^"]*)"/.exec(texts.get(page) ?? '') ?? [];
  const response = await fetch(page.url, { method: 'POST', body: formOf({ token, ...fields }), redirect: 'manual' });
  texts.set(response, await response.clone().text());
  const location = response.headers.get('location') ?? '';
  return location.startsWith('?') ? openPage(new URL(location, page.url).href) : response;
}

async function walk(first: Response, { action, ...fields }: Fields): Promise<Response> {
  if (first.status !== 200 || action === 'cancel' || isClosed(first)) return answer(first, { action: action ?? '' });
  const { psu = '', context, account = [] } = fields;
  const identified = await answer(first, { action: 'identify', psu });
  if (identified.status !== 200 || action === 'identify' || asksWho(identified)) return identified;
  const mayChoose = /type="radio"/.test(texts.get(identified) ?? '');
  const mustChoose = action === 'choose' || mayChoose || context !== 'PRIVATE';
  const chosen = mustChoose ? await answer(identified, { action: 'choose', context: context ?? '' }) : identified;
  const asksAgain = (texts.get(chosen) ?? '').includes('class="problem"');
  return chosen.status !== 200 || action === 'choose' || asksAgain
    ? chosen
    : answer(chosen, { action: 'approve', account });
}

function asksWho(page: Response): boolean {
  return (texts.get(page) ?? '').includes('name="psu"');
}

/** Nothing is left to approve. */
function isClosed(page: Response): boolean {
  return !asksWho(page);
}

function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form;
}

/** The parameters of a redirect to the TPP, with its status. */
export function redirectOf(response: Response): Record<string, string> {
  const location = new URL(response.headers.get('location') ?? 'missing:');
  return {
    at: `${response.status} ${location.origin}${location.pathname}`,
    ...Object.fromEntries(location.searchParams),
  };
}

/** The values of the boxes on a page, and which of them are ticked. */
export function boxesOf(text: string): { all: string[]; ticked: string[] } {
  const boxes = text.match(/<input[^>]*type="checkbox"[^>]*>/g) ?? [];
  const values = (inputs: string[]): string[] => inputs.map((input) => /value="([^"]*)"/.exec(input)?.[1] ?? '');
  return { all: values(boxes), ticked: values(boxes.filter((input) => / checked\b/.test(input))) };
}

/** What a person reads: no tags, single blanks. */
export function read(text: string): string {
  return text
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** The text of the heading of a page. */
export function headingOf(text: string): string {
  return read(/<h1>.*<\/h1>/s.exec(text)?.[0] ?? '').trim();
}

export interface ConsentWanted {
  /** The number of the PSU whom the TPP named. */
  readonly psu?: string;
  readonly context?: PsuContext;
  readonly tppName?: string;
}

/** Opens an SCA for a consent and returns its id. */
export function wantConsent(bank: Bank, { psu, context, tppName }: ConsentWanted = {}): Promise<string> {
  return writeBank(bank, async (writing) =>
    beginSca(writing, {
      purpose: 'consent',
      payment: null,
      tpp: { id: tpp.id, name: tppName ?? tpp.name },
      returnTo: { redirectUri: 'https://tpp.example/back?state=7#top', sessionId: 'session-1' },
      customerId: psu === undefined ? null : ((await customerByNumber(writing.tx, psu))?.id ?? null),
      context: context ?? null,
    }),
  );
}
