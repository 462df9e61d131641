import { expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

test.each([
  ['the last week of 2099', '2099-12-25T12:00:00+01:00'],
  ['the last day', '2099-12-31T12:00:00+01:00'],
  ['the first day', '1990-01-01T12:00:00+01:00'],
])(
  'T7: pages that look back and ahead stay within the calendar on %s',
  async (_what, now) => {
    await using bank = await startTestBank(now);
    const id = await pay(bank, singlePath, singlePayment({ requestedExecutionDate: undefined }));
    const client = new ConsoleClient(bank.address);
    const pages = [
      '',
      '/forecast',
      '/calendar',
      '/when',
      '/quirks',
      '/payments',
      `/payments/${encodeURIComponent(id)}`,
      '/accounts/09232911044',
    ];
    const answers = await Promise.all(
      pages.map(async (page) => {
        const { status, text } = await client.get(`/console${page}`);
        return [page, status, /[^<>]*the calendar shows[^<>]*/.exec(text)?.[0] ?? ''];
      }),
    );
    expect(answers).toEqual(pages.map((page) => [page, 200, '']));
  },
  30_000,
);
