import { expect, test } from '@jest/globals';
import { createBank } from 'sandbank';
import { findIncome, findRecurring, findSubscriptions, merchantIn, score } from './score.ts';

interface Truth {
  readonly transactionId: string;
  /** The id as a TPP reads it, at a bank whose ids are longer or new. */
  readonly wireTransactionId?: string;
  readonly category: string | null;
  readonly subscription: object | null;
  readonly recurring: object | null;
  readonly merchant: string | null;
}

/** Holder, account and persona. */
const lives = [
  ['13039319955', '09232911044', 'family'],
  ['13039319955', '70323119469', 'student'],
  ['12085592767', '74712699947', 'short-of-funds'],
  ['12085592767', '74712699947', 'student'],
] as const;

test('precision and recall of naive finders over 40 lives of a year', async () => {
  const bank = await createBank({ now: '2027-01-12T12:00:00+01:00' });
  const found = {
    subscriptions: new Set<string>(),
    income: new Set<string>(),
    recurring: new Set<string>(),
    merchants: new Set<string>(),
  };
  const right = {
    subscriptions: new Set<string>(),
    income: new Set<string>(),
    recurring: new Set<string>(),
    merchants: new Set<string>(),
  };
  for (let life = 0; life < 40; life += 1) {
    const [psu, account, persona] = lives[life % lives.length] ?? lives[0];
    await bank.reset();
    const body = JSON.stringify({ account, persona, seed: `life ${life}` });
    await bank.fetch('/sandbox/life', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const reader = await bank.tpp().consent({ psu });
    const { booked } = await reader.transactions(account, { from: '2026-01-12' });
    for (const { transactionId = '' } of findSubscriptions(booked)) found.subscriptions.add(`${life} ${transactionId}`);
    for (const { transactionId = '' } of findIncome(booked)) found.income.add(`${life} ${transactionId}`);
    for (const { transactionId = '' } of findRecurring(booked)) found.recurring.add(`${life} ${transactionId}`);
    for (const one of booked) {
      const merchant = merchantIn(one);
      if (merchant !== null) found.merchants.add(`${life} ${one.transactionId} ${merchant}`);
    }
    const { truth } = (await (await bank.fetch(`/sandbox/life/${account}/truth`)).json()) as {
      readonly truth: Truth[];
    };
    for (const { category, subscription, recurring, merchant, ...ids } of truth) {
      const transactionId = ids.wireTransactionId ?? ids.transactionId;
      if (recurring !== null) right.recurring.add(`${life} ${transactionId}`);
      if (merchant !== null) right.merchants.add(`${life} ${transactionId} ${merchant}`);
      if (subscription !== null) right.subscriptions.add(`${life} ${transactionId}`);
      if (category === 'salary' || category === 'benefit') right.income.add(`${life} ${transactionId}`);
    }
  }
  await bank.close();
  const [subscriptions, income] = [score(found.subscriptions, right.subscriptions), score(found.income, right.income)];
  const [recurring, merchants] = [score(found.recurring, right.recurring), score(found.merchants, right.merchants)];
  expect(right.subscriptions.size).toBeGreaterThan(700);
  expect(subscriptions.recall).toBeGreaterThan(0.6);
  expect(subscriptions.precision).toBeGreaterThan(0.4);
  expect(income.recall).toBeGreaterThan(0.6);
  expect(income.precision).toBeGreaterThan(0.8);
  expect(recurring.recall).toBeGreaterThan(0.6);
  expect(recurring.precision).toBeGreaterThan(0.6);
  expect(merchants.recall).toBeGreaterThan(0.9);
  expect(merchants.precision).toBeGreaterThan(0.9);
}, 60_000);
