import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createBank, type Bank } from '../../api/harness/index.ts';
import { listBehaviours } from '../../api/coverage/behaviours.ts';
import { behaviourKinds } from '../../api/coverage/coverage-answer.ts';
import { Coverage } from '../../api/coverage/coverage.ts';
import { coverageEndpoints } from '../../api/coverage/coverage-endpoints.ts';
import { endpoints } from '../../api/interface/index.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { memoryBank } from '../lab/bank.ts';
import { nora, stranger, wednesday } from '../harness/harness-bank.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { namesMet } from './stories.ts';

const order = { from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' };

const behaviours = await listBehaviours();

describe('the table of behaviours', () => {
  const names = behaviours.map(({ name }) => name);

  test('it has at least 60, each once, of every kind', () => {
    expect(behaviours.length).toBeGreaterThanOrEqual(60);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(behaviours.map(({ kind }) => kind))).toEqual(new Set(behaviourKinds));
  });

  test("it has every endpoint of a client, every product and every code of the bank's own lists", () => {
    const own = endpoints.filter(({ path, deprecated }) => !path.startsWith('/sandbox/') && deprecated !== true);
    expect(names.filter((name) => / \/v1\//.test(name))).toHaveLength(own.length);
    expect(names).toEqual(expect.arrayContaining(['GET /v1/accounts/{accountId}/balances', ...faultCodes]));
    expect(names.filter((name) => name.startsWith('payments/'))).toHaveLength(4);
    expect(names).not.toContain('POST /v1/consents');
  });
});

describe('what is counted', () => {
  let bank: Bank;
  beforeAll(async () => {
    bank = await createBank({ now: wednesday });
  });
  beforeEach(async () => {
    await bank.reset();
    await bank.fetch('/sandbox/coverage', { method: 'DELETE', body: {} });
  });
  afterAll(() => bank.close());

  test('an operation is met when it is carried out, and its product with it; first is bank time', async () => {
    await bank.tpp().pay(order);
    const { behaviours: all } = await bank.coverage();
    const product = all.find(({ name }) => name === 'payments/norwegian-domestic-credit-transfers');
    const first = '2027-03-24T12:00:00.000+01:00';
    expect(product).toMatchObject({ kind: 'product', met: true, first, count: 1 });
    expect(all.find(({ name }) => name === 'payments/sepa-credit-transfers')).toMatchObject({ first: null, count: 0 });
  });

  test('a refused operation is not met; each of its codes is', async () => {
    const body = singlePayment({ requestedExecutionDate: '2027-01-01', creditorAccount: { bban: '70323119469' } });
    const headers = { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE' };
    const answer = await bank.tpp().fetch(singlePath, { method: 'POST', body, headers });
    const { tppMessages } = (await answer.json()) as { readonly tppMessages: readonly { readonly code: string }[] };
    expect(await namesMet(bank)).toEqual([...new Set(tppMessages.map(({ code }) => code))]);
  });

  test('a run counts the payments that it ends, by their TPP', async () => {
    for (const amount of ['1.00', '2.00', '3.00']) await bank.tpp({ name: 'shop' }).pay({ ...order, amount });
    await bank.tpp({ name: 'other' }).pay(order);
    await bank.clock.advance('2027-03-31');
    const countOf = async (tpp?: { readonly id: string }): Promise<number | undefined> => {
      const { behaviours: all } = await bank.coverage(tpp === undefined ? {} : { tpp });
      return all.find(({ name }) => name === 'ACSC')?.count;
    };
    expect([await countOf(), await countOf(bank.tpp({ name: 'shop' })), await countOf(bank.tpp())]).toEqual([4, 3, 0]);
  });

  test('a refused signature counts for the TPP that the certificate names, one without a certificate for none', async () => {
    const { certificate } = await bank.tpp({ name: 'careless' }).credentials();
    const der = certificate.replaceAll(/-----[^-]+-----|\s/g, '');
    const headers = { date: new Date().toUTCString(), signature: 'none', 'tpp-signature-certificate': der };
    await bank.fetch('/v1/accounts', { headers });
    await bank.fetch('/v1/accounts');
    expect(await namesMet(bank, bank.tpp({ name: 'careless' }).id)).toHaveLength(1);
    expect(await namesMet(bank)).toHaveLength(2);
    expect(await namesMet(bank)).toContain('SIGNATURE_MISSING');
  });

  test('an armed fault meets its code and not the situation behind it', async () => {
    await bank.fetch('/sandbox/faults', { method: 'POST', body: { code: 'ACCESS_EXCEEDED' } });
    await bank.tpp().fetch('/v1/bank-offered-consents', { method: 'POST' });
    expect(await namesMet(bank)).toEqual(['ACCESS_EXCEEDED']);
  });

  test('test data and the control plane are no behaviours', async () => {
    await bank.tpp().fetch('/v1/sandbox/customers');
    await bank.fetch('/sandbox/info');
    await bank.fetch('/nothing');
    expect(await namesMet(bank)).toEqual([]);
  });

  test('it outlives reset, restore and initialize, and is in no hash; DELETE empties it', async () => {
    const hash = async (): Promise<string> => (await bank.fetch('/sandbox/hash')).text();
    const before = await hash();
    await bank.tpp().fetch('/v1/accounts');
    const met = await namesMet(bank);
    expect(await hash()).toBe(before);
    await bank.snapshot('empty');
    await bank.restore('empty');
    await bank.tpp().fetch('/v1/sandbox/initialize', { method: 'POST' });
    await bank.reset();
    expect([met.length, await namesMet(bank)]).toEqual([1, met]);
    const { status } = await bank.fetch('/sandbox/coverage', { method: 'DELETE', body: {} });
    expect([status, await namesMet(bank)]).toEqual([200, []]);
  });

  test('a transaction that was pending before a reset is another one after it', async () => {
    for (const runs of [1, 2]) {
      await bank.reset();
      await bank.tpp().pay({ ...order, on: '2027-03-24' });
      await bank.clock.advance({ runs });
      const { pending, booked } = await (await bank.tpp().consent({ psu: nora.psu })).transactions(nora.bban);
      expect([pending.length, booked.length]).toEqual(runs === 1 ? [1, 0] : [0, 1]);
    }
    expect(await namesMet(bank)).not.toContain('pending became booked');
  });

  test('for=pisp leaves out what only readers meet, for=aisp what only payers meet', async () => {
    const namesFor = async (area: 'pisp' | 'aisp'): Promise<readonly string[]> =>
      (await bank.coverage({ for: area })).behaviours.map(({ name }) => name);
    const [pisp, aisp] = [await namesFor('pisp'), await namesFor('aisp')];
    expect([pisp.includes('fifth attempt'), pisp.includes('paging'), pisp.includes('FORMAT_ERROR')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([aisp.includes('fifth attempt'), aisp.includes('paging'), aisp.includes('FORMAT_ERROR')]).toEqual([
      false,
      true,
      true,
    ]);
    expect(new Set([...pisp, ...aisp]).size).toBe(behaviours.length);
  });

  test.each([
    ['tpp=', 400],
    ['for=all', 400],
    ['for=', 400],
    ['name=ACSC', 400],
    ['tpp=nobody', 200],
    ['tpp=%00%F0%9F%98%80&for=pisp', 200],
    ['tpp=x*5000', 200],
  ])('GET /sandbox/coverage?%s', async (query, status) => {
    const sent = query.replace('x*5000', 'x'.repeat(5_000));
    expect((await bank.fetch(`/sandbox/coverage?${sent}`)).status).toBe(status);
  });

  test('the answer is as its schema says', async () => {
    await bank.tpp().pay(order);
    const [get] = coverageEndpoints(new Coverage(await memoryBank(wednesday), () => undefined));
    const isDescribed = new Ajv2020({ strict: false, validateFormats: false }).compile(get?.answer ?? false);
    const answer = await bank.fetch('/sandbox/coverage');
    expect([isDescribed(await answer.json()), isDescribed.errors]).toEqual([true, null]);
    expect(isDescribed({ behaviours: [{ name: 'x' }] })).toBe(false);
  });
});

test('more than 1,000 TPPs: further ones count in the sum alone', async () => {
  const bank = await memoryBank(wednesday);
  const coverage = new Coverage(bank, () => undefined);
  for (let tpp = 1; tpp <= 1_002; tpp += 1) {
    bank.tell({ kind: 'met', at: bank.wall.now(), tpp: `tpp-${tpp}`, what: 'ACSC', times: 1 });
  }
  const countOf = async (tpp?: string): Promise<number | undefined> =>
    (await coverage.report(tpp)).find(({ name }) => name === 'ACSC')?.count;
  expect([await countOf(), await countOf('tpp-1000'), await countOf('tpp-1001')]).toEqual([1_002, 1, 0]);
  await bank.close();
});

describe('on a server', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank(wednesday);
  });
  afterAll(() => bank.stop());

  const metAt = async (base: string): Promise<readonly string[]> => {
    const { body } = await bank.control('GET', `${base}/sandbox/coverage`);
    return body.behaviours.flatMap(({ name, met }: { name: string; met: boolean }) => (met ? [name] : []));
  };

  test('each named bank has its own; behind the unsigned door it counts for the TPP of the path', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'one' });
    await bank.raw('GET', '/banks/one/sandbox/as/shop/v1/users?identity=1');
    await bank.raw('GET', '/v1/accounts');
    await bank.raw('GET', '/banks/one/v1/nothing');
    expect(await metAt('')).toEqual(['SIGNATURE_MISSING']);
    expect(await metAt('/banks/one')).toContain('NOT_FOUND');
    expect(await metAt('/banks/one')).not.toContain('SIGNATURE_MISSING');
  });
});
