import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedProfile } from '../../api/start/profile.ts';
import { daysBetween, localDate } from '../../engine/values/local-date.ts';
import { people } from '../lab/payments.ts';
import { now } from './lived-banks.ts';

test('K13, L5, L8: over HTTP: a persona by name or as an object begins a life, a listed one never by path, and DELETE ends it', async () => {
  await using bank = await createBank({ now });
  const number = people.nora.bban;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await bank.fetch(`/sandbox${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const begun = { account: number, persona: 'family', seed: 'sandbank', from: '2025-11-23', role: null };
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [] } });
  expect(await call('POST', '/life', { account: number, persona: 'family' })).toEqual({ status: 200, body: begun });
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [begun] } });
  const refused: readonly (readonly [body: object, status: number, said: RegExp])[] = [
    [{ account: number, persona: 'student' }, 409, /has a life already/],
    [{ account: '99999999999', persona: 'student' }, 404, /has no account/],
    [{ account: people.kari?.bban ?? '60056543215', persona: 'studen' }, 400, /nearest is student/],
    [{ account: number, persona: './fixtures/personas/student.json' }, 400, /There is no persona/],
    [{ account: number, persona: {} }, 400, /persona\.name/],
    [{ account: number, persona: 'student', months: 0 }, 400, /months/],
    [{ account: number, persona: 'student', months: 121 }, 400, /months/],
    [{ account: number, persona: 7 }, 400, /persona/],
    [{ persona: 'student' }, 400, /account/],
  ];
  for (const [body, status, said] of refused) {
    const answer = await call('POST', '/life', body);
    expect([body, answer.status]).toEqual([body, status]);
    expect(JSON.stringify(answer.body)).toMatch(said);
  }
  const { planned } = await bank.forecast('P40D');
  expect(planned).toContainEqual(
    expect.objectContaining({
      date: '2026-12-15',
      account: number,
      amount: { amount: '-3900.00', currency: 'NOK' },
      event: 'common-charges',
    }),
  );
  const { body } = await call('GET', '/payments');
  const [order] = (body as { readonly payments: readonly { readonly paymentId: string }[] }).payments;
  const paymentId = encodeURIComponent(order?.paymentId ?? '');
  expect((await call('GET', `/payments/${paymentId}`)).body).toMatchObject({ tpp: { id: 'own-channel' } });
  for (const page of [`payments/${paymentId}`, `accounts/${number}`, 'calendar']) {
    expect([page, (await bank.fetch(`/console/${page}`)).status]).toEqual([page, 200]);
  }
  expect(await call('DELETE', `/life/${number}`)).toEqual({ status: 200, body: { removed: number } });
  expect((await call('DELETE', `/life/${number}`)).status).toBe(404);
  await bank.reset();
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [] } });
});

test('L12: over HTTP one call begins a household, and makes the accounts that are missing', async () => {
  await using bank = await createBank({ now });
  const accounts = { shared: people.nora.bban, own: ['70323119469'] };
  const call = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await bank.fetch('/sandbox/life', { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ account: people.nora.bban, accounts, persona: 'family' }, /account for one account, or accounts/],
    [{ persona: 'family' }, /account for one account, or accounts/],
    [{ accounts, persona: 'student' }, /has no account own-1/],
  ];
  for (const [body, said] of refused) expect(JSON.stringify((await call(body)).body)).toMatch(said);
  const begun = await call({ accounts, persona: 'family' });
  expect([begun.status, begun.body]).toEqual([
    200,
    expect.objectContaining({ account: people.nora.bban, role: 'shared' }),
  ]);
  const household = begun.body['household'] as readonly { role: string; account: string }[];
  expect(household.map(({ role }) => role)).toEqual(['own-1', 'own-2', 'shared', 'own-3', 'savings', 'loan']);
  // The child reads an account of its own.
  const reader = await bank.tpp().consent({ psu: '05901250023' });
  const child = household.find(({ role }) => role === 'own-3')?.account ?? '';
  expect((await reader.transactions(child, { from: '2025-11-23' })).booked.length).toBeGreaterThan(60);
  // Payments are allowed from an account that was made.
  const made = household.find(({ role }) => role === 'own-2')?.account ?? '';
  expect(await bank.tpp().pay({ from: made, to: people.nora.bban, amount: '10.00' })).toMatch(/^enc!!/);
});

test('L11: the truth names each booked transaction by the id that a TPP reads, and is 404 without a life', async () => {
  await using bank = await createBank({ now, quirks: ['id-lengths'] });
  const number = people.nora.bban;
  const begin = { account: number, persona: 'family' };
  const headers = { 'content-type': 'application/json' };
  expect((await bank.fetch(`/sandbox/life/${number}/truth`)).status).toBe(404);
  await bank.fetch('/sandbox/life', { method: 'POST', headers, body: JSON.stringify(begin) });
  await bank.clock.advance('P40D');
  const { truth } = (await (await bank.fetch(`/sandbox/life/${number}/truth?from=2025-11-23`)).json()) as {
    readonly truth: readonly Readonly<Record<string, string> & { subscription: unknown }>[];
  };
  const reader = await bank.tpp().consent({ psu: people.nora.psu });
  const { booked } = await reader.transactions(number, { from: '2025-11-23' });
  const byId = new Map(truth.map((one) => [one['wireTransactionId'], one]));
  expect(booked.filter(({ transactionId }) => !byId.has(transactionId ?? ''))).toEqual([]);
  const wanted = { mortgage: 'housing', streaming: 'subscription', interest: 'interest', 'vipps-out': 'person' };
  for (const [event, category] of Object.entries(wanted)) {
    const found = truth.filter((one) => one['event'] === event);
    expect([event, new Set(found.map((one) => one['category']))]).toEqual([event, new Set([category])]);
  }
  // Those that the bank paid since are payments.
  expect(
    truth.filter(({ event, bookingDate = '' }) => event === 'mortgage' && bookingDate > '2026-11-23'),
  ).toHaveLength(1);
  expect(truth.find(({ event }) => event === 'streaming')?.subscription).toEqual({ amount: '129.00', currency: 'NOK' });
  const ids = new Map(truth.map((one) => [one['transactionId'], one]));
  const refunds = truth.filter(({ refundOf }) => refundOf !== null);
  expect(refunds.length).toBeGreaterThan(0);
  const shopIn = (text = ''): string => text.replace(/^(?:\*\d{4} )?\d\d\.\d\d (?:NOK [\d.]+ )?| Kurs: .*/g, '');
  for (const { refundOf = '', text } of refunds) expect(shopIn(ids.get(refundOf)?.['text'])).toBe(shopIn(text));
  expect(new Set(truth.map(({ trip }) => trip ?? null)).size).toBeGreaterThan(1);
  expect((await bank.fetch(`/sandbox/life/${number}/truth?from=x`)).status).toBe(400);
  await bank.fetch(`/sandbox/life/${number}`, { method: 'DELETE' });
  await bank.fetch('/sandbox/life', {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...begin, persona: 'student', months: 1 }),
  });
  const again = (await (await bank.fetch(`/sandbox/life/${number}/truth?to=2026-11-20`)).json()) as typeof Object;
  expect(JSON.stringify(again)).not.toMatch(/mortgage/);
});

test('L8: createBank begins lives by the numbers of accounts, and refuses a wrong one in one line', async () => {
  await using bank = await createBank({ now, life: { [people.nora.bban]: 'student' } });
  expect((await bank.account(people.nora.bban)).transactions.length).toBe(20);
  await expect(createBank({ life: { '1': 'student' } })).rejects.toThrow(
    /createBank: life names "1", which is no account/,
  );
  await expect(createBank({ life: { [people.nora.bban]: 'pirate' } })).rejects.toThrow(/there is no persona pirate/);
});
test('the fixtures a-year-of-life have six people and a shop with a year of past', async () => {
  await using bank = await createBank({ now, fixtures: 'a-year-of-life' });
  const lives = (await (await bank.fetch('/sandbox/life')).json()) as {
    readonly lives: readonly { persona: string }[];
  };
  expect(lives.lives.map(({ persona }) => persona)).toEqual([
    'family',
    'student',
    'short-of-funds',
    'family',
    'student',
    'short-of-funds',
    'shop',
  ]);
  const proof = (await (await bank.fetch('/sandbox/ledger/proof')).json()) as { readonly ok: boolean };
  expect(proof.ok).toBe(true);
  const { booked } = await (
    await bank.tpp().consent({ psu: people.nora.psu })
  ).transactions(people.nora.bban, { from: '2025-11-23' });
  const hashes = booked.map(({ bookingDate, transactionAmount: { amount }, remittanceInformationUnstructured: text }) =>
    [bookingDate, amount, text].join(' '),
  );
  // Register 11: who knows transactions by their content drops a ticket.
  expect(hashes.length - new Set(hashes).size).toBeGreaterThan(4);
});

/** The codes of a private person's account (facts.json: bien-sparebank, bankTransactionCodes). */
const codesOfBien = [
  'CARD-NCRD-POSD',
  'CARD-CCRD-XBPO',
  'CARD-CCRD-POSD',
  'PMNT-ICDT-RETP',
  'BOOK-EXPS-BANK',
  'PMNT-ICDT-PCID',
  'PMNT-RCDT-RETP',
  'PMNT-RCDT-SALA',
  'PMNT-ICDT-DMCT',
  '--',
  'BOOK-EXPS-OTHR',
  'PMNT-IICT-XBCT',
];

/** How many purchases of a card were booked so many days later (facts.json: bien-sparebank, bookingLagAfterPurchase). */
const lagsOfBien = (await listedProfile('bien-sparebank')).facts.find(({ key }) => key === 'bookingLagAfterPurchase')
  ?.value as Readonly<Record<string, Readonly<Record<string, number>>>>;

test('L6, Q5: under Bien a year of three families has every code that was seen, and its days of purchase stand in the texts', async () => {
  const families = [people.nora, people.even, people.kari];
  const life = Object.fromEntries(families.map(({ bban }) => [bban, 'family']));
  await using bank = await createBank({ now, profile: 'bien-sparebank', life });
  const lists = families.map(async ({ psu, bban }) =>
    (await bank.tpp().consent({ psu })).transactions(bban, { from: '2025-11-23' }),
  );
  const [booked, pending] = [
    (await Promise.all(lists)).flatMap((list) => list.booked),
    (await lists[0])?.pending ?? [],
  ];
  const codes = new Set(booked.map(({ bankTransactionCode }) => bankTransactionCode));
  expect(codesOfBien.filter((code) => !codes.has(code))).toEqual([]);
  const cards = booked.filter(({ bankTransactionCode }) => bankTransactionCode?.startsWith('CARD-'));
  const texts = cards.map(({ remittanceInformationUnstructured: text }) => text ?? '');
  expect(texts.filter((text) => !/^(?:\*\d{4} )?\d\d\.\d\d /.test(text))).toEqual([]);
  expect(pending.length).toBeGreaterThan(0);
  for (const [card, seen] of Object.entries(lagsOfBien)) {
    const own = cards.filter((one) => one.bankTransactionCode === `CARD-${card}`);
    const lags = own.map(({ bookingDate = '', remittanceInformationUnstructured: text = '' }) => {
      const [, day = '', month = ''] = /(\d\d)\.(\d\d) /.exec(text) ?? [];
      const year = Number(bookingDate.slice(0, 4)) - (month > bookingDate.slice(5, 7) ? 1 : 0);
      return daysBetween(localDate(`${year}-${month}-${day}`), localDate(bookingDate));
    });
    const all = Object.values(seen).reduce((sum, times) => sum + times, 0);
    for (const [lag, times] of Object.entries(seen)) {
      const share = lags.filter((each) => each === Number(lag)).length / lags.length;
      expect([card, lag, Math.abs(share - times / all) < 0.1 || share]).toEqual([card, lag, true]);
    }
  }
});

test('an advance tells what each life booked on the way: count, money in and money out; without lives it tells nothing', async () => {
  const number = people.nora.bban;
  await using lived = await createBank({ now, life: { [number]: 'shop' } });
  const truth = async () => {
    const answer = await lived.fetch(`/sandbox/life/${number}/truth`);
    const { truth: transactions } = (await answer.json()) as {
      readonly truth: readonly { event: string | null; amount: { amount: string } }[];
    };
    // The bank pays the salaries itself.
    const booked = transactions.filter(({ event }) => event !== null && event !== 'salaries');
    const amounts = booked.map(({ amount }) => Math.round(Number(amount.amount) * 100));
    const sum = (part: readonly number[]): number => part.reduce((all, each) => all + each, 0);
    return {
      count: booked.length,
      received: sum(amounts.filter((each) => each > 0)),
      spent: -sum(amounts.filter((each) => each < 0)),
    };
  };
  const before = await truth();
  const { lives } = await lived.clock.advance('P21D');
  const after = await truth();
  const nok = (ore: number) => ({ amount: (ore / 100).toFixed(2), currency: 'NOK' });
  expect(lives).toEqual([
    {
      account: number,
      count: after.count - before.count,
      received: nok(after.received - before.received),
      spent: nok(after.spent - before.spent),
    },
  ]);
  expect(lives?.[0]?.count).toBeGreaterThan(20);
  await using still = await createBank({ now });
  expect(await still.clock.advance('P1D')).not.toHaveProperty('lives');
});
