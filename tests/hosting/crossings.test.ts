import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { bankCalls } from '../../api/control/bank-calls.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { connectBank } from '../../api/harness/index.ts';
import { ConsoleClient } from '../console/console-client.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { crossTenants } from '../lab/crossings.ts';
import type { TestBank } from '../lab/server.ts';
import { isWhole, sameSample, sample } from '../support/sample.ts';
import { as, certified, clock, host, hostToken, make, signedStatus, startHost } from './credentials.ts';

/* docs/spec/control-plane.md H: what one bank has given opens nothing in another. */

let server: TestBank;
startHost((started) => (server = started));

test(
  'the credentials of one bank open nothing in another: some of the matrix; npm run soak -- hosted has all',
  async () => {
    let lists = 0;
    const some = <Item>(calls: readonly Item[]) => sample(`crossings ${(lists += 1)}`, calls, 12);
    const { calls, wrong } = await crossTenants(server.address, hostToken, isWhole ? undefined : some);
    expect({ wrong, sameSample }).toEqual({ wrong: [], sameSample });
    const listed = [...Object.keys(bankCalls), ...ofEveryBank.map(({ method, path }) => `${method} ${path}`)].map(
      (call) => call.replace(' ', ' /sandbox').replaceAll(/:\w+/g, 'x'),
    );
    expect(listed.filter((call) => !calls.has(call))).toEqual([]);
  },
  isWhole ? 900_000 : 60_000,
);

test('a token that was replaced or taken back opens nothing, nor does its session; a bank made again has nothing of the one before', async () => {
  const token = await make(server, 'renewed');
  const other = await make(server, 'beside');
  const certificate = await certified(server, 'renewed', token);
  const client = new ConsoleClient(server.address);
  await client.post('/banks/renewed/console/session', { 'control-token': token });
  /** What each of the tokens, the session and the certificate open. */
  const opened = async (...tokens: readonly string[]) => [
    ...(await Promise.all(tokens.map((each) => clock(server, 'renewed', each)))),
    (await client.get('/banks/renewed/console')).status,
    await signedStatus(server, 'renewed', certificate),
  ];
  expect(await opened(token)).toEqual([200, 200, 200]);
  const { body } = await server.raw('POST', '/sandbox/banks/renewed/token', host);
  expect(await opened(token, body.token)).toEqual([401, 200, 401, 200]);
  await server.raw('DELETE', '/sandbox/banks/renewed/token', host);
  expect(await opened(token, body.token)).toEqual([401, 401, 401, 200]);
  await server.raw('DELETE', '/sandbox/banks/renewed', host);
  const again = await make(server, 'renewed');
  expect(await opened(token, body.token, again)).toEqual([401, 401, 200, 401, 401]);
  expect(await clock(server, 'beside', other)).toBe(200);
});

test('an id of one bank means as much in another as one that nobody has', async () => {
  const psu = '13039319955';
  const [token, otherToken] = [await make(server, 'of-ids'), await make(server, 'beside-ids')];
  const [bank, other] = [
    await connectBank(server.address, { name: 'of-ids', token }),
    await connectBank(server.address, { name: 'beside-ids', token: otherToken }),
  ];
  // Of one name in both banks.
  const [tpp, otherTpp] = [bank.tpp({ name: 'crossing' }), other.tpp({ name: 'crossing' })];
  const { headers } = await tpp.consent({ psu });
  const initiation = {
    headers: { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' },
    body: JSON.stringify(singlePayment()),
  };
  const made = await (await tpp.fetch(singlePath, { method: 'POST', ...initiation })).json();
  const { paymentId, _links: links } = made as unknown as {
    paymentId: string;
    _links: { scaRedirect: { href: string } };
  };
  const scaId = new URL(links.scaRedirect.href).pathname.split('/').at(-1) ?? '';
  expect((await bank.fetch(`/sca/${scaId}`)).status).toBe(200);
  const approval = JSON.stringify({ outcome: 'approve', psu, context: 'PRIVATE' });
  const [sca, payment] = [scaId, paymentId].map((id) => [id, id.replace(/^(enc!!)?.{8}/, '$1AAAAAAAA')]);
  for (const [[id, nobodys] = [], ask] of [
    [sca, (one: string) => other.fetch(`/sca/${one}`)],
    [sca, (one: string) => other.fetch(`/sca/${one}`, { method: 'POST' })],
    [
      sca,
      (one: string) => other.fetch(`/sandbox/sca/${one}`, { method: 'POST', headers: as(otherToken), body: approval }),
    ],
    [
      payment,
      (one: string) => other.fetch(`/sandbox/payments/${encodeURIComponent(one)}`, { headers: as(otherToken) }),
    ],
    [payment, (one: string) => otherTpp.fetch(`${singlePath}/${encodeURIComponent(one)}`)],
    [
      [headers['psu-id'], randomUUID()],
      (one: string) => otherTpp.fetch('/v1/accounts', { headers: { 'psu-id': one } }),
    ],
  ] as const) {
    /** The answer, without the id and what differs from page to page. */
    const told = async (one = ''): Promise<string> => {
      const answer = await ask(one);
      const ids = [encodeURIComponent(one), one, one.slice(0, 20)];
      const text = ids.reduce((all, each) => all.replaceAll(each, 'ID'), await answer.text());
      return `${answer.status} ${text.replaceAll(/requests\/[\w-]+/g, 'requests/ID')}`;
    };
    const found = await told(id);
    expect(found).toMatch(/^4/);
    expect(found).toBe(await told(nobodys));
  }
});
