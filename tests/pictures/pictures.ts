import type { Browser, Page } from 'playwright-core';
import { nora } from '../lab/products.ts';
import { easterStory } from './easter-story.ts';

/** A picture of the guide: a file `docs/pictures/{name}.webp`, and how large a part of a page it shows, in CSS pixels. */
interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly locale: 'en-GB' | 'nb-NO';
}

const scaPage: Picture = { name: 'sca-page', width: 640, height: 880, locale: 'nb-NO' };
const calendar: Picture = { name: 'calendar', width: 1280, height: 984, locale: 'en-GB' };
const payment: Picture = { name: 'payment', width: 1120, height: 960, locale: 'en-GB' };
const refused: Picture = { name: 'refused-signature', width: 1120, height: 620, locale: 'en-GB' };

const rejected: Picture = { name: 'rejected-payment', width: 1120, height: 390, locale: 'en-GB' };

export const pictures: readonly Picture[] = [calendar, payment, refused, rejected, scaPage];

/** Pixels of a picture to a CSS pixel. */
export const pixelRatio = 1.5;

/**
 * Walks through Easter 2027 in a browser: a payment is signed for Maundy Thursday, the calendar says where it went, and the
 * clock takes it there; another one is more than the account holds, and rejected. Calls `show` with each page as its picture shows it. Throws where a page does not say what it should.
 */
export async function walkOverEaster(
  browser: Browser,
  show: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  const story = await easterStory();
  const open = async ({ name, width, height, locale }: Picture, address: string, walk: Walk): Promise<void> => {
    const context = await browser.newContext({ viewport: { width, height }, locale });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(address);
      await walk(page, () => show(name, page));
    } finally {
      await context.close();
    }
  };
  try {
    await open(scaPage, story.scaPage, async (page, taken) => {
      await page.locator(`button[value="${nora}"]`).click();
      await say(page, 'Vil du godkjenne betalingen?', 'Påskeharen AS', 'Flyttet fra torsdag 25. mars 2027');
      await taken();
      await page.getByRole('button', { name: 'Godkjenn', exact: true }).click();
      await page.waitForURL(/psu-id=/);
    });
    await open(calendar, story.calendar, async (page, taken) => {
      await say(page, 'March 2027', 'Skjærtorsdag', 'from Thu 25 Mar', 'paid Tue 30 Mar');
      await taken();
    });
    await story.advance('2027-03-30T05:30:00+02:00');
    await open(payment, story.payment, async (page, taken) => {
      await say(page, '250.00 NOK to Påskeharen AS', 'run 2027-03-30/1, attempt 1', 'paid Tue 30 Mar');
      await taken();
    });
    await open(refused, story.refused, async (page, taken) => {
      await say(page, 'The signature was refused.', 'They begin to differ in line 3', '?order=7');
      await taken();
    });
    await open(rejected, await story.rejected(), async (page, taken) => {
      await say(
        page,
        '25,000.00 NOK to Strøm og Nett AS',
        '16,750.00 NOK short at the fifth attempt, run 05:30 on 31 March',
      );
      await taken();
    });
  } finally {
    await story.close();
  }
}

/** What a page shows, as WebP. */
export async function screenshot(page: Page): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...(page.viewportSize() ?? { width: 0, height: 0 }), scale: pixelRatio };
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip });
  return Buffer.from(data, 'base64');
}

type Walk = (page: Page, taken: () => Promise<void>) => Promise<void>;

async function say(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor();
}
