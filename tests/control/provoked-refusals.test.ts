import { randomUUID } from 'node:crypto';
import { testBank } from '../support/test-bank.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { statusesOf } from '../../api/faults/fault-response.ts';
import { endpoints } from '../../api/interface/index.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import { dump } from '../lab/rows.ts';
import { sample } from '../support/sample.ts';
import { validCertificate, type Reply } from '../lab/server.ts';
import { operationsOn, prepare, type Operation, type Prepared } from './carried-out.ts';
import { blocked, causesOn, revoked, serialOf, type Spoiled } from './real-refusals.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
let prepared: Prepared;
let operations: Operation[];
let causes: ReturnType<typeof causesOn>;
/** What each operation answered to each provoked code. */
const provoked = new Map<FaultCode, ReadonlyMap<Operation, object>>();
/** Those whose answer to each operation is looked at again. */
const lookedAt: readonly FaultCode[] = ['CONSENT_INVALID', 'CONSENT_EXPIRED', 'RESOURCE_EXPIRED', 'CONSENT_UNKNOWN'];

beforeAll(async () => {
  prepared = await prepare(bank);
  operations = operationsOn(prepared);
  causes = causesOn(prepared);
  await bank.control('POST', `/sandbox/certificates/${serialOf(blocked())}/block`);
  await bank.control('POST', `/sandbox/certificates/${serialOf(revoked())}/revoke`);
});

/** The call of an operation as the prepared PSU makes it, changed as told. */
async function send(operation: Operation, spoiled?: Spoiled): Promise<Reply> {
  const { method, target, body } = { ...operation, ...spoiled };
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const all: Record<string, string | null> = {
    'x-accept-fix': 'longer-names',
    'tpp-session-id': 'session-1',
    'tpp-redirect-uri': 'https://tpp.example/callback',
    'psu-ip-address': '192.0.2.10',
    'psu-id': prepared.psuId,
    ...(bytes.length > 0 && { 'content-type': 'application/json' }),
    ...spoiled?.headers,
  };
  const { 'x-request-id': requestId = randomUUID(), ...headers } = sentOf(all);
  const { certificatePem: certificate, keyPem: key } = spoiled?.certificate ?? validCertificate();
  const date = spoiled?.date ?? systemClock.now();
  const sign = () => signHeaders({ method, target, headers, body: bytes, certificate, key, date, requestId });
  const signature = spoiled === undefined ? signedBefore(String(bytes), sign) : sign();
  return bank.raw(method, target, sentOf({ ...headers, ...signature, ...spoiled?.after }), bytes);
}

const signatures = new Map<string, { readonly at: number; readonly signature: Record<string, string> }>();

/**
 * The signature of another call with this body, where there is one: it covers no address, and its Date is good for a minute.
 * Signing takes longer than the call.
 */
function signedBefore(body: string, sign: () => Record<string, string>): Record<string, string> {
  const now = systemClock.now();
  const kept = signatures.get(body);
  if (kept !== undefined && now - kept.at < 20_000) return kept.signature;
  const signature = sign();
  signatures.set(body, { at: now, signature });
  return signature;
}

function sentOf(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** All of an answer but its text: status, and of the first message category, code and path; the links with their verbs. */
function shapeOf({ status, body }: Reply): object {
  const { text, ...message } = body.tppMessages[0];
  expect(text).toBeDefined();
  const links = Object.entries<{ verbs: unknown }>(body._links ?? {}).map(([name, { verbs }]) => [name, verbs]);
  return { status, ...message, links };
}

/**
 * The operations that the bank itself refuses so, and one in sixteen of the others; of what refuses every operation, which is in
 * what they share, one in sixteen too. All of them under `SAMPLE=all`.
 */
function operationsFor(code: FaultCode): readonly Operation[] {
  if (lookedAt.includes(code)) return operations;
  const drawn = sample(code, operations, 16);
  const refused = operations.filter((operation) => (causes[code]?.(operation) ?? null) !== null);
  if (refused.length === operations.length) return drawn;
  return operations.filter((operation) => drawn.includes(operation) || refused.includes(operation));
}

const arm = (order: object): Promise<Reply> => bank.control('POST', '/sandbox/faults', order);
/** Everything in the ledger but the SCAs that refusals offer, and the time of the last write. */
const remains = async (): Promise<object> => {
  return { ...(await dump(bank.bank, ['clock_seen'])), sca: null };
};
const armed = async (): Promise<object[]> => (await bank.control('GET', '/sandbox/faults')).body.faults;
const isInformation = ({ name }: Operation): boolean => /^GET \/((card-)?accounts|agreements)/.test(name);

test('E6b: there is a call of every operation that the bank carries out', () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(operations.map(({ name }) => name))].sort()).toEqual(names.sort());
});

