import { expect, test } from '@jest/globals';
import { stepAfterEntry, stepOf } from '../../api/causes/next-step.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

const bank = testBank(beforeEaster);

test('J1: a payment that a reset has removed is no link on the page of its request, which says so', async () => {
  const id = await pay(bank, singlePath, singlePayment());
  const { requests } = (await bank.control('GET', '/sandbox/requests')).body;
  const client = new ConsoleClient(bank.address);
  const page = () => client.get(`/console/requests/${requests.at(-1).requestId}`);
  const link = `/payments/${encodeURIComponent(id)}"`;
  expect((await page()).text).toContain(link);
  await bank.control('POST', '/sandbox/reset', {});
  const { text } = await page();
  expect(text).toMatch(/payment[^]{0,200}removed by a reset/);
  expect(text).not.toContain(link);
  expect((await client.get('/console/requests')).text).toContain('before the last reset');
});

test('C24: console and command say the same next step, of a payment and of a refusal', async () => {
  const id = await pay(bank, singlePath, singlePayment(), { sign: false });
  await bank.raw('GET', '/v1/accounts');
  const client = new ConsoleClient(bank.address);
  const plain = (text: string): string => unescapedHtml(text).replaceAll(/\s+/g, ' ');
  const command = async (...args: string[]): Promise<string> =>
    (await runMain(args, { env: { BANK: bank.address } })).lines.join(' ');
  const step = stepOf({ status: 'RCVD', nextAttempt: null }).text;
  expect(plain((await client.get(`/console/payments/${encodeURIComponent(id)}`)).text)).toContain(step);
  expect(await command('payment', id)).toContain(step);
  const [{ requestId, status, code }] = (await bank.control('GET', '/sandbox/requests')).body.requests;
  const after = stepAfterEntry({ status, code }) ?? 'none';
  expect(plain((await client.get(`/console/requests/${requestId}`)).text)).toContain(after);
  expect(await command('requests', requestId)).toContain(after);
});

test('a code leads to its section of the guide, on the list, on a page and at the doctor; a TPP has its name', async () => {
  await bank.raw('GET', '/v1/accounts');
  const order = { from: '09232911044', to: '90491105991', amount: '0', tpp: 'shop' };
  await bank.control('POST', '/sandbox/payments', order);
  await bank.control('POST', '/sandbox/faults', { code: 'ACCESS_EXCEEDED' });
  const client = new ConsoleClient(bank.address);
  const { text } = await client.get('/console/requests');
  const [{ requestId, tppName }] = (await bank.control('GET', '/sandbox/requests?code=FORMAT_ERROR')).body.requests;
  const whole = (await client.get(`/console/requests/${requestId}`)).text;
  const guide = await (await fetch(`${bank.address}/docs/errors`, { headers: { accept: 'text/html' } })).text();
  for (const [page, code] of [
    [text, 'FORMAT_ERROR'],
    [text, 'ACCESS_EXCEEDED'],
    [whole, 'FORMAT_ERROR'],
  ] as const) {
    const [, href = ''] = new RegExp(`href="([^"]*docs/errors#${code.toLowerCase()})"`).exec(page) ?? [];
    expect([code, href]).toEqual([code, expect.stringContaining('docs/errors')]);
    expect(guide).toContain(`id="${href.split('#')[1]}"`);
  }
  expect(tppName).toBe('Test-TPP shop');
  for (const page of [text, whole]) expect(page).toContain('<bdi>Test-TPP shop</bdi>');
  const { requests } = (await bank.control('GET', '/sandbox/requests?tpp=Test-TPP%20shop')).body;
  expect(requests.map(({ requestId: id }: { requestId: string }) => id)).toEqual([requestId]);
  // Requests come first.
  expect(text.indexOf('Requests of all TPPs')).toBeLessThan(text.indexOf('<h2>Armed faults</h2>'));
});
