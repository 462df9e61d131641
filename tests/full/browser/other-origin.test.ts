import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { describeInBrowser, openSite, type Site, testBrowser } from '../../support/browser.ts';
import { oneOf } from '../../support/sample.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

/** What a page of another origin can send without asking first, and what it has to ask for. */
const attack = `async (bank) => {
  const bodies = [undefined, '', 'a=1', '{"by":"P1D"}', new URLSearchParams({ by: 'P1D' }), new FormData()];
  for (const path of ['/sandbox/reset', '/sandbox/clock/advance', '/sandbox/snapshots/x', '/sandbox/as/shop/v1/users', '/banks/other/sandbox/reset', '/console/session']) {
    for (const body of bodies) {
      for (const mode of ['no-cors', 'cors']) {
        await fetch(bank + path, { method: 'POST', mode, body }).catch(() => undefined);
        await fetch(bank + path, { method: 'POST', mode, body, referrerPolicy: 'no-referrer' }).catch(() => undefined);
      }
      for (const method of ['PUT', 'DELETE']) await fetch(bank + path, { method, body }).catch(() => undefined);
      await fetch(bank + path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }).catch(() => undefined);
      if (body !== undefined) navigator.sendBeacon(bank + path, body);
    }
    if (path.startsWith('/banks') || path.startsWith('/console')) continue;
    for (const enctype of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      for (const [fields, sandbox] of [['', ''], ['<input name=by value=P1D>', ''], ['', ' sandbox="allow-scripts allow-forms"']]) {
        await new Promise((resolve) => {
          const frame = document.createElement('div');
          const inner = '<form method=post enctype=' + enctype + ' action=' + bank + path + '>' + fields + '</form><script>document.forms[0].submit()</script>';
          frame.innerHTML = '<iframe' + sandbox + '></iframe>';
          let loads = 0;
          frame.firstChild.onload = () => (loads += 1) === 2 && resolve();
          setTimeout(resolve, 100);
          frame.firstChild.srcdoc = inner;
          document.body.append(frame);
        });
      }
    }
  }
}`;

describeInBrowser('C1: a page of another origin', () => {
  const browser = testBrowser();
  let bank: TestBank;
  let site: Site;
  const lines: { method: string; target: string; status: number }[] = [];

  beforeAll(async () => {
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    bank = await startTestBank('2027-03-24T12:00:00+01:00', [], { log });
    await bank.control('POST', '/sandbox/banks', { name: 'other' });
    site = await openSite();
  }, 30_000);
  afterAll(async () => {
    await site.close();
    await bank.stop();
  });

  const others: readonly (readonly [what: string, address: () => string])[] = [
    ['on another port', () => site.address],
    ['of another host', () => site.address.replace('127.0.0.1', 'localhost')],
  ];

  test.each(oneOf('other origin', others))(
    '%s reaches nothing, with and without a body',
    async (_, address) => {
      const state = async () => {
        const paths = [
          '/sandbox/clock',
          '/sandbox/ledger/hash',
          '/sandbox/snapshots',
          '/banks/other/sandbox/ledger/hash',
        ];
        return JSON.stringify(
          (await Promise.all(paths.map((path) => bank.control('GET', path)))).map(({ body }) => ({
            ...body,
            wall: null,
          })),
        );
      };
      const before = await state();
      lines.splice(0);
      const page = await browser.newPage();
      await page.goto(address());
      await page.evaluate(`(${attack})(${JSON.stringify(bank.address)})`);
      await page.close();
      const writes = lines.filter(({ method }) => !['GET', 'OPTIONS'].includes(method));
      // Fetch, beacons and forms; what a browser asks for first is not sent at all.
      expect(writes.length).toBeGreaterThan(100);
      expect(writes.filter(({ status }) => status !== 403)).toEqual([]);
      expect(lines.filter(({ method, status }) => method === 'OPTIONS' && status < 400)).toEqual([]);
      expect(await state()).toBe(before);
    },
    60_000,
  );

  const picture = '/console/line.svg?from=2027-03-24&to=2027-03-30&scheme=light';
  /** The height of a picture of the bank in a page, or null if the browser has none. */
  const heightIn = async (address: string): Promise<number | null> => {
    const page = await browser.newPage();
    await page.goto(address);
    const height = await page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(image.naturalHeight);
      image.onerror = () => resolve(null);
      image.src = ${JSON.stringify(bank.address + picture)};
    })`);
    await page.close();
    return height as number | null;
  };

  test.each(oneOf('other origin of a picture', others))(
    'C35: %s learns no height of a picture, and a link of it opens the console',
    async (_, address) => {
      expect(await heightIn(address())).toBe(null);
      expect(await heightIn(`${bank.address}/llms.txt`)).toBeGreaterThan(100);
      await using page = await browser.newPage();
      await page.goto(address());
      await page.evaluate(`void (location.href = ${JSON.stringify(`${bank.address}/console/payments`)})`);
      await page.waitForURL(`${bank.address}/console/payments`);
      expect(await page.textContent('h1')).toContain('Payments');
    },
    60_000,
  );

  test('the page of the bank itself does reach it', async () => {
    await using page = await browser.newPage();
    await page.goto(`${bank.address}/llms.txt`);
    const status = await page.evaluate(`fetch('/sandbox/reset', { method: 'POST' }).then((answer) => answer.status)`);
    expect(status).toBe(200);
  });
});
