import { expect, test } from '@jest/globals';
import { payBulk, people, type Transfer } from '../lab/payments.ts';
import { answer, openPage, pagesForEach, read, redirectOf } from './pages.ts';

const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function openBulk(count: number): Promise<Response> {
  const transfers = Array.from({ length: count }, (_, item): Transfer => {
    return { from: 'nora', to: 'shop', amount: `${item + 1}.00` };
  });
  const [first = { from: 'nora', to: 'shop', amount: '1.00' }, ...others] = transfers;
  const { scaId } = await payBulk(bank, [first, ...others]);
  return pages.submit(scaId ?? '', { action: 'identify', psu: people.nora.psu });
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/<a href="(\?[^"]*payees=\d+[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const amountsIn = (text: string): string[] =>
  [...text.matchAll(/<span>([\d,.]+\u00a0NOK)<\/span>/g)].map(([, amount = '']) => amount.replace('\u00a0', ' '));

test('A2e: a bulk payment shows all of its payees in a fold, and no link while they fit on a page', async () => {
  const text = await (await openBulk(500)).text();
  expect(read(text).replaceAll('\u00a0', ' ')).toContain('500 payees, 125,250.00 NOK');
  expect([amountsIn(text).length, amountsIn(text).at(-1), linksIn(text)]).toEqual([500, '500.00 NOK', []]);
  expect(text).toMatch(/<details\s*>/);
});

test('A2e: more than that come page by page, each payee once and in order, and the decision stays on every page', async () => {
  let page = await openBulk(1_201);
  const seen: string[] = [];
  for (const more of [['2'], ['1', '3'], ['2']]) {
    const text = await page.clone().text();
    seen.push(...amountsIn(text));
    const links = linksIn(text);
    expect(links.map((href) => new URLSearchParams(href).get('payees'))).toEqual(more);
    expect(text).toContain('value="approve"');
    if (seen.length < 1_201) page = await openPage(new URL(links.at(-1) ?? '', page.url).href);
  }
  expect(seen).toEqual(Array.from({ length: 1_201 }, (_, item) => `${(item + 1).toLocaleString('en-GB')}.00 NOK`));
  expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({ 'psu-id': expect.any(String) });
});

test.each([
  ['99', '501.00 NOK'],
  ['999999', '501.00 NOK'],
  ['0', '1.00 NOK'],
  ['-1', '1.00 NOK'],
  ['1e9', '1.00 NOK'],
  ['2&payees=2', '1.00 NOK'],
  ['', '1.00 NOK'],
])('an odd page of payees is the last one or the first: %s', async (wanted, first) => {
  const page = await openBulk(502);
  const text = await (await openPage(`${page.url}&payees=${wanted}`)).text();
  expect(amountsIn(text)[0]).toBe(first);
});
