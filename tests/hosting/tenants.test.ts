import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connectBank } from '../../api/harness/index.ts';
import { tokenKey } from '../../api/pipeline/control-token.ts';
import { startTestBank, type TestBank, validCertificate } from '../lab/server.ts';
import { ConsoleClient } from '../console/console-client.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { as, certified, clock, form, host, hostToken, make, now, signedStatus, startHost } from './credentials.ts';

/* docs/spec/control-plane.md H: each named bank of a server with a control token has its own token, CA and throw-away TPPs. */

describe('on a server with a control token', () => {
  let server: TestBank;
  const wall = startHost((started) => (server = started));

  test('a token is answered once, to the call that makes the bank or issues it', async () => {
    const token = await make(server, 'once');
    const again = await server.raw(
      'PUT',
      '/sandbox/banks/once',
      as(hostToken),
      Buffer.from(JSON.stringify({ now, mode: 'frozen' })),
    );
    expect([again.status, again.body.token]).toEqual([200, undefined]);
    const list = await server.raw('GET', '/sandbox/banks', host);
    const info = await server.raw('GET', '/banks/once/sandbox/info', as(token));
    expect(info.body.configuration).toMatchObject({ tppTrust: 'ca', controlTokenIsSet: true });
    expect(JSON.stringify([list.body, info.body])).not.toMatch(/sbt_|tokenKey/);
    const posted = await server.raw('POST', '/sandbox/banks', as(hostToken), Buffer.from('{"name":"posted"}'));
    expect(posted.body.token).toMatch(form);
  });

  test('C4: the token of another bank is a wrong one, at a bank that is not there too', async () => {
    const [mine, theirs] = [await make(server, 'mine'), await make(server, 'theirs')];
    expect(await clock(server, 'mine', mine)).toBe(200);
    for (let times = 0; times < 5; times += 1) {
      expect(await clock(server, 'mine', theirs)).toBe(401);
      expect(await clock(server, 'not-there', theirs)).toBe(401);
    }
    // A token that has passed from here still passes, where it opens; one that has not does not.
    expect([await clock(server, 'mine', mine), await clock(server, 'theirs', mine)]).toEqual([200, 429]);
    expect([await clock(server, 'theirs', theirs), await clock(server, 'not-there', hostToken)]).toEqual([429, 404]);
    wall.pass(60_000);
    expect([await clock(server, 'theirs', theirs), await clock(server, 'not-there', hostToken)]).toEqual([200, 404]);
  });

  test('the CA of a bank with the longest name has as much of it as a name in a certificate holds: 64 characters in all', async () => {
    const name = 'n'.repeat(63);
    const { certificatePem } = await certified(server, name, await make(server, name));
    expect(new X509Certificate(certificatePem).issuer).toContain(`CN=Sandbank CA ${'n'.repeat(52)}`);
    expect(new X509Certificate(certificatePem).issuer).not.toContain('n'.repeat(53));
  });

  test('no 404 lists banks', async () => {
    await make(server, 'unlisted');
    const answers = [
      await server.raw('GET', '/banks/not-there/sandbox/clock', host),
      await server.raw('DELETE', '/sandbox/banks/not-there', host),
      await server.raw('GET', '/banks/not-there/v1/users', host),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('unlisted');
  });

  test('event streams end when their token does', async () => {
    const token = await make(server, 'streamed');
    const stream = await fetch(`${server.address}/banks/streamed/sandbox/events`, { headers: as(token) });
    const told = stream.text();
    await server.raw('DELETE', '/sandbox/banks/streamed/token', host);
    await told;
    expect(await clock(server, 'streamed', token)).toBe(401);
  });

  test('a console asks for the token of its bank, whose session goes to that bank alone; the host may use all', async () => {
    const token = await make(server, 'shown');
    const client = new ConsoleClient(server.address);
    const page = await client.get('/banks/shown/console/forecast');
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('The bank shown asks for its token')]);
    const begun = await client.post('/banks/shown/console/session', { 'control-token': token, to: '/payments' });
    expect(begun.headers['set-cookie']).toEqual([expect.stringContaining('; Path=/banks/shown; HttpOnly')]);
    expect((await client.get('/banks/shown/console')).status).toBe(200);
    expect((await client.get('/banks/shown/console/scenarios')).text).toContain('Only the console at the root');
    const own = client.cookie;
    const ofHost = await client.post('/banks/shown/console/session', { 'control-token': hostToken });
    expect(ofHost.headers['set-cookie']).toEqual([expect.stringContaining('; Path=/; HttpOnly')]);
    expect((await client.get('/console')).status).toBe(200);
    // A browser sends the cookie of the bank first.
    client.cookie = `${own}; ${client.cookie}`;
    await server.raw('POST', '/sandbox/banks/shown/token', host);
    expect((await client.get('/banks/shown/console')).status).toBe(200);
  });

  test('the console of the host shows a new token once', async () => {
    const client = new ConsoleClient(server.address);
    await client.post('/console/session', { 'control-token': hostToken });
    const page = await client.get('/console/banks');
    const formToken = /name="form-token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const sent = await client.post('/console/banks', {
      'form-token': formToken,
      name: 'by-hand',
      'came-from': '/banks',
    });
    const [first, second] = [await client.follow('/console/banks', sent), await client.follow('/console/banks', sent)];
    const [token = ''] = /sbt_[\w-]{43}/.exec(first.text) ?? [];
    expect(await clock(server, 'by-hand', token)).toBe(200);
    expect([second.status, second.text.includes('sbt_')]).toEqual([200, false]);
  });

  test('the harness reaches a bank with its own token, and has its TPPs certified there', async () => {
    const token = await make(server, 'tested');
    const bank = await connectBank(server.address, { name: 'tested', token });
    const payment = await bank.tpp().pay({ amount: '1.00', from: '09232911044', to: '90491105991' });
    expect((await bank.payments(payment)).entries).toEqual([]);
    await expect(connectBank(server.address, { name: 'tested', token, now })).rejects.toThrow(
      'with the token of a bank',
    );
    await expect(connectBank(server.address, { name: 'untested', token })).rejects.toThrow('the token of this bank');
    const made = await connectBank(server.address, { name: 'made-by-host', token: hostToken, now });
    expect((await made.info()).configuration.tppTrust).toBe('ca');
  });

  test('commands make, replace and revoke tokens, and take the token of a bank', async () => {
    const said = async (...args: string[]) => {
      const { code, lines, errors } = await runMain([...args, '--port', new URL(server.address).port]);
      return [code, ...lines, ...errors].join('\n');
    };
    const ofHost = ['--control-token', hostToken];
    const made = await said('bank', 'create', 'commanded', ...ofHost);
    const [token = ''] = /sbt_[\w-]{43}/.exec(made) ?? [];
    expect(await said('snapshot', 'list', '--bank', 'commanded', '--control-token', token)).toMatch(
      /^0\nName .*\nseeded /,
    );
    const next = await said('bank', 'token', 'commanded', ...ofHost);
    expect(next).toMatch(/^0\nIts token, which nobody can ask for again: sbt_[\w-]{43}$/);
    expect(await said('snapshot', 'list', '--bank', 'commanded', '--control-token', token)).toMatch(
      /^1\n.*No bank of this name is open to you\. Give its token/,
    );
    expect(await said('bank', 'revoke', 'commanded', ...ofHost)).toBe('0\nRevoked the token of commanded.');
  });
});

