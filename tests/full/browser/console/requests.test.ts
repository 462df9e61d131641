import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { beforeEaster, refusedSignature, sendHostile } from '../../../console/console-bank.ts';
import { ConsoleClient, hidden } from '../../../console/console-client.ts';
import { testBank } from '../../../support/test-bank.ts';

const bank = testBank(beforeEaster);
let client: ConsoleClient;

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
});

/** A page without the places where a code may break, each white space one blank. */
const plain = (text: string): string => text.replaceAll('<wbr />', '').replaceAll(/\s+/g, ' ');

describe('the pages of requests', () => {
  test('before there is any they say what makes one', async () => {
    const page = await client.get('/console/requests');
    expect(page.text).toContain('No TPP has sent a request yet.');
    expect((await client.get('/console/requests/4eba4445-1a4b-47b8-bdd5-4e56ef026b19')).text).toContain('role="alert"');
  });

  test('E6c: armed faults stand below the list while there are any, and a button disarms them', async () => {
    expect((await client.get('/console/requests')).text).not.toContain('Armed faults');
    const faults = [
      { code: 'SERVICE_BLOCKED', delay: 'PT2S', method: 'GET', path: '/v1/accounts/<b>', times: 3 },
      { cut: true, when: 'before' },
    ];
    for (const fault of faults) await bank.control('POST', '/sandbox/faults', fault);
    const shown = await client.get('/console/requests');
    const page = plain(shown.text);
    for (const text of [
      'Armed faults',
      'waits PT2S, then refuses with <a class="fault-code" href="../docs/errors#service_blocked">SERVICE_BLOCKED</a>',
      'ends the answer in its middle, before the commit',
      'GET /v1/accounts/&lt;b&gt;',
      'any method any path',
      '3 of 3',
    ])
      expect(page).toContain(text);
    const path = '/console/requests/disarm';
    const fields = { 'form-token': hidden(shown, 'form-token'), 'came-from': '/requests' };
    const answer = await client.follow(path, await client.post(path, fields));
    expect(answer.text).toContain('2 armed faults disarmed.');
    expect(answer.text).not.toContain('Disarm all');
    expect((await bank.control('GET', '/sandbox/faults')).body).toEqual({ faults: [] });
  });

  test('the list is filtered as the journal is, and says why a filter is none', async () => {
    await bank.signed('GET', '/v1/accounts');
    const refused = await refusedSignature(bank);
    const of = async (query: string) => (await client.get(`/console/requests?${query}`)).text;
    expect(await of('verdict=refused')).toContain(refused);
    expect(await of('verdict=accepted')).not.toContain(refused);
    expect(await of('code=SIGNATURE_INVALID')).toContain(refused);
    expect(await of('tpp=PSDNO-FSA-1')).not.toContain(refused);
    expect(await of('path=/v1/accounts')).toContain(refused);
    expect(await of('path=/v1/payments')).not.toContain(refused);
    expect(await of('path=accounts')).toContain('role="alert"');
    expect(await of('verdict=%3Cb%3E')).toContain('role="alert"');
    expect((await client.get('/console/requests?offset=%3Cb%3E')).status).toBe(400);
  });

  test('a page has 50, and leads to those before and after', async () => {
    for (let sent = 0; sent < 55; sent += 1) await bank.raw('GET', '/v1/nowhere');
    const first = await client.get('/console/requests?path=/v1/nowhere');
    expect(plain(first.text)).toContain('1 to 50 of 55');
    expect(first.text).toContain('requests?path=%2Fv1%2Fnowhere&amp;offset=50');
    expect(plain((await client.get('/console/requests?path=/v1/nowhere&offset=50')).text)).toContain('51 to 55 of 55');
  });

  test('requests of one id are told apart, the newest first', async () => {
    const headers = { 'x-request-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' };
    await bank.raw('GET', '/v1/first', headers);
    await bank.raw('GET', '/v1/second', headers);
    const page = (await client.get(`/console/requests/${headers['x-request-id']}`)).text;
    expect(page.indexOf('GET /v1/second')).toBeLessThan(page.indexOf('GET /v1/first'));
    expect(page).toContain('Body of the answer, request 2');
  });

  test('the reason of a refusal stands above the request; a warning of an answer does not', async () => {
    const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const order = async (requestedExecutionDate: string) => {
      const body = singlePayment({ requestedExecutionDate });
      return (await bank.signed('POST', singlePath, { body, headers })).body.tppMessages[0];
    };
    const shownReason = async () => {
      const { requests } = (await bank.control('GET', '/sandbox/requests?limit=1')).body;
      const page = plain((await client.get(`/console/requests/${requests[0].requestId}`)).text);
      expect(/<dt>Answer<\/dt> *<dd>(.*?)<\/dd>/.exec(page)?.[1]).not.toContain('<bdi>');
      return /<div class="problem"> *<p>(.*?)<\/p>/.exec(page)?.[1] ?? null;
    };
    const past = await order('2027-03-01');
    expect(past).toMatchObject({ code: 'EXECUTION_DATE_INVALID', text: expect.stringContaining('2027-03-01') });
    expect(await shownReason()).toMatch(
      /^<strong>The request was refused.*<bdi>2027-03-01 has passed.* later day\.<\/bdi>$/,
    );
    expect(await order('2027-03-25')).toMatchObject({ category: 'WARNING' });
    expect(await shownReason()).toBeNull();
    await refusedSignature(bank);
    expect(await shownReason()).toMatch(/^<strong>The signature was refused/);
  });

  test('the list says why each was refused, also where it was not the signature: its code and the first text', async () => {
    await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': 'nobody' } });
    await bank.signed('POST', singlePath, { body: singlePayment({ creditorName: '' }) });
    await refusedSignature(bank);
    const { requests } = (await bank.control('GET', '/sandbox/requests?limit=3')).body;
    const page = plain((await client.get('/console/requests')).text);
    const rows = (page.match(/<tr>(?:(?!<\/tr>).)*<\/tr>/g) ?? []).slice(1, 4);
    expect(requests.map(({ finding }: { finding: string | null }) => finding === null)).toEqual([false, true, true]);
    for (const [index, { code, reason, finding, requestId }] of requests.entries()) {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(rows[index]).toContain(code);
      const { answer } = (await bank.control('GET', `/sandbox/requests/${requestId}`)).body.requests[0];
      const [text = ''] = answer.tppMessages[0].text.split(/\nSee http:\S+$/);
      expect(reason).toBe(finding === null ? text : null);
      const [words = ''] = (finding ?? reason).split(/["'<>&]/);
      expect(rows[index]).toContain(words);
    }
  });

  test('nobody finds a customer number in a reason that the bodies name', async () => {
    const body = singlePayment({ requestedExecutionDate: '2027-03-01' });
    await bank.signed('POST', singlePath, {
      body,
      headers: { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' },
    });
    const { requests } = (await bank.control('GET', '/sandbox/requests?limit=1')).body;
    expect(requests[0]).toMatchObject({
      code: 'EXECUTION_DATE_INVALID',
      reason: expect.stringContaining('2027-03-01'),
    });
    expect(JSON.stringify(requests)).not.toContain('13039319955');
  });

  test('what came is shown as it came, and runs as nothing', async () => {
    await sendHostile(bank);
    const { requests } = (await bank.control('GET', '/sandbox/requests?limit=2')).body;
    for (const { requestId } of requests) {
      const page = (await client.get(`/console/requests/${encodeURIComponent(requestId)}`)).text;
      const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
      expect(main).not.toMatch(/<(img|script|b)\b/);
      expect(main).toContain('&lt;');
    }
  });
});

describeInBrowser('the list of requests', () => {
  test.each([150, 1280])(
    '%i pixels wide, a code breaks only after an underscore',
    async (width) => {
      await using browser = await launchBrowser();
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      await bank.raw('GET', '/v1/accounts');
      await page.goto(`${bank.address}/console/requests?code=SIGNATURE_MISSING`);
      const found = page.locator('.fault-code');
      expect(await found.first().innerText()).toBe('SIGNATURE_MISSING');
      // The parts of the code, and on how many lines each is.
      const parts = await page.evaluate(`[...document.querySelector('.fault-code').childNodes].flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return node.nodeType === Node.TEXT_NODE ? [[node.data, range.getClientRects().length]] : [];
      })`);
      expect(parts).toEqual([
        ['SIGNATURE_', 1],
        ['MISSING', 1],
      ]);
      const { height = 0 } = (await found.first().boundingBox()) ?? {};
      expect(height > 30).toBe(width === 150);
    },
    30_000,
  );
});

describeInBrowser('a signature that is refused', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('is understood: the list shows it at once, its page has both strings, the first difference and what to change', async () => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${bank.address}/console/requests?verdict=refused&path=/v1/accounts`);
    const rows = page.locator('main tbody tr');
    const before = await rows.count();
    const requestId = await refusedSignature(bank);
    // The page is read anew by itself.
    await rows.nth(before).waitFor();
    await page.locator(`a[href$="${requestId}"]`).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${requestId}`);
    expect(await page.locator('.problem').innerText()).toContain('tpp-redirect-uri without its query');
    expect(await page.getByText('They begin to differ in line 3').innerText()).toBe(
      'They begin to differ in line 3, at character 47: the bank has "?state=1" there, and the signed one ends there.',
    );
    expect(await page.locator('.compare pre').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^date: .*\nx-request-id: .*\ntpp-redirect-uri: https:\/\/tpp\.example\/callback\?state=1$/,
      ),
      expect.stringMatching(/^date: .*\nx-request-id: .*\ntpp-redirect-uri: https:\/\/tpp\.example\/callback⏎$/),
    ]);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['?state=1', '⏎']);
    const [left, right] = await Promise.all(
      [0, 1].map((index) => page.locator('.compare > div').nth(index).boundingBox()),
    );
    expect(left?.y).toBe(right?.y);
    // One above the other where they do not fit beside each other.
    await page.setViewportSize({ width: 320, height: 900 });
    const [above, below] = await Promise.all(
      [0, 1].map((index) => page.locator('.compare > div').nth(index).boundingBox()),
    );
    expect(above?.x).toBe(below?.x);
    await page.context().close();
  }, 60_000);
});
