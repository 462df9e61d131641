import { randomUUID, verify, X509Certificate } from 'node:crypto';
import { keyIdOf, signHeaders } from '../signing/signature/sign-request.ts';
import { digestOf } from '../signing/signature/signed-text.ts';
import type { RequestToSign, SignRequest, SigningFetch, VerifyAnswer } from './types.ts';

export type {
  RequestToSign,
  SignedAnswer,
  SigningFetch,
  SigningFetchOptions,
  SignRequest,
  TppCredentials,
  VerifyAnswer,
} from './types.ts';

const replaced: readonly string[] = ['signature', 'tpp-signature-certificate'];

export const signRequest: SignRequest = ({ method, url, headers = {}, body, date = new Date(), ...tpp }) => {
  const given = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const kept = Object.fromEntries(given.filter(([name]) => !replaced.includes(name.toLowerCase())));
  // Only path and query are signed, so any origin will do.
  const { pathname, search } = new URL(url, 'http://bank.invalid');
  const signature = signHeaders({
    method,
    target: pathname + search,
    headers: kept,
    body: bytesOf(body),
    certificate: pemOf('certificate', tpp.certificate),
    key: pemOf('key', tpp.key),
    date: date.getTime(),
    requestId: randomUUID(),
    coverRequestTarget: tpp.signRequestTarget ?? false,
  });
  return { ...kept, ...signature };
};

/** An object would be signed as if there were no body. */
function bytesOf(body: RequestToSign['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  const bytes = body ?? new Uint8Array();
  if (ArrayBuffer.isView(bytes)) return bytes;
  throw new Error('The body is neither a text nor a Uint8Array: sign the text of the JSON that you send.');
}

/** Checks a PEM text first, because errors of node:crypto name neither the certificate nor the key. */
function pemOf(what: string, text: string): string {
  if (typeof text === 'string' && text.includes('-----BEGIN ')) return text;
  throw new Error(
    `The ${what} is no PEM: expected a text with -----BEGIN ${what === 'key' ? 'PRIVATE KEY' : 'CERTIFICATE'}-----.`,
  );
}

export const signingFetch: SigningFetch = ({ base, ...tpp }) => {
  return async (input, init) => {
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new Request(isPath && base !== undefined ? base.replace(/\/$/, '') + input : input, init);
    const { method, url, headers } = request;
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    // The headers of a Request are already in lower case.
    const signed = signRequest({ ...tpp, method, url, headers, body });
    return fetch(new Request(request, { headers: signed, ...(body !== null && { body }) }));
  };
};

/** What a signature of an answer must cover. */
const mustCover = ['(status)', 'date', 'digest'];

export const verifyAnswer: VerifyAnswer = ({ status, headers, body }, { certificate, now = new Date() }) => {
  const given = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
  const [signature, sent] = [values.get('signature'), values.get('aspsp-signature-certificate')];
  if (signature === undefined) throw new Error('The answer is not signed: it has no Signature.');
  const bank = new X509Certificate(pemOf('certificate', certificate));
  const all = [bank, ...(sent === undefined ? [] : [sentCertificate(sent)])];
  const old = all.find(({ validToDate }) => validToDate <= now);
  if (old !== undefined) throw new Error(`The certificate ${keyIdOf(old)} expired on ${old.validTo}.`);
  const early = all.find(({ validFromDate }) => validFromDate > now);
  if (early !== undefined) throw new Error(`The certificate ${keyIdOf(early)} is not valid before ${early.validFrom}.`);
  const parts = new Map(
    [...signature.matchAll(/(keyId|headers|signature)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const keyId = parts.get('keyId');
  if (keyId !== keyIdOf(bank)) throw new Error(`The keyId is ${keyId}, and the certificate is ${keyIdOf(bank)}.`);
  const names = (parts.get('headers') ?? '').split(' ');
  const open = mustCover.find((name) => !names.includes(name));
  if (open !== undefined) throw new Error(`The signature does not cover ${open}.`);
  const lost = names.find((name) => name !== '(status)' && !values.has(name));
  if (lost !== undefined) throw new Error(`The signature covers ${lost}, and the answer does not have it.`);
  const digest = digestOf(bytesOf(body), 'sha-256');
  if (values.get('digest') !== digest)
    throw new Error(`The Digest is ${values.get('digest')}, and the body has ${digest}.`);
  const string = names.map((name) => `${name}: ${name === '(status)' ? status : values.get(name)}`).join('\n');
  const isItsOwn = verify(
    'sha256',
    Buffer.from(string, 'latin1'),
    bank.publicKey,
    Buffer.from(parts.get('signature') ?? '', 'base64'),
  );
  if (!isItsOwn) throw new Error('The signature is not by the key of the certificate.');
};

function sentCertificate(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw new Error('The ASPSP-Signature-Certificate is no certificate: expected the base64 of its DER.');
  }
}