test('SANDBANK_TPP_TRUST=any, as it is said, is that of every bank', async () => {
  const server = await startTestBank(now, ['--control-token', hostToken, '--tpp-trust', 'any']);
  await make(server, 'trusting');
  expect(await signedStatus(server, 'trusting', validCertificate())).toBe(200);
  await server.stop();
});

test('without a control token banks have no tokens', async () => {
  const server = await startTestBank(now);
  const made = await server.control('PUT', '/sandbox/banks/plain', {});
  expect([made.status, Object.keys(made.body)]).toEqual([201, expect.not.arrayContaining(['token'])]);
  expect((await server.control('POST', '/sandbox/banks/plain/token', {})).status).toBe(404);
  expect((await server.raw('GET', '/banks/plain/openapi.json')).status).toBe(200);
  expect((await server.control('GET', '/banks/nothing/sandbox/clock')).body.allowed).toEqual(['plain']);
  expect(await signedStatus(server, 'plain', validCertificate())).toBe(200);
  await server.stop();
});

describe('beside a ledger in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-tenants-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start = (...flags: string[]) => startTestBank(now, ['--banks', folder, ...flags]);
  const withToken = ['--control-token', hostToken];
  const file = (name: string) => join(folder, `${name}.credentials.json`);

  test('the credentials outlive a restart, for their owner alone, and are in no other file', async () => {
    let server = await start(...withToken);
    const [token, other] = [await make(server, 'kept'), await make(server, 'other')];
    const certificate = await certified(server, 'kept', token);
    await server.raw('POST', '/banks/kept/sandbox/snapshots', as(token), Buffer.from('{"name":"one"}'));
    const bundle = await fetch(`${server.address}/banks/kept/sandbox/bundle`, { headers: as(token) });
    const key = tokenKey(token);
    expect(Buffer.from(await bundle.arrayBuffer()).includes(key)).toBe(false);
    await server.stop();
    expect(statSync(file('kept')).mode & 0o777).toBe(0o600);
    expect(readFileSync(file('kept'), 'utf8')).toContain(key);
    const { keyPem } = (JSON.parse(readFileSync(file('kept'), 'utf8')) as { ca: { keyPem: string } }).ca;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name === 'kept.credentials.json') continue;
      const content = readFileSync(join(entry.parentPath, entry.name));
      for (const secret of [token, key, keyPem.slice(40, 80)])
        expect([entry.name, content.includes(secret)]).toEqual([entry.name, false]);
    }
    server = await start(...withToken);
    expect([await clock(server, 'kept', token), await clock(server, 'kept', other)]).toEqual([200, 401]);
    expect(await signedStatus(server, 'kept', certificate)).toBe(200);
    expect(await signedStatus(server, 'other', certificate)).toBe(401);
    await server.raw('DELETE', '/sandbox/banks/kept', host);
    expect(await clock(server, 'kept', hostToken)).toBe(404);
    const again = await make(server, 'kept');
    expect([await clock(server, 'kept', token), await clock(server, 'kept', again)]).toEqual([401, 200]);
    expect(await signedStatus(server, 'kept', certificate)).toBe(401);
    await server.stop();
  });

  test('a bank made before shares what opens the server, until it is issued a token', async () => {
    let server = await start();
    await server.control('PUT', '/sandbox/banks/before', {});
    await server.stop();
    server = await start(...withToken);
    const issued = await server.raw('POST', '/sandbox/certificates', as(hostToken), Buffer.from('{"name":"shop"}'));
    const ofServer = { ...validCertificate(), certificatePem: issued.body.certificate, keyPem: issued.body.key };
    expect([await clock(server, 'before', hostToken), await signedStatus(server, 'before', ofServer)]).toEqual([
      200, 200,
    ]);
    expect((await server.raw('DELETE', '/sandbox/banks/before/token', host)).status).toBe(200);
    expect(await signedStatus(server, 'before', ofServer)).toBe(200);
    const { body } = await server.raw('POST', '/sandbox/banks/before/token', host);
    expect([await clock(server, 'before', body.token), await signedStatus(server, 'before', ofServer)]).toEqual([
      200, 401,
    ]);
    expect(await signedStatus(server, 'before', await certified(server, 'before', body.token))).toBe(200);
    await server.stop();
  });

  test('a bank whose credentials cannot be read is refused alone, and to strangers it is not there', async () => {
    let server = await start(...withToken);
    const [token, other] = [await make(server, 'damaged'), await make(server, 'whole')];
    await server.stop();
    writeFileSync(file('damaged'), '{"tokenKey":"1","ca":null}');
    server = await start(...withToken);
    expect([await clock(server, 'damaged', token), await clock(server, 'damaged', hostToken)]).toEqual([401, 503]);
    expect(await clock(server, 'whole', other)).toBe(200);
    await server.stop();
  });
});
