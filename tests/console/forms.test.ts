import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const bank = testBank(beforeEaster);
let client: ConsoleClient;
beforeEach(async () => {
  await bank.reset();
  client = new ConsoleClient(bank.address);
});

/** Sends a form of a page as a browser does: its hidden fields, and what was entered. The page that it leads to. */
async function submit(page: string, form: string, fields: Readonly<Record<string, string>> = {}): Promise<Answered> {
  const shown = await client.get(page);
  const [action] = new RegExp(`action="[^"]*console${form}"`).exec(shown.text) ?? [];
  expect([page, form, shown.status, action]).toEqual([page, form, 200, expect.any(String)]);
  const carried = { 'form-token': hidden(shown, 'form-token'), 'came-from': page.replace(/^.*\/console/, '') };
  const path = page.replace(/\/console.*/, `/console${form}`);
  const sent = await client.post(path, { ...carried, ...fields });
  expect(sent.status).toBe(303);
  return client.follow(path, sent);
}

/** A payment that waits for its PSU; its id, and the id of its SCA. */
async function unsigned(changes: object = {}): Promise<{ paymentId: string; scaId: string }> {
  const paymentId = await pay(bank, singlePath, singlePayment(changes), { sign: false });
  const { body } = await bank.control('GET', '/sandbox/sca');
  const { scas } = body as { scas: { id: string; payments: string[] }[] };
  return { paymentId, scaId: scas.find(({ payments }) => payments.includes(paymentId))?.id ?? '' };
}

/** A company's payment that Sigrid has signed, and the id of the SCA of the second signer. */
async function halfSigned(): Promise<{ made: { paymentId: string }; second: string }> {
  const body = singlePayment({ debtorAccount: { bban: '34330000017', currency: 'NOK' } });
  const headers = { 'x-psu-identity': '17818050100', 'psu-context': 'CORPORATE' };
  const { body: made } = await bank.signed('POST', singlePath, { body, headers });
  const scaOf = (href: string): string => /\/sca\/([^?]+)/.exec(href)?.[1] ?? '';
  const first = scaOf(made._links.scaRedirect.href);
  await bank.control('POST', `/sandbox/sca/${first}`, {
    outcome: 'approve',
    psu: '17818050100',
    context: 'CORPORATE',
  });
  const path = `${singlePath}/${made.paymentId}/authorisations`;
  const { body: again } = await bank.signed('POST', path, { body: '' });
  return { made, second: scaOf(again._links.scaRedirect.href) };
}

async function statusOf(paymentId: string): Promise<string> {
  return (await bank.payment(paymentId)).status;
}

