import { beforeAll, expect, test } from '@jest/globals';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank(beforeEaster);
let client: ConsoleClient;

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
});

const markup = encodeURIComponent('"><img src=x onerror=alert(1)>');

test.each([
  ['/console/calendar?month=2027-13', 200, 'expected a year and a month'],
  [`/console/calendar?month=${markup}`, 200, 'expected a year and a month'],
  ['/console/calendar?month=0001-01', 200, 'from 1990-01 to 2099-12'],
  ['/console/calendar?month=9999-12', 200, 'from 1990-01 to 2099-12'],
  ['/console/calendar?month=1990-01', 200, 'January 1990'],
  ['/console/calendar?month=2099-12', 200, 'December 2099'],
  ['/console/forecast?to=2020-01-01', 200, 'role="alert"'],
  ['/console/forecast?to=9999-12-31', 200, 'role="alert"'],
  [`/console/forecast?to=${markup}`, 200, 'expected a date, an instant'],
  ['/console/forecast?day=other', 200, 'Forecast until Fri 23 Apr 2027, 12:00'],
  ['/console/runs/2027-03-25-1', 404, 'There is no run'],
  ['/console/runs/2027-03-30-1', 200, 'No payment waits'],
  ['/console/runs/2027-03-23-1', 200, 'had nothing to do'],
  [`/console/runs/${markup}`, 404, 'There is no run'],
  [`/console/payments/${markup}`, 404, 'It is not here'],
  ['/console/payments/%E0%A4%A', 400, 'This did not work'],
  [`/console/payments?account=${markup}`, 200, 'role="alert"'],
  ['/console/payments?status=XXXX&from=x', 200, 'role="alert"'],
  ['/console/payments?status=RCVD&status=ACSC&other=1', 200, 'No payment matches.'],
  [`/console?note=${markup}`, 200, 'Overview'],
  [`/console/${markup}`, 404, 'It is not here'],
])('%s', async (path, status, text) => {
  const page = await client.get(path);
  expect([page.status, page.text.includes('<img')]).toEqual([status, false]);
  expect(page.text).toContain(text);
  // A form of search beside that of the header.
  expect(page.text.includes('id="q"')).toBe(status === 404);
});

test.each([
  ['/console/accounts/12345678903', ['../../console/accounts', '../../console']],
  ['/console/payments/x', ['../../console/payments', '../../console']],
  ['/console/requests/x', ['../../console/requests', '../../console']],
  ['/console/quirks/x', ['../../console/quirks', '../../console']],
  ['/console/nothing', ['../console']],
])('%s is not there: 404, with links to its list and to the first page', async (path, ways) => {
  const page = await client.get(path);
  expect(page.status).toBe(404);
  const [, box = ''] = /<p class="ways">(.*?)<\/p>/s.exec(page.text) ?? [];
  expect([...box.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(ways);
});

test.each([
  ['/console/clock/advance', {}],
  ['/console/clock/advance', { to: '\u0000' }],
  ['/console/clock/mode', { mode: 'fast' }],
  ['/console/clock/mode', {}],
  ['/console/payments/x/change', { amount: '1' }],
  ['/console/payments/x/change', {}],
  ['/console/payments/x/reject', { of: 'payments[x]' }],
  ['/console/payments/x/status', {}],
])('a form that a page does not send is refused on the page: %s %j', async (path, fields) => {
  const own = {
    'form-token': hidden(await client.get('/console'), 'form-token'),
    'came-from': '/payments?status=RCVD',
  };
  const sent = await client.post(path, { ...own, ...fields } as Record<string, string>);
  const page = await client.follow(path, sent);
  expect([sent.status, page.status, page.text.includes('role="alert"')]).toEqual([303, 200, true]);
  expect(page.text).toContain('<h1>Payments</h1>');
});

test('a form that is too large is refused', async () => {
  expect((await client.post('/console/clock/mode', { mode: 'x'.repeat(40_000) })).status).toBe(413);
});
