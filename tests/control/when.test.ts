import { describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import { openPlatform } from '../../api/harness/create-bank.ts';
import { platformIds } from '../../api/start/platform.ts';
import { ConsoleClient } from '../console/console-client.ts';
import { askedAndPaid } from './really-paid.ts';
import { seeded } from '../lab/seeded.ts';
import { isWhole } from '../support/sample.ts';
import { runMain } from '../support/recorded-terminal.ts';

const ids = platformIds();
/** Wednesday before Easter. */
const at = '2027-03-24T14:20:00+01:00';

/* rules.md Q12d: when one payment is where, at each bank. */
describe('Q12d: GET /sandbox/when', () => {
  const bank = testBank('2027-03-19T12:00:00+01:00');
  const ask = async (asked: Record<string, string>) =>
    bank.control('GET', `/sandbox/when?${new URLSearchParams(asked)}`);
  const rowOf = async (id: string, asked: Record<string, string>) =>
    (await ask({ at, ...asked })).body.banks.find((each: { id: string }) => each.id === id);

  test('on Wednesday before Easter at 14:20 banks differ by six days, and each time has its source', async () => {
    const { status, body } = await ask({ at });
    expect([status, body.banks.map(({ id }: { id: string }) => id)]).toEqual([200, ids]);
    expect(body).toMatchObject({
      amount: { amount: '2500.00', currency: 'NOK' },
      product: 'domestic',
      customer: 'private',
    });
    // Its page of due dates: the last run of private customers is at 14:00, of companies at 15:00.
    const source = 'https://www.handelsbanken.no/no/privat/konto-kort-og-betale/betale/betalingsfrister';
    expect(await rowOf('handelsbanken-norge', {})).toMatchObject({
      cutOff: null,
      run: { id: '2027-03-30/1', at: '2027-03-30T00:00:00.000+02:00', quality: 'published', source },
      booking: { date: '2027-03-30' },
      // The same page: what comes later has the day of its run as its value date.
      valueDate: { date: '2027-03-30', quality: 'published', source },
      reason: 'Wed 24 Mar, signed too late for that day, due Tue 30 Mar',
    });
    expect((await rowOf('handelsbanken-norge', { customer: 'corporate' })).run).toMatchObject({
      at: '2027-03-24T15:00:00.000+01:00',
      quality: 'published',
    });
    expect((await rowOf('klp-banken', {})).run).toEqual({
      id: '2027-03-24/5',
      at: '2027-03-24T15:30:00.000+01:00',
      quality: 'assumed',
      source: null,
      sourceDate: null,
    });
    expect(await rowOf('klp-banken', {})).not.toHaveProperty('reason');
    // It publishes that cross-border orders of companies close at 14:00.
    expect(await rowOf('sparebank1-ostfold-akershus', { customer: 'corporate', product: 'sepa' })).toMatchObject({
      cutOff: { at: '2027-03-24T14:00:00.000+01:00', isMet: false, quality: 'published' },
    });
    expect((await rowOf('klp-banken', { product: 'instant' })).run).toMatchObject({ id: null, quality: 'published' });
    expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1);
  });

  test.each([
    [{ amount: '100' }, { amount: '100.00', currency: 'NOK' }],
    [{ amount: '0100.5' }, { amount: '100.50', currency: 'NOK' }],
    [
      { amount: '1 000', product: 'sepa' },
      { amount: '1000.00', currency: 'EUR' },
    ],
    [
      { amount: '100', product: 'cross-border', currency: 'JPY' },
      { amount: '100', currency: 'JPY' },
    ],
    [
      { product: 'cross-border', currency: 'JPY' },
      { amount: '2500', currency: 'JPY' },
    ],
  ])('%j is read as `pay` reads it', async (asked, amount) => {
    const { status, body } = await ask({ at, ...asked });
    expect([status, body.amount]).toEqual([200, amount]);
  });

  test.each([
    [{ amount: '2.345' }, 'amount'],
    [{ product: 'giro' }, 'product'],
    [{ at: 'soon' }, 'at'],
    [{ at: '2099-12-01' }, 'at'],
    [{ at: '1989-12-31' }, 'at'],
    [{ creditor: 'me' }, 'creditor'],
    [{ currency: 'XXY' }, 'currency'],
    [{ product: 'sepa', currency: 'NOK' }, 'NOK'],
  ])('refuses %j', async (asked, named) => {
    const { status, body } = await ask({ at, ...asked });
    expect([status, body.detail]).toEqual([400, expect.stringContaining(named)]);
  });

  test.each(['1990-01-01', '2099-11-30T23:59:59.999+01:00'])('Q12d: takes %s', async (first) => {
    expect((await ask({ at: first })).status).toBe(200);
  });

  test('each answer is what happens when the payment is made: a drawn payment at each of these banks', async () => {
    const random = seeded(17);
    const drawn = [
      'handelsbanken-norge',
      'landkreditt-bank',
      'sparebank1-ostfold-akershus',
      'sparebanken-sor',
      'bien-sparebank',
    ];
    for (const id of isWhole ? ids : [...drawn, 'sparebank1-sogn-og-fjordane']) {
      await bank.control('POST', '/sandbox/banks', { name: id, profile: id, mode: 'frozen' });
      const { about, told, paid, isLate, missed } = await askedAndPaid(bank, id, random);
      expect({ about, ...told }).toEqual({ about, ...paid });
      if (missed) expect(isLate).toBe(true);
    }
  });

  test('Q12d: a named bank answers too, about now by its own clock; a quirk that it switches changes nothing', async () => {
    const { body } = await bank.control('POST', '/sandbox/banks', { name: 'later', now: at, mode: 'frozen' });
    await bank.control('PUT', '/banks/later/sandbox/quirks', { quirks: { 'same-bank-at-once': true } });
    const inside = await bank.control('GET', '/banks/later/sandbox/when?creditor=74712699947');
    expect([inside.body.at, inside.body.at]).toEqual([body.clock.now, '2027-03-24T14:20:00.000+01:00']);
    expect(inside.body).toEqual((await ask({ at, creditor: '74712699947' })).body);
    expect((await bank.control('GET', '/sandbox/when')).body.at).toBe('2027-03-19T12:00:00.000+01:00');
    await bank.control('DELETE', '/sandbox/banks/later');
  });

  test('the page of the console names each bank, those that settle first at the top, and says how it is known', async () => {
    const console = new ConsoleClient(bank.address);
    const page = async (query: string) => (await console.get(`/console/when?${query}`)).text;
    const whole = await page('date=2027-03-24&time=14:20');
    const rows = whole.split('<tr>').slice(1);
    const named = (name: string): string => rows.find((row) => row.includes(`<p>${name}`)) ?? '';
    expect(whole.match(/<p>[^<]*<\/p>/g)?.filter((name) => named(name.slice(3, -4)) !== '')).toHaveLength(ids.length);
    expect(whole).toMatch(/2,500.00.NOK<\/strong>, initiated by a private customer at\s+<strong>14:20<\/strong>/);
    const known = named('Handelsbanken');
    expect(known).toMatch(/Tue 30 Mar, 00:00<\/time>\s+<a class="known" href="https:\/\/www.handelsbanken.no/);
    expect(known).toContain('Wed 24 Mar, signed too late for that day, due Tue 30 Mar');
    expect(named('KLP')).toMatch(/Wed 24 Mar, 15:30<\/time>\s+<span class="known">assumed/);
    const tables = whole.split('<table>').slice(1);
    for (const table of tables) {
      const runs = [
        ...table.matchAll(
          /data-head="Settles"[^>]*>\s*<div[^>]*>\s*(?:at once, )?(?:<time[^>]*>)?\w+ (\d+ \w+, \d\d:\d\d)/g,
        ),
      ];
      const at = runs.map(([, text = '']) => Date.parse(`2027 ${text.replace(',', '')}`));
      expect(at.length).toBeGreaterThan(1);
      expect(at).toEqual(at.toSorted((one, other) => one - other));
    }
    expect(await page('date=2027-03-24&time=late')).toContain('at is &quot;2027-03-24 late&quot;');
  });

  test('sandbank when prints a row for each bank, and marks what is assumed', async () => {
    const { code, lines } = await runMain(['when', at], { env: { BANK: bank.address } });
    expect([code, lines.length]).toEqual([0, ids.length + 6]);
    expect(lines.slice(0, 3)).toEqual([
      'At        2027-03-24T14:20:00.000+01:00',
      'Amount    2500.00 NOK',
      'Product   domestic',
    ]);
    expect(lines.find((line) => line.startsWith('  KLP'))).toMatch(
      / - +2027-03-24 15:30 \(assumed\) +2027-03-30 05:30 \(assumed\) +2027-03-24 \(assumed\)$/,
    );
    expect(lines.find((line) => line.startsWith('  Handelsbanken'))).toMatch(/ 2027-03-30 00:00 .*due Tue 30 Mar$/);
  });
});

test('Q12d: openPlatform().when() answers as the call does, and moves no clock', async () => {
  await using platform = await openPlatform({ now: at });
  const { banks, ...asked } = await platform.when({ amount: '10.00', customer: 'corporate' });
  expect(asked).toEqual({
    at: '2027-03-24T14:20:00.000+01:00',
    amount: { amount: '10.00', currency: 'NOK' },
    product: 'domestic',
    customer: 'corporate',
  });
  expect(banks.map(({ id }) => id)).toEqual(ids);
  expect(banks.find(({ id }) => id === 'handelsbanken-norge')?.run.at).toBe('2027-03-24T15:00:00.000+01:00');
  expect(await platform[0]?.clock.now()).toBe('2027-03-24T14:20:00.000+01:00');
  await expect(platform.when({ amount: 'ten' })).rejects.toThrow('amount is');
  await expect(platform.when({ amont: '1.00' } as never)).rejects.toThrow('the nearest is amount');
});
