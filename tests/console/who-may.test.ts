import { describe, expect, test } from '@jest/globals';
import { EventClient } from '../lab/event-client.ts';
import { type TestBank } from '../lab/server.ts';
import { ConsoleClient, hidden, send } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00+01:00';
const token = 'a-token-of-the-server';
const mode = '/console/clock/mode';
const open = testBank(now);
const guarded = testBank(now, ['--control-token', token]);

/** A client with a session, and the token of its forms. */
async function visit(bank: TestBank): Promise<{ client: ConsoleClient; formToken: string }> {
  const client = new ConsoleClient(bank.address);
  if (bank === guarded) await client.post('/console/session', { 'control-token': token });
  return { client, formToken: hidden(await client.get('/console'), 'form-token') };
}

const modeOf = async (bank: TestBank) => {
  const headers = bank === guarded ? { authorization: `Bearer ${token}` } : {};
  return (await bank.raw('GET', '/sandbox/clock', headers)).body.mode;
};

describe('without a control token', () => {
  test('the first visit gets a session: a cookie that no script reads and no other site sends', async () => {
    const { headers, text } = await new ConsoleClient(open.address).get('/console');
    const { port } = new URL(open.address);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^sandbank-console${port}=[\\w-]{32}; Path=/; HttpOnly; SameSite=Strict$`)),
    ]);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';base-uri 'none';style-src(?: 'sha256-[^']+')+;script-src 'self';connect-src 'self';img-src data:;form-action 'self';frame-ancestors 'none'$/,
    );
    expect(text).toContain('<h1>A sandbox bank for open banking</h1>');
  });

  test.each<[string, (client: ConsoleClient, formToken: string) => Promise<{ status: number }>, number]>([
    ['its form', (client, formToken) => client.post(mode, { 'form-token': formToken, mode: 'running' }), 303],
    ['its form without its token', (client) => client.post(mode, { mode: 'running' }), 403],
    [
      'its form with a token of another session',
      async (client) => client.post(mode, { 'form-token': (await visit(open)).formToken, mode: 'running' }),
      403,
    ],
    [
      'its form without a cookie',
      (_client, formToken) => new ConsoleClient(open.address).post(mode, { 'form-token': formToken, mode: 'running' }),
      403,
    ],
    [
      'its form from another origin',
      (client, formToken) =>
        client.post(mode, { 'form-token': formToken, mode: 'running' }, { origin: 'http://evil.example' }),
      403,
    ],
    [
      'its form to another host',
      (client, formToken) => client.post(mode, { 'form-token': formToken, mode: 'running' }, { host: 'evil.example' }),
      403,
    ],
    [
      'its form as JSON',
      (client, formToken) =>
        client.post(mode, { 'form-token': formToken, mode: 'running' }, { 'content-type': 'application/json' }),
      403,
    ],
    ['a view at another host', () => send(open.address, 'GET', '/console', { host: 'evil.example' }), 403],
    [
      'a view for a page of another origin',
      () => send(open.address, 'GET', '/console', { host: new URL(open.address).host, origin: 'http://evil.example' }),
      403,
    ],
    ['the script at another host', () => send(open.address, 'GET', '/console/live.js', { host: 'evil.example' }), 403],
    ['an action by GET', (client) => client.get(`${mode}?mode=running`), 404],
    ['a page that there is not', (client) => client.get('/console/nothing'), 404],
  ])('%s', async (_what, act, status) => {
    await open.control('PUT', '/sandbox/clock', { mode: 'frozen' });
    const { client, formToken } = await visit(open);
    expect((await act(client, formToken)).status).toBe(status);
    expect(await modeOf(open)).toBe(status === 303 ? 'running' : 'frozen');
  });
});

describe('with a control token', () => {
  test('the console asks for it once, and leads to the page that was asked for', async () => {
    const client = new ConsoleClient(guarded.address);
    const asked = await client.get('/console/payments?status=RCVD');
    expect([asked.status, asked.headers['set-cookie'], hidden(asked, 'to')]).toEqual([
      401,
      undefined,
      '/payments?status=RCVD',
    ]);
    expect(asked.text).not.toContain('Bank clock');
    const wrong = await client.post('/console/session', { 'control-token': `${token}x`, to: '/payments' });
    expect([wrong.status, wrong.headers['set-cookie'], hidden(wrong, 'to')]).toEqual([401, undefined, '/payments']);
    const right = await client.post('/console/session', { 'control-token': token, to: '/payments?status=RCVD' });
    expect([right.status, right.headers.location]).toEqual([303, '../console/payments?status=RCVD']);
    expect((await client.follow('/console/session', right)).text).toContain('<h1>Payments</h1>');
    expect(client.cookie).not.toContain(token);
  });

  test.each(['//evil.example', 'http://evil.example', '/\r\nx: y', '\\evil', ''])(
    'after it %j leads nowhere else',
    async (to) => {
      const answer = await new ConsoleClient(guarded.address).post('/console/session', { 'control-token': token, to });
      const { origin, pathname } = new URL(answer.headers.location ?? '', `${guarded.address}/console/session`);
      expect([answer.status, origin, pathname.startsWith('/console')]).toEqual([303, guarded.address, true]);
    },
  );

  test('the session reads the events, and nothing else of the control plane', async () => {
    const { client, formToken } = await visit(guarded);
    const events = await EventClient.open(guarded.address, undefined, { cookie: client.cookie });
    expect(events.answer.status).toBe(200);
    events.close();
    const host = new URL(guarded.address).host;
    const asked = async (method: string, path: string, cookie = client.cookie) =>
      (await send(guarded.address, method, path, { host, cookie, 'content-type': 'application/json' })).status;
    expect(await asked('GET', '/sandbox/clock')).toBe(401);
    expect(await asked('GET', '/sandbox/payments')).toBe(401);
    expect(await asked('POST', '/sandbox/events')).toBe(401);
    expect(await asked('POST', '/sandbox/reset')).toBe(401);
    expect(await asked('GET', '/sandbox/as/x/v1/accounts')).toBe(401);
    expect(await asked('GET', '/sandbox/events', '')).toBe(401);
    expect(await asked('GET', '/sandbox/events', `${client.cookie.split('=')[0]}=${'a'.repeat(32)}`)).toBe(401);
    expect(await asked('GET', '/console/forecast', `${client.cookie.split('=')[0]}=${token}`)).toBe(401);
    expect((await client.post(mode, { 'form-token': formToken, mode: 'running' })).status).toBe(303);
    expect(await modeOf(guarded)).toBe('running');
  });

  test('without a session no form does anything, whatever token it carries', async () => {
    await guarded.raw(
      'PUT',
      '/sandbox/clock',
      { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      Buffer.from('{"mode":"frozen"}'),
    );
    const { formToken } = await visit(guarded);
    const stranger = new ConsoleClient(guarded.address);
    expect((await stranger.post(mode, { 'form-token': formToken, mode: 'running' })).status).toBe(401);
    expect(await modeOf(guarded)).toBe('frozen');
  });
});

describe('what came of a form', () => {
  test('a refusal is told in the view that the form stood in, and what was entered is kept', async () => {
    const { client, formToken } = await visit(open);
    const sent = await client.post('/console/clock/advance', {
      'form-token': formToken,
      'came-from': '/forecast?to=2027-04-01',
      to: '2020-01-01',
    });
    const shown = await client.follow('/console/clock/advance', sent);
    expect([sent.status, shown.status]).toEqual([303, 200]);
    expect(shown.text).toContain('role="alert"');
    expect(shown.text).toContain('Forecast until Thu 1 Apr 2027, 00:00');
  });

  test('is shown by its id; another id shows nothing', async () => {
    const { client, formToken } = await visit(open);
    const { headers } = await client.post(mode, { 'form-token': formToken, mode: 'frozen' });
    const { pathname, search } = new URL(headers.location ?? '', `${open.address}${mode}`);
    expect((await client.get(pathname + search)).text).toContain('The clock is frozen');
    expect((await client.get(`${pathname}?note=nothing`)).text).not.toContain('The clock is frozen');
  });
});

describe('C20: the address of a bank', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each([
    [browser, 303],
    ['text/html', 303],
    ['*/*', 200],
    ['text/plain', 200],
    ['text/html;q=0.5, text/plain', 200],
  ])('Accept: %s', async (accept, status) => {
    const headers = { host: new URL(open.address).host, accept };
    const answer = await send(open.address, 'GET', '/', headers);
    expect(answer.status).toBe(status);
    if (status === 303) expect(new URL(answer.headers.location ?? '', open.address).pathname).toBe('/console');
    else expect(answer.text).toMatch(/^Sandbank: a sandbox of the open banking API/);
  });

  test.each(['/banks/demo', '/banks/demo/'])('%s of a named bank leads to its own console', async (path) => {
    await open.control('POST', '/sandbox/banks', { name: 'demo' });
    const answer = await send(open.address, 'GET', path, { host: new URL(open.address).host, accept: browser });
    expect(new URL(answer.headers.location ?? '', open.address + path).pathname).toBe('/banks/demo/console');
    const page = await send(open.address, 'GET', '/banks/demo/console', { host: new URL(open.address).host });
    expect(page.text).toContain('<bdi>demo</bdi>');
  });

  test.each([
    ['/console/', '/console'],
    ['/console//', '/console'],
    ['/console/payments/?status=RCVD', '/console/payments?status=RCVD'],
    ['/banks/demo/console/payments/', '/banks/demo/console/payments'],
  ])('%s is %s: addresses of a page are relative to one without a slash', async (path, kept) => {
    const answer = await send(open.address, 'GET', path, { host: new URL(open.address).host });
    const { pathname, search } = new URL(answer.headers.location ?? '', open.address + path);
    expect([answer.status, pathname + search]).toEqual([308, kept]);
  });
});