describe('making a payment again', () => {
  const fields = { from: `${psu}/31320000012`, to: '34330000017', amount: '77.00', creditorName: 'Twice AS' };

  test('P7, C15: a duplicate leads to the first payment and to the request, and is paid all the same', async () => {
    const { text: people } = await client.get('/console/pay');
    const [, from = ''] = /<option value="(13039319955\/\d{11})"/.exec(people) ?? [];
    const page = '/console/pay';
    const form = { ...fields, from };
    const shown = await client.get(page);
    const token = { 'form-token': hidden(shown, 'form-token'), 'came-from': '/pay' };
    expect((await client.post(page, { ...token, ...form })).headers.location).toMatch(/\/sca\//);
    const { text } = await submit(page, '/pay', form);
    expect(text).toMatch(/a logical duplicate[^]*payments\/enc[^"]+">Open the unsigned payment<[^]*>Open the request</);
    expect(text).not.toContain('Send allowLogicalDuplicate');
    const [, request = ''] = /console(\/requests\/[^"]+)">Open the request/.exec(text) ?? [];
    expect((await client.get(`/console${request}`)).text).toContain('CONFLICT');
    expect(text).toMatch(/name="again" value="yes"[^]*Pay it all the same/);
    // The way back leads to the address of the form, which keeps what was entered: in this browser, until it is paid.
    const back = async (own: ConsoleClient) => (await own.get(page)).text.includes('value="Twice AS"');
    expect([await back(client), await back(new ConsoleClient(bank.address))]).toEqual([true, false]);
    expect((await client.post(page, { ...token, ...form, again: 'yes' })).headers.location).toMatch(/\/sca\//);
    expect(await back(client)).toBe(false);
  });

  test('an amount of 0 is refused at its field, with a link to the request', async () => {
    const { text } = await submit('/console/pay', '/pay', { ...fields, amount: '0' });
    expect(text).toMatch(/class="fault" id="[^"]*amount-fault">[^<]*it must be greater than zero/);
    expect(text).toContain('>Open the request</a>');
  });
});

describe('C23: an armed fault strikes a call of a form', () => {
  const logged: string[] = [];
  let own: Awaited<ReturnType<typeof startTestBank>>;
  beforeAll(async () => {
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    own = await startTestBank(beforeEaster, [], { log });
  });
  afterAll(() => own.stop());
  const from = `${psu}/09232911044`;
  const fields = { from, to: '90491105991', amount: '77.00', creditorName: 'Struck AS' };

  test.each<[string, object, RegExp, boolean]>([
    [
      'close',
      { close: true },
      /Armed fault \d+ closed the connection, after the commit. The payment is made.[^]*>Open the payment</,
      true,
    ],
    [
      'cut',
      { cut: true },
      /ended the answer in its middle, after the commit. The payment is made.[^]*>Open the payment</,
      true,
    ],
    [
      '503',
      { status: 503 },
      /answered 503 as a gateway does, after the commit. The payment is made.[^]*>Open the payment</,
      true,
    ],
    ['a code', { code: 'SYSTEM_ERROR' }, /refused the call with SYSTEM_ERROR. Nothing was carried out.</, false],
  ])(
    '%s: the form tells it with a link, keeps what was entered, and the log has no error',
    async (_, fault, text, isMade) => {
      client = new ConsoleClient(own.address);
      await own.reset();
      await own.control('POST', '/sandbox/faults', fault);
      const shown = await submit('/console/pay', '/pay', fields);
      expect(shown.text).toMatch(text);
      expect(shown.text).toContain('value="Struck AS"');
      expect(shown.text.includes('Open the payment')).toBe(isMade);
      const [, link = ''] = /console(\/[^"]+)">Open the payment/.exec(shown.text) ?? [];
      if (isMade) expect((await client.get(`/console${link}`)).text).toContain('Struck AS');
      expect(logged).toEqual([]);
    },
  );

  test('a new SCA of a payment: it is open, and the page of the payment has it', async () => {
    client = new ConsoleClient(own.address);
    await own.reset();
    const order = { from: '09232911044', to: '90491105991', amount: '8.00', tpp: 'console', sign: false };
    const { payment, scas } = (await own.control('POST', '/sandbox/payments', order)).body;
    await own.control('POST', `/sandbox/sca/${scas[0].id}`, { outcome: 'cancel' });
    await own.control('POST', '/sandbox/faults', { close: true });
    const page = `/console/payments/${encodeURIComponent(payment.paymentId)}`;
    const { text } = await submit(page, `/payments/${encodeURIComponent(payment.paymentId)}/open-sca`);
    expect(text).toMatch(
      /Armed fault \d+ closed the connection, after the commit. The SCA is open.[^]*Approve the payment/,
    );
    expect(logged).toEqual([]);
  });
});

describe('C9: SCAs', () => {
  test('the list leads to one, which is approved as the PSU that is chosen', async () => {
    const { paymentId, scaId } = await unsigned();
    expect((await client.get('/console/sca')).text).toContain(`../console/sca/${scaId}`);
    const page = `/console/sca/${scaId}`;
    expect((await client.get(page)).text).toContain(`<option value="${psu} PRIVATE" selected>`);
    const { text } = await submit(page, `/sca/${scaId}/approve`, { who: `${psu} PRIVATE` });
    expect(text).toContain('data-copy="https://tpp.example/callback?state=abc&amp;psu-id=');
    expect(text).toContain('No SCA waits for an answer.');
    expect(await statusOf(paymentId)).toBe('PDNG');
  });

  test.each([
    ['cancel', 'SCA_INVALID', 'RCVD'],
    ['fail', 'SCA_INVALID', 'RCVD'],
    ['expire', 'SCA_EXPIRED', 'RCVD'],
  ])('%s ends it with the code %s, and the payment stays %s', async (outcome, code, status) => {
    const { paymentId, scaId } = await unsigned();
    const { text } = await submit(`/console/sca/${scaId}`, `/sca/${scaId}/end`, { outcome });
    expect(text).toMatch(new RegExp(`id="note"[^>]*>${code}: .*The browser of the PSU goes back to`));
    expect(await statusOf(paymentId)).toBe(status);
    expect((await client.get(`/console/sca/${scaId}`)).status).toBe(404);
  });

  test('rejecting for all is for a payment of several signers: the refusal stands beside the form', async () => {
    const { scaId } = await unsigned();
    const page = `/console/sca/${scaId}`;
    const { text } = await submit(page, `/sca/${scaId}/end`, { outcome: 'reject' });
    expect(text).toContain('role="alert"');
    expect(text).toContain('<option value="reject" selected>');
  });

  test('the first of two signers signs for the company, and in private nobody can', async () => {
    const body = singlePayment({ debtorAccount: { bban: '34330000017', currency: 'NOK' } });
    const headers = { 'x-psu-identity': '17818050100', 'psu-context': 'CORPORATE' };
    const { body: made } = await bank.signed('POST', singlePath, { body, headers });
    const [, scaId = ''] = /\/sca\/([^?]+)/.exec(made._links.scaRedirect.href) ?? [];
    const { text } = await client.get(`/console/sca/${scaId}`);
    const [, who = ''] = /<option value="(17818050100 CORPORATE [^"]+)"/.exec(text) ?? [];
    expect(text).not.toContain('17818050100 PRIVATE');
    await submit(`/console/sca/${scaId}`, `/sca/${scaId}/approve`, { who });
    expect(await statusOf(made.paymentId)).toBe('PATC');
  });

  test('the second signer: what the page offers first works, and the page of the payment leads to it', async () => {
    const { made, second } = await halfSigned();
    const payment = `/console/payments/${encodeURIComponent(made.paymentId)}`;
    const { text: half } = await client.get(payment);
    expect(half).toMatch(/PATC[^]*Sigrid[^]* has signed; 1 signature is missing: [^]*can sign/);
    expect(half).toContain(`/console/sca/${second}`);
    const { text } = await client.get(`/console/sca/${second}`);
    const [, who = ''] = /<option value="([^"]+)" selected>/.exec(text) ?? [];
    expect(who).toMatch(/ CORPORATE /);
    const { text: after } = await submit(`/console/sca/${second}`, `/sca/${second}/approve`, { who });
    expect(after).toMatch(/class="note" id="note"[^>]*>Approved\./);
    expect(await statusOf(made.paymentId)).toBe('PDNG');
  });

  test('a payment that is half signed and has no open SCA says how the TPP opens one', async () => {
    const { made, second } = await halfSigned();
    await submit(`/console/sca/${second}`, `/sca/${second}/end`, { outcome: 'fail' });
    const path = `/payments/${encodeURIComponent(made.paymentId)}`;
    const page = await client.get(`/console${path}`);
    expect(page.text).toContain(`opens one with <code>POST ${singlePath}/${made.paymentId}/authorisations</code>`);
    // The server signs for a throw-away TPP only.
    expect(page.text).not.toContain('Open an SCA');
    const open = `/console${path}/open-sca`;
    const sent = await client.post(open, { 'form-token': hidden(page, 'form-token'), 'came-from': path });
    expect((await client.follow(open, sent)).text).toContain('Only the TPP itself can open an SCA for its payment.');
  });

  test('CORPORATE on a private account: list and page say that nobody can approve it', async () => {
    const headers = { 'x-psu-identity': psu, 'psu-context': 'CORPORATE' };
    const { body: made } = await bank.signed('POST', singlePath, { body: singlePayment(), headers });
    const [, scaId = ''] = /\/sca\/([^?]+)/.exec(made._links.scaRedirect.href) ?? [];
    const why = 'the TPP asked for PSU-Context CORPORATE';
    expect((await client.get('/console/sca')).text).toMatch(new RegExp(`nobody[^]*${why}`));
    expect((await client.get(`/console/sca/${scaId}`)).text).toMatch(new RegExp(`Nobody can approve it: [^<]*${why}`));
  });

  test('a payment that an open basket holds: list and page say that the basket signs it', async () => {
    const { paymentId, scaId } = await unsigned();
    await bank.signed('POST', '/v1/signing-baskets', { body: { paymentIds: [paymentId] } });
    const why = 'an open signing basket holds the payment, and signing the basket signs it';
    expect((await client.get('/console/sca')).text).toMatch(new RegExp(`nobody[^]*${why}`));
    const page = (await client.get(`/console/sca/${scaId}`)).text;
    expect(page).toContain(`Nobody can approve it: ${why}. Approve the basket.`);
  });

  test('who may not sign is told by the code that the PSU carries back', async () => {
    const { paymentId, scaId } = await unsigned();
    const { text } = await submit(`/console/sca/${scaId}`, `/sca/${scaId}/approve`, { who: '12085592767 PRIVATE' });
    expect(text).toMatch(/class="problem" id="note"[^>]*>[A-Z_]{5,}: .+ The browser of the PSU goes back to/);
    expect(text).toContain('Let the TPP ask for another one');
    expect(text).not.toContain('Approved.');
    expect(await statusOf(paymentId)).toBe('RCVD');
  });

  test('a consent is granted for the accounts that are entered', async () => {
    const offered = await bank.signed('POST', '/v1/bank-offered-consents', { body: '' });
    const [, scaId = ''] = /\/sca\/([^?]+)/.exec(offered.body._links.scaRedirect.href) ?? [];
    const fields = { who: `${psu} PRIVATE`, accounts: '09232911044, 70323119469' };
    await submit(`/console/sca/${scaId}`, `/sca/${scaId}/approve`, fields);
    const { body } = await bank.control('GET', '/sandbox/consents');
    expect(body.consents[0].accounts.map((each: { bban: string }) => each.bban)).toEqual([
      '09232911044',
      '70323119469',
    ]);
    const { text } = await client.get(`/console/people/${psu}`);
    expect(text).toContain('/consents/');
    const revoked = await submit('/console/consents', `/consents/${body.consents[0].consentId}/revoke`);
    expect(revoked.text).toContain('has revoked the consent of');
    expect(revoked.text).toContain('No TPP may read an account.');
    expect((await client.get('/console/consents?which=all')).text).toContain('ended');
  });
});

test('S11: a payment says beside its status what was short, at which attempt, and when the next one is', async () => {
  const amount = { instructedAmount: { amount: '99999.00', currency: 'NOK' } };
  const paymentId = await pay(bank, singlePath, singlePayment({ ...amount, requestedExecutionDate: '2027-03-30' }));
  const read = async (): Promise<string> =>
    (await client.get(`/console/payments/${encodeURIComponent(paymentId)}`)).text;
  await bank.advance({ to: '2027-03-30T05:30:00+02:00' });
  const short = String.raw`[\d,.]+ NOK short at the`;
  const next = 'next attempt: run of Tue 30 Mar, 09:30';
  expect(await read()).toMatch(
    new RegExp(`ACCP[^]*<strong class="cause"><bdi>${short} first attempt, run of Tue 30 Mar, 05:30; ${next}<`),
  );
  await bank.advance({ runs: 4 });
  const over = await read();
  expect(over).toMatch(
    new RegExp(`RJCT[^]*<strong class="cause"><bdi>${short} fifth attempt, run of Tue 30 Mar, 15:30<`),
  );
  expect([...over.matchAll(new RegExp(`data-head="Why"[^>]*>\\s*<div[^>]*><bdi>${short}`, 'g'))]).toHaveLength(5);
});

describe('people', () => {
  test('a PSU that acts for a company shows what it may do there', async () => {
    const { text } = await client.get('/console/people/17818050100');
    for (const word of ['To Nøkler AS', '34330000017', 'VIEW', 'REGISTER']) expect(text).toContain(word);
  });

  test('what is available to a PSU is the sum of its accounts in NOK', async () => {
    const { text } = await client.get('/console/people');
    const cells = text.matchAll(/data-head="Available"[^>]*>\s*<div[^>]*>(?:<span[^>]*>)?([^<]*)/g);
    const available = [...cells].map(([, sum = '']) => sum.replace(/\s/, ' '));
    // Of the first two each has an account in EUR too; the next two have none.
    expect(available.slice(0, 4)).toEqual(['43,000.00 NOK', '124,604.00 NOK', '', '']);
  });

  test('the agreements are those of companies', async () => {
    expect((await client.get('/console/agreements')).text).not.toContain('Test Testperson 3');
  });

  test.each(['/console/people/1', '/console/sca/x'])('%s is 404, in words', async (path) => {
    const { status, text } = await client.get(path);
    expect([status, text]).toEqual([404, expect.stringContaining('It is not here')]);
  });

  test.each(['-1', 'x', '1.5', '9999999999'])('offset=%s is 400', async (offset) => {
    expect((await client.get(`/console/people?offset=${offset}`)).status).toBe(400);
  });

  test.each(['people?name=nobody&offset=50', 'payments?account=34330000017&status=RJCT&offset=50'])(
    '%s has no rows, and does not say which it shows',
    async (list) => {
      const { status, text } = await client.get(`/console/${list}`);
      expect([status, text]).toEqual([200, expect.not.stringContaining('of 0')]);
    },
  );
});

describe('snapshots and banks', () => {
  test('a snapshot is kept, gone back to and removed; a reset goes back to the known state', async () => {
    const page = '/console/snapshots';
    expect((await submit(page, '/snapshots', { name: 'one' })).text).toContain('is kept as one.');
    await bank.advance({ by: 'P1D' });
    const asking = await client.get('/console/snapshots/one/restore');
    expect(asking.text).toContain('<h1>Go back to one?</h1>');
    expect(asking.text).toContain('The bank is at Thu 25 Mar 2027, 12:00 and has no payments. It goes back to');
    expect((await client.get('/console/snapshots/two/restore')).status).toBe(404);
    expect((await client.get(page)).text).not.toMatch(/action="[^"]*(restore|reset)"/);
    expect((await submit('/console/snapshots/one/restore', '/snapshots/one/restore')).text).toContain(
      'The bank is back at one, Wed 24 Mar 2027, 12:00',
    );
    const refused = await submit(page, '/snapshots', { name: 'a b' });
    expect(refused.text).toContain('The name &quot;a b&quot; is none for a snapshot');
    expect(refused.text).toContain('value="a b"');
    expect((await submit(page, '/snapshots/one/remove')).text).toContain('The snapshot one is gone.');
    expect((await submit('/console/reset', '/reset')).text).toContain('The bank is back at known-state');
  });

  test('a bank is made, has a console of its own that leads back, and is removed', async () => {
    const made = await submit('/console/banks', '/banks', { name: 'ci-9', now: '2028-02-29', mode: 'frozen' });
    expect(made.text).toContain('The bank ci-9 is there, at Tue 29 Feb 2028, 00:00.');
    expect(made.text).toContain('href="../banks/ci-9/console"');
    const own = await client.get('/banks/ci-9/console/banks');
    expect([own.status, own.text]).toEqual([200, expect.stringContaining('href="../../../console/banks"')]);
    expect((await submit('/console/banks', '/banks', { name: 'ci-9' })).text).toContain('There is a bank ci-9 already');
    expect((await submit('/console/banks', '/banks/ci-9/remove')).text).toContain('The bank ci-9 is gone.');
    expect((await client.get('/banks/ci-9/console')).status).toBe(404);
  });
});

test('each page leads to the check of the books', async () => {
  expect((await client.get('/console')).text).toMatch(/class="books" href="[^"]*console\/proof"/);
  expect((await client.get('/console/proof')).text).toContain('The books are right');
});

test('the form of a payment has another amount once it was paid, so that nothing is refused as a duplicate', async () => {
  const page = '/console/pay';
  for (const _time of [1, 2, 3]) {
    const shown = await client.get(page);
    const value = (name: string) =>
      new RegExp(`id="form-pay-from-${name}" [^>]*value="([^"]*)"`).exec(shown.text)?.[1] ?? '';
    const [, from = ''] = /<option value="([^"]*)" selected/.exec(shown.text) ?? [];
    const entered = { from, to: value('to'), amount: value('amount'), creditorName: value('creditorName') };
    const carried = { 'form-token': hidden(shown, 'form-token'), 'came-from': '/pay' };
    expect((await client.post(page, { ...carried, ...entered })).headers.location).toMatch(/\/sca\//);
  }
});

test('A7e: a consent says when it ends and when it was used, and leads to the page of access, as its person does', async () => {
  const { body: made } = await bank.control('POST', '/sandbox/consents', { tpp: 'wish', psu });
  const { text } = await client.get('/console/consents');
  expect(text).toMatch(/never used/);
  expect(text).toMatch(/data-head="Ends"[^]{0,60}Mon 20 Sep/);
  const form = `/people/${psu}/access`;
  const carried = { 'form-token': hidden({ text } as Answered, 'form-token'), 'came-from': '/consents' };
  const { headers } = await client.post(`/console${form}`, carried);
  const { address } = (await bank.control('GET', `/sandbox/access/${psu}`)).body;
  expect([headers.location, (await fetch(address)).status]).toEqual([address, 200]);
  expect((await client.get(`/console/people/${psu}`)).text).toContain(address);
  await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': made.psuId } });
});

test('C16: only the quirks that are on, and their switches alone are saved', async () => {
  expect((await client.get('/console/quirks')).text).not.toContain('Only those on');
  await bank.quirks({ 'plain-json': true, 'strict-signing': true });
  const { text } = await client.get('/console/quirks?show=on');
  expect([...text.matchAll(/role="switch"\s+name="([^"]+)"/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['plain-json', 'strict-signing']),
  );
  expect(text.match(/role="switch"/g)).toHaveLength(2);
  await submit('/console/quirks?show=on', '/quirks', { was: 'plain-json,strict-signing', 'plain-json': 'on' });
  expect(Object.keys((await bank.control('GET', '/sandbox/quirks')).body.quirks)).toEqual(['plain-json']);
  await bank.quirks({ 'plain-json': false });
});