test.each(faultCodes)('E6b: %s on every operation, as the real one where there is a real one', async (code) => {
  const before = await remains();
  const tried = operationsFor(code);
  await arm({ code, times: tried.length });
  const answers = await Promise.all(tried.map(async (operation) => ({ operation, answer: await send(operation) })));
  // Each call would have been carried out, so that each was refused, and nothing of it remains.
  expect(await armed()).toEqual([]);
  expect(await remains()).toEqual(before);
  const shapes = new Map<Operation, object>();
  for (const { operation, answer } of answers) {
    expect([operation.name, answer.body.tppMessages]).toEqual([
      operation.name,
      [expect.objectContaining({ category: 'ERROR', code, text: expect.stringContaining('Provoked by POST') })],
    ]);
    expect(statusesOf(code).map(({ status }) => status)).toContain(answer.status);
    shapes.set(operation, shapeOf(answer));
  }
  provoked.set(code, shapes);
  const cause = causes[code];
  let real = 0;
  for (const [operation, shape] of shapes) {
    const spoiled = cause?.(operation) ?? null;
    if (spoiled === null) continue;
    let answer = await send(operation, spoiled);
    // The fifth read is one too many.
    for (let read = 0; code === 'ACCESS_EXCEEDED' && read < 4; read += 1) answer = await send(operation, spoiled);
    expect([operation.name, operation.target, answer.status >= 400 ? shapeOf(answer) : answer.status]).toEqual([
      operation.name,
      operation.target,
      shape,
    ]);
    real += 1;
  }
  expect(real > 0).toBe(cause !== undefined);
});

test.each<FaultCode>(['CONSENT_INVALID', 'CONSENT_EXPIRED'])(
  'E6b: %s carries scaRedirect where the real one does; without TPP-Redirect-URI that is HTTP_HEADER_REQUIRED there',
  async (code) => {
    for (const operation of operations) {
      const links = isInformation(operation) ? [['scaRedirect', ['GET']]] : [];
      expect([operation.name, provoked.get(code)?.get(operation)]).toEqual([
        operation.name,
        { status: 401, category: 'ERROR', code, links },
      ]);
      if (!isInformation(operation)) continue;
      const none = { 'tpp-redirect-uri': null };
      const real = await send(operation, { headers: { ...none, 'psu-id': null } });
      await arm({ code });
      const answer = shapeOf(await send(operation, { headers: none }));
      expect(answer).toEqual(shapeOf(real));
      expect(answer).toMatchObject({ status: 400, code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri' });
      expect(await armed()).toEqual([]);
    }
  },
);

test('E6b: a provoked scaRedirect leads to an SCA that gives access', async () => {
  const operation = operations.find(({ name }) => name === 'GET /accounts');
  if (operation === undefined) throw new Error('no operation');
  await arm({ code: 'CONSENT_EXPIRED' });
  const { href } = (await send(operation)).body._links.scaRedirect;
  expect((await bank.approve(href)).searchParams.get('psu-id')).toBe(prepared.psuId);
  expect((await send(operation)).status).toBe(200);
});

test.each<FaultCode>(['RESOURCE_EXPIRED', 'CONSENT_UNKNOWN'])(
  'E6b: %s is 403 wherever an id is in the path, of an account and a card account too, and 400 elsewhere',
  (code) => {
    for (const operation of operations) {
      const { name } = operation;
      const status = /\/:(?!product)/.test(name) ? 403 : 400;
      expect([name, provoked.get(code)?.get(operation)]).toEqual([name, expect.objectContaining({ status, code })]);
    }
  },
);

// Last: the clock moves on.
test('E6b: what time causes is the same too: a basket that expired, a last SCA that is too old', async () => {
  const compare = async (code: FaultCode, names: RegExp): Promise<number> => {
    const compared = operations.filter(({ name }) => names.test(name));
    for (const operation of compared) {
      const real = shapeOf(await send(operation));
      expect([operation.name, real]).toEqual([operation.name, provoked.get(code)?.get(operation)]);
    }
    return compared.length;
  };
  await bank.advance({ by: 'P2D' });
  expect(await compare('RESOURCE_EXPIRED', /:basketId/)).toBe(2);
  await bank.advance({ by: 'P181D' });
  expect(await compare('CONSENT_EXPIRED', /^GET \/(card-)?accounts/)).toBe(9);
});
