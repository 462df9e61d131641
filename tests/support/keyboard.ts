import type { Locator, Page } from 'playwright-core';

/** Goes on with Tab until the focus is on what leads to another page, and presses Enter, as a person without a mouse does. */
export async function enterAt(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < 80; tabs += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.waitForLoadState();
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${String(target)}`);
}
