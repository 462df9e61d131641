import { createHash, createPrivateKey } from 'node:crypto';
import { systemClock } from '../../../engine/time/clock.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { randomIds } from '../../../engine/bank/ids.ts';
import { generateKey, issueCertificate } from '../../signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../signing/signature/sign-request.ts';
import { signersOwn, testTppId, testTppName, usualHeaders } from '../../signing/test-tpp.ts';
import { bytesOf, headersOf, responseOf, type Send, sendMembers, targetIn } from '../connect.ts';
import { isPromise, membersGiven, textGiven, wrongGiven } from '../given.ts';
import type { SendingTpp } from './ask.ts';
import type { SendOptions, SignedHeaders, Spoil, Tpp, TppOptions } from '../types/index.ts';
import { Mistake } from '../../../engine/values/mistake.ts';
import { prepared } from '../../start/prepared.ts';

/** The part of a TPP that needs no data of the bank. */
type SigningTpp = Pick<Tpp, 'id' | 'name' | 'fetch' | 'sign' | 'credentials'> & SendingTpp;

/** Wide enough for a test that fakes the wall clock. */
const validity = { validFrom: Date.UTC(1950, 0, 1) as Instant, validTo: Date.UTC(2049, 11, 31) as Instant };

/** Gives the time of a signature. */
export type SigningClock = () => Promise<Instant>;

/** `Date` of the test, faked or not. */
export const testTime: SigningClock = () => Promise.resolve(systemClock.now());

const knownRoles = ['PSP_AI', 'PSP_PI'] as const;

interface Connection {
  readonly send: Send;
  readonly base: URL;
  readonly signedAt: SigningClock;
  /**
   * Whether only this process reaches the bank: its TPPs sign with keys that the package brings (control-plane.md
   * GA11).
   */
  readonly isAlone: boolean;
}

/** A TPP that signs. The same name is the same TPP in every bank. */
export function harnessTpp({ send, base, signedAt, isAlone }: Connection, options: TppOptions): SigningTpp {
  const { name, roles } = optionsGiven(options);
  const id = testTppId(name);
  const credentials = (): ReturnType<Tpp['credentials']> => credentialsOf({ id, name, roles, isAlone });
  const signed = async (address: string | URL, options: SendOptions): Promise<SignedHeaders> => {
    const { method = 'GET' } = options;
    const [target, body] = [targetIn(base, address), bytesOf(options)];
    const wanted = headersOf(usualHeaders(method, target, body), options);
    const own = signersOwn.find((header) => header in wanted);
    if (own !== undefined) {
      throw new Mistake(
        `A TPP sets the header ${own} itself. The option spoil of tpp.fetch and tpp.pay changes it after that; null leaves it out.`,
      );
    }
    const { 'x-request-id': requestId = randomIds.uuid(), ...headers } = wanted;
    const date = await signedAt();
    const leaveOut = nullHeaders(options);
    const request = { method, target, headers, body, date, requestId, leaveOut };
    const signature = signHeaders({ ...request, ...(await credentials()) });
    return { ...headers, ...signature } as SignedHeaders;
  };
  const sendSigned: SendingTpp['send'] = async (address, options = {}) => {
    membersGiven('tpp.fetch', [...sendMembers, 'spoil'], options);
    const headers = await signed(address, options);
    if (options.spoil !== undefined) spoilHeaders(headers, options.spoil);
    return send({
      method: options.method ?? 'GET',
      target: targetIn(base, address),
      headers,
      body: bytesOf(options),
    });
  };
  return {
    id,
    name,
    credentials,
    sign: async (address, options = {}) => {
      membersGiven('tpp.sign', sendMembers, options);
      return signed(address, options);
    },
    fetch: async (address, options) => responseOf(await sendSigned(address, options)),
    send: sendSigned,
  };
}

