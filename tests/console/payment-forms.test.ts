import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';
import { withCurl } from '../support/test-with.ts';

const bank = testBank(beforeEaster);
let client: ConsoleClient;
let amount = 100;

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
});

const single = (changes: object = {}) => {
  amount += 1;
  return singlePayment({
    instructedAmount: { amount: `${amount}.00`, currency: 'NOK' },
    requestedExecutionDate: '2027-03-30',
    ...changes,
  });
};
const pageOfPayment = (id: string) => `/console/payments/${encodeURIComponent(id)}`;
const stored = async (id: string) => await bank.payment(id);

/** Sends a form of a payment's page; the page that follows. */
async function submit(id: string, form: string, fields: Record<string, string> = {}): Promise<Answered> {
  const page = await client.get(pageOfPayment(id));
  const hiddens = { 'form-token': hidden(page, 'form-token'), 'came-from': hidden(page, 'came-from') };
  const path = `${pageOfPayment(id)}/${form}`;
  return client.follow(path, await client.post(path, { ...hiddens, ...fields }));
}

/** What a line prints in a shell. */
async function run(line: string, env: Record<string, string> = {}): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, ...env } })).stdout;
}

/** The lines for curl that a page shows. */
function curlLines({ text }: Answered): string[] {
  return [...text.matchAll(/<code>(curl [^<]*)<\/code>/g)].flatMap(([, lines = '']) =>
    unescapedHtml(lines).split('\n'),
  );
}

