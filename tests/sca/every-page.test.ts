import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { styles } from '../../api/pages/styles.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { at, manualClock } from '../lab/bank.ts';
import { order, people, tpp } from '../lab/payments.ts';
import { answer, boxesOf, pagesForEach, wantConsent } from './pages.ts';

const now = '2027-03-24T12:00:00+01:00';
const nora = people.nora.psu;
const wall = manualClock(at(now));

beforeEach(() => wall.set(at(now)));
const { bank, pages } = pagesForEach(now, { wall });

/** One of each page, from a TPP that means no good by its name. */
async function everyPage(): Promise<Response[]> {
  const scaId = await wantConsent(bank, { context: 'CORPORATE', tppName: '<script>alert("TPP")</script>' });
  const plan = { startDate: localDate('2027-03-31'), frequency: 'Daily' } as const;
  const { scaId: payment } = await order(bank, { from: 'nora', to: 'shop', amount: '1.00' }, plan);
  const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: null };
  const identification = await offerSca(bank, 'identification', { tpp, psu: {}, context: null, returnTo });
  return Promise.all([
    pages.get(scaId),
    pages.submit(scaId, { action: 'identify', psu: '' }),
    pages.submit(scaId, { action: 'identify', psu: nora }),
    pages.submit(scaId, { action: 'choose', psu: nora, context: 'PRIVATE' }),
    pages.submit(scaId, { action: 'approve', psu: nora, context: 'PRIVATE' }),
    pages.submit(payment ?? '', { action: 'identify', psu: nora }),
    pages.submit(scaId, { action: 'identify', psu: people.sigrid.psu }),
    pages.submit(identification, { action: 'identify', psu: nora }),
    pages.get('unknown'),
  ]);
}

