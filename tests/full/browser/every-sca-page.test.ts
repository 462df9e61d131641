import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, openSite, type Site, testBrowser } from '../../support/browser.ts';
import { sameSample, sample } from '../../support/sample.ts';
import { hostile, scenesOf, type Scene } from './sca-stage.ts';
import { testBank } from '../../support/test-bank.ts';

const browser = testBrowser();
const bank = testBank('2027-03-24T12:00:00+01:00');
let tpp: Site;
let page: Page;
let scenes: Scene[];
/** The addresses that the pages asked for, and what they wrote to the console. */
const asked: string[] = [];
const complaints: string[] = [];

/** Words that stand on the pages of the other language. */
const foreignWords: Readonly<Record<string, RegExp>> = {
  nb: /\b(the|you|your|and|this|of|who|payment|payments|account|cancel|approve|from|back)\b/i,
  en: /\b(og|du|din|er|det|den|ikke|til|fra|betaling|betalingen|kontoen|avbryt|godkjenn|tilbake)\b/i,
};

async function expectSound(what: string, language: string): Promise<void> {
  expect([what, await page.locator('html').getAttribute('lang')]).toEqual([what, language]);
  // The text of a fault as the API gives it is English on both.
  const technical = await page.locator('.code').allInnerTexts();
  const said = technical.reduce((text, part) => text.replace(part, ''), await page.locator('body').innerText());
  expect([what, foreignWords[language]?.exec(said)?.[0]]).toEqual([what, undefined]);
  expect([what, language, await lookFaults(page)]).toEqual([what, language, []]);
  // Markup from outside would be in the page, and have run by now.
  const others = await page.locator('script, img').count();
  expect([what, others, await page.evaluate('typeof hit')]).toEqual([what, 0, 'undefined']);
}

describeInBrowser('A2, A2e: every page of the SCA, in both languages', () => {
  beforeAll(async () => {
    tpp = await openSite();
    scenes = await scenesOf(bank, `${tpp.address}/back`);
    page = await browser.newPage({ locale: 'de-DE' });
    page.setDefaultTimeout(20_000);
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
  }, 60_000);
  afterAll(() => tpp.close());

  test('axe finds nothing on it at 320 and 1280 pixels, texts of outsiders do not run, and nothing is loaded', async () => {
    // In each run an eighth of them.
    for (const { name, heading, open } of sample('pages of the SCA', scenes, 8)) {
      await open(page, 'nb');
      await expectSound(name, 'nb');
      await page.locator('a.language').click();
      await expectSound(name, 'en');
      expect([name, await page.locator('h1').innerText()]).toEqual([name, heading]);
    }
    expect([asked.filter((url) => !url.startsWith(`${bank.address}/sca/`)), sameSample]).toEqual([[], sameSample]);
    // The statuses of pages that say so are all that Chromium complains of, and that this test typed before a field had the focus.
    expect(complaints.filter((text) => !/status of 40[034]|^Autofocus processing was blocked/.test(text))).toEqual([]);
  }, 300_000);

  test('A2i: so on the page where people land whose TPP has none', async () => {
    const odd = encodeURIComponent(hostile);
    const failure = `?system=sandbank&status=400&code=SCA_INVALID&message=${odd}`;
    for (const query of [
      '',
      '?state=7&psu-id=4eba4445-1a4b-47b8-bdd5-4e56ef026b19&context=PRIVATE',
      failure,
      `?${odd}=${odd}`,
    ]) {
      await page.goto(`${bank.address}/sandbox/landed${query}`);
      await expectSound(`landed${query}`, 'en');
    }
    await page.goto(
      `${bank.address}/sandbox/landed?psu-id=4eba4445-1a4b-47b8-bdd5-4e56ef026b19&context=PRIVATE&lang=nb`,
    );
    await expectSound('landed in Norwegian', 'nb');
  }, 60_000);
});