/** The name and the roles of a TPP. Throws a Mistake for a wrong one. */
function optionsGiven(options: TppOptions): { readonly name: string; readonly roles: TppOptions['roles'] } {
  if (typeof options === 'string') throw wrongGiven('bank.tpp', `{name, roles}, such as { name: 'shop' }`, options);
  membersGiven('bank.tpp', ['name', 'roles'], options);
  const { name = unnamed, roles } = options;
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => knownRoles.includes(role)))) {
    throw wrongGiven('bank.tpp', `a list of ${knownRoles.join(' and ')} in roles`, roles);
  }
  if (!testTppName.test(textGiven('bank.tpp', 'a name', name))) {
    throw new Mistake(`${JSON.stringify(name)} is no name for a TPP: use 1 to 60 letters, digits and hyphens.`);
  }
  return { name, roles };
}

/** A TPP with the part of it that decides on its certificate. */
interface Subject extends Pick<Connection, 'isAlone'> {
  readonly id: string;
  readonly name: string;
  readonly roles: TppOptions['roles'];
}

const issued = new Map<string, ReturnType<Tpp['credentials']>>();

/**
 * The certificate of a name and roles, issued once in this process: a test may ask each of its banks for the TPP again.
 */
function credentialsOf(subject: Subject): ReturnType<Tpp['credentials']> {
  const key = JSON.stringify(subject);
  const known = issued.get(key) ?? issue(subject);
  issued.set(key, known);
  return known;
}

async function issue(subject: Subject): ReturnType<Tpp['credentials']> {
  const key = await keyOf(subject);
  const isPrepared = subject.isAlone && subject.name === unnamed && subject.roles === undefined;
  const certificate = (isPrepared ? prepared?.ofTests.certificate : undefined) ?? certificateOf(subject, key);
  return { certificate, key };
}

/** The name of the TPP that a test does not name. */
export const unnamed = 'default';

/** Issues a certificate for a key, PKCS#8 in PEM. */
export function certificateOf({ id, name, roles }: Omit<Subject, 'isAlone'>, keyPem: string): string {
  // Not derived from the key, which certificates of other roles share.
  const serial = createHash('sha256')
    .update(`${name} ${String(roles)}`)
    .digest('hex')
    .slice(0, 16);
  const subject = { commonName: name, organization: `Test TPP ${name}`, organizationIdentifier: id };
  return issueCertificate({ ...subject, roles: roles ?? knownRoles, ...validity, serial, keyPem }).certificatePem;
}

/** Lets a test change the headers. Throws a Mistake if it changed none. */
function spoilHeaders(headers: SignedHeaders, spoil: Spoil): void {
  if (typeof spoil !== 'function') throw wrongGiven('tpp.fetch', 'a function in spoil', spoil);
  const before = JSON.stringify(headers);
  if (isPromise(spoil(headers)))
    throw new Mistake('spoil is async: the request would be sent before it has changed a header.');
  if (JSON.stringify(headers) !== before) return;
  throw new Mistake('spoil has changed no header: assign to a member of the headers that it gets.');
}

/** Lower-case names of the headers that are neither sent nor signed. */
function nullHeaders({ headers = {} }: SendOptions): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === null ? [name.toLowerCase()] : []));
}

const keys = new Map<string, Promise<string>>();

/** How many keys of the package named TPPs have taken. The first key belongs to the TPP without a name. */
let given = 0;

/**
 * The RSA key of the TPPs of that name in this process, PKCS#8 in PEM: one of the package, or made with the first
 * signature.
 */
function keyOf({ name, isAlone }: Subject): Promise<string> {
  const brought = (): string | undefined => prepared?.ofTests.keys[name === unnamed ? 0 : (given += 1)];
  const key = `${name} ${isAlone}`;
  const made = keys.get(key) ?? (isAlone ? keptOrMade(brought()) : generateKey());
  keys.set(key, made);
  return made;
}

async function keptOrMade(brought: string | undefined): Promise<string> {
  if (brought === undefined) return generateKey();
  const key = createPrivateKey({ key: Buffer.from(brought, 'base64'), format: 'der', type: 'pkcs8' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
