import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Linux distributions put Chromium. */
export const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = chromiumPaths.find((path) => existsSync(path));

export const hasChromium = program !== undefined;

/** Starts the Chromium of this machine, without a window. Throws an Error that says how to install it where there is none. */
export function launchBrowser(): Promise<Browser> {
  if (program === undefined) {
    throw new Error(`There is no Chromium at ${chromiumPaths.join(', ')}: apt-get install chromium`);
  }
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
}
