import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Where Linux distributions put Chromium, first the one without a window, which takes a fifth less of the processor. */
export const chromiumPaths = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const program = chromiumPaths.find((path) => existsSync(path));

export const hasChromium = program !== undefined;

/** Where the Chromium of this process is reached, once it was asked for. */
let endpoint: Promise<string> | undefined;

/**
 * The Chromium of this machine, without a window, with contexts of its own: closing it closes them. All callers in this process share one
 * Chromium, which ends with the process. If it has ended or does not start, it is started again, once. Throws an Error that says how to
 * install it where there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  if (program === undefined) {
    throw new Error(`There is no Chromium at ${chromiumPaths.join(', ')}: apt-get install chromium-headless-shell`);
  }
  endpoint ??= startServer(program);
  // A Chromium that has just ended is still known by its address.
  return endpoint.then(connected).catch(() => (endpoint = startServer(program)).then(connected));
}

/** Throws if no Chromium answers there: its server accepts a connection even when Chromium itself has ended. */
async function connected(address: string): Promise<Browser> {
  const browser = await chromium.connect(address);
  const session = await browser.newBrowserCDPSession();
  await session.detach();
  return browser;
}

/** Starts `chromium-server.ts`, which keeps this process neither alive nor waiting. */
function startServer(program: string): Promise<string> {
  const server = fork(join(import.meta.dirname, 'chromium-server.ts'), [program], { cwd: import.meta.dirname });
  return new Promise((resolve, reject) => {
    server.once('message', (address) => {
      server.unref();
      server.channel?.unref();
      resolve(String(address));
    });
    server.once('exit', (code) => {
      endpoint = undefined;
      reject(new Error(`Chromium did not start: exit code ${code}`));
    });
  });
}
