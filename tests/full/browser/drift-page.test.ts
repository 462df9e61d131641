import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { driftPage } from '../../../scripts/drift/page.ts';
import { tellDrift } from '../../../scripts/drift/tell.ts';
import { exchangesOf } from '../../lab/recorder.ts';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { vendorSamples } from '../../drift/vendor-samples.ts';

let browser: Browser;

/** Where the two answers of the first difference begin, and whether any of them is wider than its box. */
const placesOfAnswers = `(() => {
  const [recorded, sandbox] = [...document.querySelectorAll('.answers > div')].map((one) => one.getBoundingClientRect());
  const wider = [...document.querySelectorAll('pre')].filter((one) => one.scrollWidth > one.clientWidth).length;
  return { isBeside: recorded.top === sandbox.top && recorded.right <= sandbox.left, wider };
})()`;

describeInBrowser('the page of a drift', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  test('long values wrap, beside each other on a wide screen and below each other on a phone', async () => {
    const options = { quirks: [], source: 'a test', today: '2026-11-23', accepted: new Set<string>() };
    const told = await tellDrift(exchangesOf(vendorSamples()), options);
    const page = await browser.newPage();
    await page.setContent(driftPage(told, [`entry 1: https://bank.example/${'x'.repeat(400)}`]));
    expect(await lookFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.evaluate(placesOfAnswers)).toEqual({ isBeside: true, wider: 0 });
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(placesOfAnswers)).toEqual({ isBeside: false, wider: 0 });
  }, 60_000);
});
