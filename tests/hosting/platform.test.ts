import { describe, expect, test } from '@jest/globals';
import { openPlatform } from '../../api/harness/create-bank.ts';
import { platformIds } from '../../api/start/platform.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const now = '2027-03-24T12:00:00+01:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const ids = platformIds();

/* rules.md Q12: the platform in one process. */
describe('a server of the platform', () => {
  const bank = testBank(now, ['--quirks', 'december-month'], { platform: ids });

  const namesIn = async (): Promise<string[]> =>
    (await bank.control('GET', '/sandbox/banks')).body.banks.map(({ name }: { name: string }) => name);

  test('Q12: has a named bank for each profile, named by its id, with its settings and quirks', async () => {
    const { banks } = (await bank.control('GET', '/sandbox/banks')).body;
    expect(banks.map(({ name }: { name: string }) => name)).toEqual(['default', ...ids]);
    for (const { name, origin } of banks.slice(1)) expect(origin.profile).toBe(name);
    const { configuration } = (await bank.control('GET', '/banks/handelsbanken-norge/sandbox/info')).body;
    const { settings, quirks } = (await bank.control('GET', '/banks/handelsbanken-norge/sandbox/profile')).body;
    expect(configuration).toMatchObject(settings);
    expect(configuration.quirks.map((quirk: string) => quirk.split('=')[0])).toEqual(Object.keys(quirks));
  });

  test('Q12: they are banks like others: made, found, removed and moved by the calls of banks', async () => {
    const found = await bank.control('PUT', '/sandbox/banks/obos-banken', { profile: 'obos-banken' });
    expect(found.status).toBe(200);
    const taken = await bank.control('POST', '/sandbox/banks', { name: 'klp-banken' });
    expect([taken.status, taken.body.detail]).toEqual([
      409,
      'There is a bank klp-banken already. DELETE /sandbox/banks/klp-banken, or sandbank bank remove klp-banken, takes it away.',
    ]);
    expect((await bank.control('DELETE', '/sandbox/banks/obos-banken')).status).toBe(200);
    expect((await bank.control('GET', '/banks/obos-banken/sandbox/info')).status).toBe(404);
    expect(await namesIn()).toHaveLength(ids.length);
    const { body } = await bank.control('POST', '/sandbox/banks/clock/advance', { by: 'P1D' });
    expect(body.banks).toHaveLength(ids.length - 1);
  });

  test('Q12: no payment of one bank is seen in another', async () => {
    const paid = await bank.signed('POST', `/banks/bien-sparebank${singlePath}`, {
      headers: psu,
      body: singlePayment(),
    });
    const { paymentId, _links: links } = paid.body;
    // The id has the form of that bank's ids.
    expect(paymentId).toMatch(/^enc!!/);
    const path = `/sandbox/payments/${encodeURIComponent(paymentId)}`;
    const seen = ['/banks/bien-sparebank', '/banks/fana-sparebank', ''].map((base) => bank.control('GET', base + path));
    expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([200, 404, 404]);
    const page = await (await fetch(links.scaRedirect.href)).text();
    expect(page).toContain('<p class="bank">Bien Sparebank</p>');
    expect(page).toMatch(/<title>[^<]+ &ndash; Bien Sparebank<\/title>/);
  });
});

test('Q12: a bank of such a name that is there stays as it is', async () => {
  const some = ['bien-sparebank', 'bn-bank'];
  const first = await startTestBank(now, ['--banks', folder]);
  await first.control('POST', '/sandbox/banks', { name: 'bn-bank', quirks: ['december-month'] });
  await first.stop();
  const again = await startTestBank(now, ['--banks', folder], { platform: some });
  const { banks } = (await again.control('GET', '/sandbox/banks')).body;
  await again.stop();
  expect(
    banks.map((each: { name: string; origin: { profile: string | null } }) => [each.name, each.origin.profile]),
  ).toEqual([
    ['default', null],
    ['bn-bank', null],
    ['bien-sparebank', 'bien-sparebank'],
  ]);
});

test('openPlatform opens each of them for a test: its profile, the payments of a shared seed, its end', async () => {
  const platform = await openPlatform({ now, idSeed: 'seed' });
  expect(platform.map(({ profile }) => profile.id)).toEqual(ids);
  const paymentIds = new Set<string>();
  for (const bank of platform.slice(0, 2)) {
    const tpp = bank.tpp();
    paymentIds.add(await tpp.pay({ from: '34300000012', to: '70323119469', amount: '10.00' }));
    expect((await bank.info()).configuration.profile).toBe(bank.profile.id);
  }
  expect(paymentIds.size).toBe(2);
  await platform.close();
  await expect(platform[0]?.info()).rejects.toThrow(/close/);
  await expect(openPlatform({ port: 0 } as never)).rejects.toThrow('openPlatform has no option port. ');
});