describe('every page', () => {
  test('is one document with one heading, in English, without scripts or anything from elsewhere', async () => {
    for (const response of await everyPage()) {
      const text = await response.text();
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text.match(/<h1>/g)).toHaveLength(1);
      expect(text).toContain('<html lang="en">');
      expect(text).toContain('Sandbox');
      expect(text).not.toMatch(/<script|<link|<img|<iframe| src=| on\w+=|url\(|@import|https?:/);
      expect(text).not.toContain('undefined');
      expect(text).not.toContain('[object');
    }
  });

  test('binds a label to every input that is seen, and points the problem at a field that is there', async () => {
    for (const response of await everyPage()) {
      const text = await response.text();
      const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const seen = (text.match(/<input[^>]*>/g) ?? []).filter((input) => !input.includes('type="hidden"'));
      for (const input of seen) expect(text).toContain(`<label for="${/\sid="([^"]*)"/.exec(input)?.[1]}"`);
      for (const [, target] of text.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
      for (const [, described] of text.matchAll(/aria-describedby="([^"]*)"/g)) {
        for (const id of (described ?? '').split(' ')) expect(ids).toContain(id);
      }
      expect((text.match(/\sautofocus/g) ?? []).length).toBeLessThanOrEqual(1);
    }
  });

  test('may redirect after a form, keeps nothing and tells no other site its address', async () => {
    for (const response of await everyPage()) {
      const isKnown = response.status !== 404;
      const style = /<style>(.*)<\/style>/s.exec(await response.text())?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none';base-uri 'none';style-src 'sha256-${hash}';frame-ancestors ` +
          (isKnown ? 'https://tpp.example http://localhost:* http://127.0.0.1:*' : "'none'"),
      );
      expect(response.headers.get('x-frame-options')).toBe(isKnown ? null : 'DENY');
      expect(response.headers.get('cross-origin-opener-policy')).toBeNull();
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('texts can be read: contrast of 4.5:1 at least (WCAG 2.2, 1.4.3)', () => {
  const colours = new Map([...styles.matchAll(/--([a-z-]+):(#[0-9a-f]+)/g)].map(([, name, value]) => [name, value]));

  /** Relative luminance as WCAG defines it. */
  function luminance(name: string): number {
    const short = (colours.get(name) ?? '').slice(1);
    const hex = short.length === 3 ? short.replace(/./g, '$&$&') : short;
    const [red = NaN, green = NaN, blue = NaN] = [0, 2, 4].map((start) => {
      const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  test.each([
    ['ink', 'paper'],
    ['soft', 'paper'],
    ['soft', 'ground'],
    ['soft', 'tint'],
    ['deep', 'paper'],
    ['paper', 'deep'],
    ['paper', 'deeper'],
    ['deeper', 'tint'],
    ['sand-ink', 'sand'],
    ['red', 'paper'],
  ])('%s on %s', (text, ground) => {
    const [light = 0, dark = 0] = [luminance(text), luminance(ground)].sort((a, b) => b - a);
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('a link that cannot be used is a page that says so', () => {
  test('unknown: 404', async () => {
    const response = await pages.get('unknown');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('SCA_NOT_FOUND');
  });

  test('A2: ended: 400, read and submitted alike', async () => {
    const scaId = await wantConsent(bank);
    const page = await pages.submit(scaId, { action: 'identify', psu: nora });
    await pages.submit(scaId, { action: 'cancel' });
    const forms = [{ action: 'cancel' }, { action: 'identify', psu: nora }, { action: 'approve' }];
    for (const response of [await pages.get(scaId), ...(await Promise.all(forms.map((form) => answer(page, form))))]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('This link was already used');
    }
  });

  test('A4b: older than 15 minutes of the wall clock: 400', async () => {
    const scaId = await wantConsent(bank);
    wall.set(at('2027-03-24T12:15:00.000+01:00'));
    expect((await pages.get(scaId)).status).toBe(200);
    wall.set(at('2027-03-24T12:15:00.001+01:00'));
    const response = await pages.get(scaId);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('SCA_EXPIRED');
  });

  test('A2: two tabs give one signature; the other sees that it has ended', async () => {
    const scaId = await wantConsent(bank);
    const open = () => pages.submit(scaId, { action: 'identify', psu: nora });
    const { all } = boxesOf(await (await open()).text());
    const opened = [await open(), await open(), await open(), await open()];
    const tabs = await Promise.all(opened.map((page) => answer(page, { action: 'approve', account: all })));
    expect(tabs.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
    expect(await bank.ledger.read((reader) => reader.selectFrom('consent').selectAll().execute())).toHaveLength(1);
  });
});

describe('what is no step of the page', () => {
  test.each(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s: 405 with Allow', async (method) => {
    const response = await fetch(`${pages.address}/${await wantConsent(bank)}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  test.each([
    ['no action', 'token=?&psu=1', 'application/x-www-form-urlencoded', 400],
    ['an action of its own', 'token=?&action=sign', 'application/x-www-form-urlencoded', 400],
    ['JSON', '{"token":"?","action":"cancel"}', 'application/json', 403],
    ['nothing', '', 'application/x-www-form-urlencoded', 403],
    ['more than 16 KB', `action=cancel&x=${'x'.repeat(16 * 1024)}`, 'application/x-www-form-urlencoded', 413],
  ])('%s: a page with its status, and the SCA goes on', async (_what, body, type, status) => {
    const scaId = await wantConsent(bank);
    const headers = { 'content-type': type };
    const token = pages.steps.formTokens.of(scaId, null);
    const response = await fetch(`${pages.address}/${scaId}`, {
      method: 'POST',
      body: body.replace('?', token),
      headers,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect((await pages.get(scaId)).status).toBe(200);
  });

  test.each(['', 'a/b', '%ff', '%00', `${'x'.repeat(5_000)}`])('the path /sca/%s: 400 or 404', async (path) => {
    const response = await pages.get(path);
    expect([400, 404]).toContain(response.status);
    expect(await response.text()).toContain('<h1>');
  });

  test('E4: a failure is a 500 without detail', async () => {
    const scaId = await wantConsent(bank);
    await bank.ledger.write((tx) => tx.schema.alterTable('customer').renameTo('gone').execute());
    const response = await pages.get(scaId);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toMatch(/sqlite|no such table|customer/i);
  });
});
