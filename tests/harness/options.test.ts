import { describe, expect, test } from '@jest/globals';
import { type Bank, createBank } from '../../api/harness/index.ts';
import { harnessBank, nora, stranger } from './harness-bank.ts';

/* Each object of options refuses a member that it does not have, and what is no object: JavaScript has no compiler that would. */
const held = harnessBank();

const order = { from: nora.bban, to: stranger, amount: '1.00' };

/** A call with options. `bank` and `call` are any, as in JavaScript. */
type Call = (bank: any, options: any) => unknown; // oxlint-disable-line typescript/no-explicit-any -- wrong on purpose

const calls: Readonly<Record<string, Call>> = {
  createBank: (_bank, options) => createBank(options),
  'bank.fetch': (bank, options) => bank.fetch('/ready', options),
  'bank.tpp': (bank, options) => bank.tpp(options),
  'bank.reject': async (bank, options) => bank.reject(await bank.tpp().pay(order), options),
  'clock.set': (bank, options) => bank.clock.set(options),
  'tpp.fetch': (bank, options) => bank.tpp().fetch('/v1/accounts', options),
  'tpp.sign': (bank, options) => bank.tpp().sign('/v1/accounts', options),
  'tpp.pay': (bank, options) => bank.tpp().pay(options),
  'tpp.cancel': async (bank, options) => bank.tpp().cancel(await bank.tpp().pay(order), options),
  'tpp.consent': (bank, options) => bank.tpp().consent(options),
  'psu.approve': async (bank, options) => {
    const tpp = bank.tpp();
    return bank.psu(nora.psu).approve(await tpp.authorise(await tpp.pay({ ...order, signedBy: [] })), options);
  },
};

async function errorOf(call: Call, bank: Bank, options: unknown): Promise<string> {
  try {
    await call(bank, options);
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(Object.entries(calls))('%s', (name, call) => {
  test('names a member that it does not have', async () => {
    expect(await errorOf(call, held.bank, { nonsense: true })).toMatch(
      new RegExp(`^${name} has no option nonsense[;.]`),
    );
  });

  test.each([
    ['a text', 'shop'],
    ['null', null],
    ['a number', 5],
    ['a list', ['shop']],
    ['a promise', Promise.resolve({})],
  ])('says what it takes in place of %s', async (_what, given) => {
    const said = await errorOf(call, held.bank, given);
    expect(said.startsWith(`${name} takes `)).toBe(true);
    expect(said).toMatch(/\{\w.*\}.*, and got /);
  });
});

test('bank.tpp with a text says how it is called', () => {
  expect(() => held.bank.tpp('shop' as unknown as object)).toThrow(
    `bank.tpp takes {name, roles}, such as { name: 'shop' }, and got "shop".`,
  );
});

test('T4b: a wrong type of customer in settlementTimes is named', async () => {
  await expect(createBank({ settlementTimes: { privat: ['05:30'] } as never })).rejects.toThrow(
    '"privat" is no type of customer: there are private and corporate',
  );
});

describe('members further down', () => {
  test.each<[string, Call]>([
    ['clock.advance', (bank) => bank.clock.advance({ runs: 1, nonsense: 1 })],
    [
      'until of clock.advance',
      async (bank) => {
        const until = { paymentId: await bank.tpp().pay(order), status: 'ACSC', nonsense: 1 };
        return bank.clock.advance({ until });
      },
    ],
    [
      'an item of payments',
      (bank) => bank.tpp().pay({ from: nora.bban, payments: [{ to: stranger, amount: '1.00', nonsense: 1 }] }),
    ],
    ['fixtures', () => createBank({ fixtures: { customers: [], agreements: [], nonsense: [] } as never })],
  ])('%s', async (_name, call) => {
    expect(await errorOf(call, held.bank, undefined)).toContain('nonsense');
  });
});

describe('a text that is empty, or dots that lead to another path,', () => {
  const byPart: Readonly<Record<string, Call>> = {
    'bank.payments': (bank, part) => bank.payments(part),
    'bank.reject': (bank, part) => bank.reject(part, { reason: 'why' }),
    'bank.snapshot': (bank, part) => bank.snapshot(part),
    'bank.restore': (bank, part) => bank.restore(part),
    'tpp.payment': (bank, part) => bank.tpp().payment(part),
    'tpp.status': (bank, part) => bank.tpp().status(part),
    'tpp.cancel': (bank, part) => bank.tpp().cancel(part),
    'tpp.authorise': (bank, part) => bank.tpp().authorise(part),
    'reader.transaction': async (bank, part) =>
      (await bank.tpp().consent({ psu: nora.psu })).transaction(nora.bban, part),
  };
  test.each(Object.entries(byPart))('is no id or name for %s', async (name, call) => {
    for (const part of ['', '.', '..'])
      expect(await errorOf(call, held.bank, part)).toMatch(new RegExp(`^${name} takes .*, and got "${part}"\\.$`));
  });
});

test.each(['family', null, ['family'], Promise.resolve({})])(
  'createBank says what life is, in place of %j',
  async (life) => {
    const said = await errorOf((_bank, options) => createBank(options as never), held.bank, { life });
    expect(said).toMatch(/^createBank takes personas by account numbers in life, and got /);
  },
);

test('bytes are sent as they are, in an ArrayBuffer too', async () => {
  const bytes = new TextEncoder().encode('{"runs":1}');
  for (const body of [bytes, bytes.buffer])
    expect((await held.bank.fetch('/sandbox/clock/advance', { method: 'POST', body })).status).toBe(200);
});
