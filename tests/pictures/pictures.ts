import type { Browser, Page } from 'playwright-core';
import { nora } from '../lab/products.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { platformIds } from '../../api/start/platform.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { testCertificate } from '../lab/certificates.ts';
import { did, type Sent, startTestBank } from '../lab/server.ts';

/** A picture of the guide: a file `docs/pictures/{name}.webp`, and how large a part of a page it shows, in CSS pixels. */
interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly locale: 'en-GB' | 'nb-NO';
}

const scaPage: Picture = { name: 'sca-page', width: 640, height: 880, locale: 'nb-NO' };
const calendar: Picture = { name: 'calendar', width: 1280, height: 830, locale: 'en-GB' };
const payment: Picture = { name: 'payment', width: 1120, height: 960, locale: 'en-GB' };
const refused: Picture = { name: 'refused-signature', width: 1120, height: 620, locale: 'en-GB' };

const rejected: Picture = { name: 'rejected-payment', width: 1120, height: 390, locale: 'en-GB' };

const when: Picture = { name: 'when', width: 1280, height: 830, locale: 'en-GB' };

export const pictures: readonly Picture[] = [calendar, payment, refused, rejected, scaPage, when];

/** Pixels of a picture to a CSS pixel. */
export const pixelRatio = 1.5;

/** The X-Request-ID of a request of a day, the same each time. */
const idOf = (day: string): string => `0b5e6a3e-6c5f-4d2c-8a55-7a1d${day.replaceAll('-', '')}`;
const refusedId = idOf('2027-03-24');

/** The machine's clock stands still in the pictures, so that they show the same each time. */
const date = Date.UTC(2026, 10, 24, 8) as Instant;
const wall: WallClock = { now: () => date, monotonic: () => 0 };

/**
 * Walks through Easter 2027 in a browser, in a bank whose ids and clocks are the same each time: a payment is signed for Maundy Thursday, the
 * calendar says where it went, and the clock takes it there; another one is more than the account holds, and rejected. Before, banks
 * differ in time. Calls `show` with each page as its picture shows it. Throws where a page does not say what it should.
 */
export async function walkOverEaster(
  browser: Browser,
  show: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  const validFrom = Date.UTC(2026, 0, 1) as Instant;
  const certificate = testCertificate({
    commonName: 'nettbutikken.example',
    organization: 'Nettbutikken AS',
    validFrom,
  });
  const more = { wall, platform: platformIds() };
  await using bank = await startTestBank('2027-03-22T12:00:00+01:00', ['--id-seed', 'easter'], more);
  const { address } = bank;
  const signed = (method: string, target: string, headers: Sent['headers'], body?: object) =>
    bank.signedParts(method, target, { certificate, date, headers: { ...headers }, body });
  /** Nora pays from her account on a date: the page of the payment in the console, and the one where she signs. */
  const pay = async (creditorName: string, amount: string, requestedExecutionDate: string) => {
    const psu = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE', 'x-request-id': idOf(requestedExecutionDate) };
    const own = { ...psu, 'tpp-session-id': null, 'tpp-redirect-uri': `${address}/sandbox/landed` };
    const order = { creditorName, instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate };
    const sent = signed('POST', singlePath, own, singlePayment(order));
    const { paymentId, _links } = (await did(bank.raw('POST', singlePath, sent.headers, sent.body))).body;
    const page = `${address}/console/payments/${encodeURIComponent(paymentId)}`;
    return { page, scaPage: String(_links.scaRedirect.href) };
  };
  const advance = (to: string) => did(bank.advance({ to }));
  /** Opens a page, does something on it, and takes its picture when it says these texts. */
  const take = async (
    { name, width, height, locale }: Picture,
    at: string,
    texts: readonly string[],
    { before, after }: Readonly<Partial<Record<'before' | 'after', (page: Page) => Promise<unknown>>>> = {},
  ): Promise<void> => {
    await using context = await browser.newContext({ viewport: { width, height }, locale });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(at);
    await before?.(page);
    for (const text of texts) await page.getByText(text).first().waitFor();
    await show(name, page);
    await after?.(page);
  };
  await bank.approve((await pay('Husleie Bakken', '9500.00', '2027-03-23')).scaPage);
  await advance('2027-03-24T12:00:00+01:00');
  const easter = await pay('Påskeharen AS', '250.00', '2027-03-25');
  // A request whose redirect address got its query after it was signed.
  const back = 'https://nettbutikken.example/back';
  const { headers } = signed('GET', '/v1/accounts', { 'tpp-redirect-uri': back, 'x-request-id': refusedId });
  await bank.raw('GET', '/v1/accounts', { ...headers, 'tpp-redirect-uri': `${back}?order=7` });
  const asked = ['Vil du godkjenne betalingen?', 'Påskeharen AS', 'Flyttet fra torsdag 25. mars 2027'];
  await take(scaPage, easter.scaPage, asked, {
    before: (page) => page.locator(`button[value="${nora}"]`).click(),
    after: async (page) => {
      await page.getByRole('button', { name: 'Godkjenn', exact: true }).click();
      await page.waitForURL(/psu-id=/);
    },
  });
  const days = ['March 2027', 'Maundy Thursday', 'from Thu 25 Mar', 'due Tue 30 Mar'];
  await take(calendar, `${address}/console/calendar`, days);
  const times = ['2,500.00 NOK', 'Banks with known times', 'Tue 30 Mar, 00:00'];
  await take(when, `${address}/console/when?date=2027-03-24&time=14:20`, times);
  await advance('2027-03-30T05:30:00+02:00');
  const settled = ['250.00 NOK to Påskeharen AS', 'settled 05:30, asked for Thu 25', 'History'];
  await take(payment, easter.page, settled);
  const differing = ['The signature was refused.', 'They begin to differ in line 3', '?order=7'];
  await take(refused, `${address}/console/requests/${refusedId}`, differing);
  // More than she has, on the day after Easter: five runs try it.
  const short = await pay('Strøm og Nett AS', '25000.00', '2027-03-30');
  await bank.approve(short.scaPage);
  await advance('2027-03-31T05:30:00+02:00');
  const missed = '16,750.00 NOK short at the fifth attempt, run of Wed 31 Mar, 05:30';
  await take(rejected, short.page, ['25,000.00 NOK to Strøm og Nett AS', missed]);
}

/** What a page shows, as WebP. */
export async function screenshot(page: Page): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...(page.viewportSize() ?? { width: 0, height: 0 }), scale: pixelRatio };
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 52, clip });
  return Buffer.from(data, 'base64');
}
