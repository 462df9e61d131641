import { afterEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { singlePath } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { basketOf, basketPath, initiated, psu, refusal, scaOf, statusOf } from './baskets.ts';

let bank: TestBank;
afterEach(() => bank.stop());

const advance = (by: string) => bank.advance({ by });

describe('interface, Limits: a signing basket is removed after some time of the bank clock', () => {
  test.each([
    [[], 'PT23H59M59S', 'PT1S'],
    [['--basket-lifetime', 'P7D'], 'P6D', 'P1D'],
  ])('settings %j: still there after %s, removed %s later', async (flags, before, rest) => {
    bank = await startTestBank('2027-04-05T12:00:00+02:00', flags);
    const id = await initiated(bank, 1, { requestedExecutionDate: '2027-06-01' });
    const { body } = await basketOf(bank, [id]);
    const self = `${basketPath}/${body.basketId}`;
    await advance(before);
    expect((await bank.signed('GET', self)).status).toBe(200);
    await advance(rest);
    expect(refusal(await bank.signed('GET', self))).toBe('403 RESOURCE_EXPIRED');
    expect(refusal(await bank.signed('POST', `${self}/authorisations`))).toBe('403 RESOURCE_EXPIRED');
  });

  test('its payments stay, free to be signed alone or in a new basket', async () => {
    bank = await startTestBank('2027-04-05T12:00:00+02:00');
    const first = await initiated(bank, 1, { requestedExecutionDate: '2027-06-01' });
    const second = await initiated(bank, 2, { requestedExecutionDate: '2027-06-01' });
    const { body } = await basketOf(bank, [first, second]);
    const sca = await scaOf(bank, body.basketId);
    await advance('PT24H');
    const late = await bank.approve(sca, psu);
    expect(late.searchParams.get('code')).toBe('RESOURCE_EXPIRED');
    const alone = await bank.signed('POST', `${singlePath}/${first}/authorisations`);
    await bank.approve(alone.body, psu);
    expect(await statusOf(bank, first)).toBe('ACSP');
    expect((await basketOf(bank, [second])).status).toBe(201);
  });
});

test.each(['', '24h', 'P1.5D', 'PT0S', '-P1D'])('the lifetime %j is an error at start', async (value) => {
  bank = await startTestBank('2027-04-05');
  expect(() => readConfig({ SANDBANK_BASKET_LIFETIME: value }, [])).toThrow(/^SANDBANK_BASKET_LIFETIME is/);
});
