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
 * The Chromium of this machine, without a window, with contexts of its own: closing it closes them. All that this process asks for are one
 * Chromium, which ends with the process. Throws an Error that says how to install it where there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  if (program === undefined) {
    throw new Error(`There is no Chromium at ${chromiumPaths.join(', ')}: apt-get install chromium-headless-shell`);
  }
  endpoint ??= startServer(program);
  // A Chromium that has just died is still known by its address.
  return chromium.connect(await endpoint).catch(async () => chromium.connect(await (endpoint = startServer(program))));
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
