import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { hasChromium, launchBrowser } from '../lab/chromium.ts';
import { forAll } from './test-bank.ts';
import { describeWith } from './test-with.ts';

export { launchBrowser } from '../lab/chromium.ts';

/** A suite that needs Chromium. Where there is none it is skipped. */
export const describeInBrowser = describeWith(hasChromium, 'Chromium');

/** A browser for all tests of a file or of a `describe`. */
export function testBrowser(): Browser {
  return forAll(launchBrowser, (browser) => browser.close());
}

/** Another web site, on a port of its own: another origin. */
export interface Site {
  readonly address: string;
  /** What it was asked, `GET /back?...`. */
  readonly asked: string[];
  /** What its root shows. */
  show(html: string): void;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const asked: string[] = [];
  let shown = '<!doctype html><title>A TPP</title><p>Welcome back.</p>';
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(shown);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    show: (html) => {
      shown = html;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
