import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { ServerOptions } from '../../api/hosting/server.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { bearer, hostToken, startTestBank, type TestBank, validCertificate } from '../lab/server.ts';

export { hostToken };

export const now = '2027-03-24T12:00:00+01:00';
export const host = bearer(hostToken);
export const json = { 'content-type': 'application/json' };
export const form = /^sbt_[\w-]{43}$/;

export const as = (token: string) => ({ ...bearer(token), ...json });

/**
 * The wall clock of a file's server. Two hours pass before each test, so that no rate and no lockout of the test before is left. One that stands moves
 * by `pass` alone, so that no pause of the machine lets a rate recover.
 */
function passingWall({ stands = false } = {}) {
  let passed = 0;
  const pass = (ms: number): void => void (passed += ms);
  beforeEach(() => pass(7_200_000));
  return { now: systemClock.now, monotonic: () => (stands ? 0 : systemClock.monotonic()) + passed, pass };
}

/** Starts a server with a control token for the tests of a file, hands it to `use`, and stops it in the end. Returns its wall clock. */
export function startHost(
  use: (server: TestBank) => void,
  { flags = [], stands = false, ...options }: ServerOptions & { flags?: readonly string[]; stands?: boolean } = {},
) {
  const wall = passingWall({ stands });
  let started: TestBank | null = null;
  beforeAll(async () => {
    started = await startTestBank(now, ['--control-token', hostToken, ...flags], { ...options, wall });
    use(started);
  });
  afterAll(() => started?.stop());
  return wall;
}

export async function make(server: TestBank, name: string, more: object = {}): Promise<string> {
  const body = Buffer.from(JSON.stringify({ now, mode: 'frozen', ...more }));
  const made = await server.raw('PUT', `/sandbox/banks/${name}`, as(hostToken), body);
  expect([made.status, made.body.token]).toEqual([201, expect.stringMatching(form)]);
  return made.body.token;
}

export const clock = async (server: TestBank, name: string, token: string) =>
  (await server.raw('GET', `/banks/${name}/sandbox/clock`, as(token))).status;

/** A certificate that a bank has issued. */
export async function certified(server: TestBank, name: string, token: string) {
  const made = await server.raw(
    'POST',
    `/banks/${name}/sandbox/certificates`,
    as(token),
    Buffer.from('{"name":"shop"}'),
  );
  return { ...validCertificate(), certificatePem: made.body.certificate, keyPem: made.body.key };
}

export const signedStatus = async (
  server: TestBank,
  name: string,
  certificate: ReturnType<typeof validCertificate>,
) => {
  const headers = { authorization: null, 'psu-id': null };
  return (await server.signed('GET', `/banks/${name}/v1/sandbox/customers`, { headers, certificate })).status;
};
