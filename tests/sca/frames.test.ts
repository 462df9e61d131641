import { beforeEach, describe, expect, test } from '@jest/globals';
import { frameAncestors } from '../../api/sca/sca-pages.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { at, manualClock } from '../lab/bank.ts';
import { people, tpp } from '../lab/payments.ts';
import { answer, pagesForEach } from './pages.ts';

const now = '2027-03-24T12:00:00+01:00';
const psu = people.nora.psu;
const wall = manualClock(at(now));
const local = 'http://localhost:* http://127.0.0.1:*';
beforeEach(() => wall.set(at(now)));
const { bank, pages } = pagesForEach(now, { wall });

function begin(redirectUri: string): Promise<string> {
  const returnTo = { redirectUri, sessionId: null };
  return offerSca(bank, 'identification', { tpp, psu: {}, context: null, returnTo });
}

/** Who may frame a page, by both headers: that of old browsers can only refuse all. */
function framersOf({ headers }: Response): string | null {
  const [, framers = null] = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? [];
  expect(headers.get('x-frame-options')).toBe(framers === "'none'" ? 'DENY' : null);
  return framers;
}

describe('A2f: a page is framed by the origin of its redirect address and the own machine', () => {
  test.each([
    ['https://tpp.example/back?state=1#top', `https://tpp.example ${local}`],
    ['https://TPP.example:443/back', `https://tpp.example ${local}`],
    ['http://shop:3000/back', `http://shop:3000 ${local}`],
    ['https://blåbær.example/', `https://xn--blbr-roah.example ${local}`],
    ['com.example.app:/cb', "'none'"],
    ['myapp://callback', "'none'"],
  ])('%s: %s', async (redirectUri, framers) => {
    expect(framersOf(await pages.get(await begin(redirectUri)))).toBe(framers);
  });

  test.each([
    "https://a;script-src'*'.example/",
    'https://*/',
    'https://*.example/',
    'https://a,b/',
    'http://[::1]:3000/',
  ])('a host that a policy cannot name adds nothing to it: %s', (redirectUri) => {
    expect(frameAncestors(redirectUri).join(' ')).toBe(local);
  });

  test('so are the pages of its faults: ended, expired, a form of another site', async () => {
    const framers = `https://tpp.example ${local}`;
    const [ended, old] = [await begin('https://tpp.example/back'), await begin('https://tpp.example/back')];
    const foreign = await fetch(`${pages.address}/${old}`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'x' }),
    });
    const page = await pages.submit(ended, { action: 'identify', psu });
    await answer(page, { action: 'cancel' });
    wall.set(at('2027-03-24T12:16:00+01:00'));
    for (const response of [
      foreign,
      await answer(page, { action: 'approve' }),
      await pages.get(ended),
      await pages.get(old),
    ]) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(framersOf(response)).toBe(framers);
    }
  });

  test('nobody frames a page of no SCA, and none of a bank that cannot read', async () => {
    for (const path of ['unknown', '', 'a/b', '%ff']) expect(framersOf(await pages.get(path))).toBe("'none'");
    const scaId = await begin('https://tpp.example/back');
    await bank.ledger.write((tx) => tx.schema.alterTable('sca').renameTo('gone').execute());
    const response = await pages.get(scaId);
    expect([response.status, framersOf(response)]).toEqual([500, "'none'"]);
  });
});