describe('the forms of a payment', () => {
  test('P14: cancel, as the PSU can in the bank itself', async () => {
    const id = await pay(bank, singlePath, single());
    expect((await submit(id, 'cancel')).text).toContain('The payment is cancelled.');
    const { status, history } = await stored(id);
    expect([status, history.at(-1).cause]).toEqual(['CANC', 'cancelled in another channel']);
    expect((await client.get(pageOfPayment(id))).text).not.toContain('own channel');
  });

  test('P14: change the amount, and the date, each by itself', async () => {
    const id = await pay(bank, singlePath, single());
    expect((await submit(id, 'change', { amount: '55,50', currency: 'NOK' })).text).toContain('55.50');
    expect((await submit(id, 'change', { requestedExecutionDate: '2027-04-01' })).text).toContain('Thu 1 Apr 2027');
    const { initiation, executionDate } = await stored(id);
    expect([initiation.instructedAmount, executionDate]).toEqual([{ amount: '55.50', currency: 'NOK' }, '2027-04-01']);
  });

  test.each([
    ['change', { amount: 'much', currency: 'NOK' }, 'much', 'amount'],
    ['change', { amount: '-1.00', currency: 'NOK' }, '-1.00', 'amount'],
    ['change', { requestedExecutionDate: '2026-01-01' }, '2026-01-01', 'requestedExecutionDate'],
    ['reject', { reason: '\u202e' }, '\u202e', 'reason'],
    ['reject', { reason: 'x'.repeat(141) }, 'x'.repeat(141), 'reason'],
  ])(
    'a refusal of %s %j keeps what was entered, and says at its field what is wrong',
    async (form, fields, kept, name) => {
      const id = await pay(bank, singlePath, single());
      const before = await stored(id);
      const { status, text } = await submit(id, form, fields as unknown as Record<string, string>);
      expect(status).toBe(200);
      expect(text).toContain('role="alert"');
      const field = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? '';
      expect(field).toContain('aria-invalid="true"');
      expect(field).toContain(`value="${kept}"`);
      expect(text).toMatch(new RegExp(`<p class="fault" id="[^"]*-${name}-fault">`));
      expect(await stored(id)).toEqual(before);
    },
  );

  test('P14b: reject an item of a bulk payment, a date of a standing order, the whole of another', async () => {
    const bulk = await pay(
      bank,
      bulkPath,
      bulkPayment([bulkItem('1.00'), bulkItem('2.00')], { requestedExecutionDate: '2027-03-30' }),
    );
    expect((await submit(bulk, 'reject', { of: 'payments[1]', reason: 'closed account' })).text).toContain(
      'to be rejected: closed account',
    );
    const order = await pay(bank, periodicPath, periodicPayment({ startDate: '2027-04-26' }));
    await submit(order, 'reject', { of: '2027-05-26', reason: 'closed account' });
    expect(
      (await stored(order)).occurrences.filter((one: { rejection?: string }) => one.rejection !== undefined),
    ).toEqual([expect.objectContaining({ nominalDate: '2027-05-26', rejection: 'closed account' })]);
    const unsigned = await pay(bank, singlePath, single(), { sign: false });
    expect((await submit(unsigned, 'reject', { reason: 'closed account' })).text).toContain('The payment is rejected.');
  });

  test('P14b: the form rejects nothing for a part that is neither an item nor a date', async () => {
    const id = await pay(bank, bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')]));
    const before = await stored(id);
    expect((await submit(id, 'reject', { of: 'the second', reason: 'closed account' })).text).toContain('role="alert"');
    expect(await stored(id)).toEqual(before);
  });

  test.each([
    ['9999-12-31', 'none'],
    ['2100-01-01', 'none'],
    ['2099-12-31', 'Thu 31 Dec 2099'],
  ])('R7b: the page of a standing order that ends on %s names its last date %s', async (endDate, told) => {
    const id = await pay(bank, periodicPath, periodicPayment({ startDate: '2027-04-26', endDate }));
    const { text } = await client.get(pageOfPayment(id));
    const last = /<dt>Last date<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(text)?.[1] ?? '';
    expect(last.replace(/<[^>]*>/g, '').trim()).toBe(told);
  });

  test('S9b: force a status', async () => {
    const id = await pay(bank, singlePath, single());
    expect((await submit(id, 'status', { status: 'ACWC' })).text).toContain('Its TPP reads ACWC from now on.');
    expect((await stored(id)).forcedStatus).toBe('ACWC');
  });

  test('a payment that there is not: its page and its forms are refused, not a failure', async () => {
    expect((await client.get(pageOfPayment('nothing'))).status).toBe(404);
    const fields = { 'form-token': hidden(await client.get('/console'), 'form-token'), 'came-from': '/payments' };
    const path = `${pageOfPayment('nothing')}/cancel`;
    const page = await client.follow(path, await client.post(path, fields));
    expect([page.status, page.text.includes('role="alert"')]).toEqual([200, true]);
  });
});

describe('the lines for curl', () => {
  withCurl('those of the forms do what the forms do', async () => {
    const id = await pay(bank, singlePath, single());
    const lines = curlLines(await client.get(pageOfPayment(id))).filter((line) => !line.includes('-X GET'));
    expect(lines.map((line) => /-X (\w+) '[^']*?(\/\w+)?'/.exec(line)?.[1])).toEqual([
      'POST',
      'PATCH',
      'PATCH',
      'POST',
      'POST',
      'POST',
    ]);
    const rejecting = lines.find((line) => line.includes('/reject')) ?? '';
    const answer = JSON.parse(await run(rejecting));
    expect(answer.occurrences[0].rejection).toBe('the creditor account is closed');
    const cancelling = lines.find((line) => line.includes('/cancel')) ?? '';
    expect(JSON.parse(await run(cancelling)).status).toBe('CANC');
  });

  withCurl.each(['/console', '/console/payments?status=CANC', '/console/calendar', '/console/forecast?to=2027-04-01'])(
    'those of %s answer what it shows',
    async (path) => {
      const lines = curlLines(await client.get(path)).filter((line) => line.includes('-X GET'));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(JSON.parse(await run(line))).not.toHaveProperty('title');
    },
  );

  withCurl('with a control token they carry it, by its name', async () => {
    await using guarded = await startTestBank(beforeEaster, ['--control-token', 'a-secret-token-of-ours']);
    const user = new ConsoleClient(guarded.address);
    await user.post('/console/session', { 'control-token': 'a-secret-token-of-ours' });
    const page = await user.get('/console/payments');
    expect(page.text).not.toContain('a-secret-token-of-ours');
    const [line = ''] = curlLines(page);
    expect(JSON.parse(await run(line, { SANDBANK_CONTROL_TOKEN: 'a-secret-token-of-ours' }))).toEqual({
      payments: [],
      total: 0,
    });
    expect(JSON.parse(await run(line, { SANDBANK_CONTROL_TOKEN: 'another-of-16-characters' })).status).toBe(401);
  });
});
