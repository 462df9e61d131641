import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { validCertificate } from '../lab/server.ts';

/** A request of the interface, as a TPP puts it together by hand: nothing of the bank's own signer is in it. */
export interface Parts {
  method: string;
  target: string;
  body: Buffer;
  /** In the order sent; those that are signed, besides Signature and TPP-Signature-Certificate. */
  headers: [name: string, value: string][];
  /** Names of headers="...". */
  names: string[];
  /** The text that is signed, of the parts as they are. */
  text: (parts: Parts) => string;
  /** The signature value over a text. */
  value: (text: string) => string;
  keyId: string;
  /** The whole Signature header, of its four parts. */
  signature: (parts: Parts, value: string) => string;
  certificate: string;
}

export const tpp = validCertificate({ organization: 'Test TPP, AS', serial: '7eaf114c0ffee1' });
export const key = createPrivateKey(tpp.keyPem);
export const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
export const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

export const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** A rightly signed initiation, signed at this moment. Each has its own amount, so that none is a repeat of another. */
export function rightParts(): Parts {
  amount += 1;
  const body = Buffer.from(
    JSON.stringify(singlePayment({ instructedAmount: { amount: `${amount}.50`, currency: 'NOK' } })),
  );
  const parts: Parts = {
    method: 'POST',
    target: `${singlePath}?allowLogicalDuplicate=true`,
    body,
    headers: [
      ['Date', new Date().toUTCString()],
      ['Digest', `SHA-256=${sha256(body).toString('base64')}`],
      ['X-Request-ID', randomUUID()],
      ['TPP-Redirect-URI', 'https://tpp.example/callback?state=abc'],
      ['X-PSU-IDENTITY', '13039319955'],
      ['PSU-Context', 'PRIVATE'],
      ['PSU-IP-Address', '192.0.2.10'],
      ['TPP-Session-ID', 'session-1'],
      ['Content-Type', 'application/json'],
    ],
    names: ['(request-target)', 'date', 'digest', 'x-request-id', 'tpp-redirect-uri'],
    text: (own) => own.names.map((name) => lineOf(own, name)).join('\n'),
    value: (text) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
    keyId: `SN=${tpp.serialHex},CA=${tpp.issuerDn}`,
    signature: (own, value) =>
      `keyId="${own.keyId}",algorithm="rsa-sha256",headers="${own.names.join(' ')}",signature="${value}"`,
    certificate: tpp.certificateBase64,
  };
  return parts;
}

let amount = 100;

export function header({ headers }: Parts, name: string): string {
  return headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? '';
}

export function setHeader(parts: Parts, name: string, value: string): void {
  for (const row of parts.headers) if (row[0].toLowerCase() === name.toLowerCase()) row[1] = value;
}

export function lineOf(parts: Parts, name: string): string {
  return `${name}: ${name === '(request-target)' ? `${parts.method.toLowerCase()} ${parts.target}` : header(parts, name)}`;
}

/** The headers to send, Signature and certificate included. A header `Signature` or `Authorization` of the parts stays as it is. */
export function signed(parts: Parts): [string, string][] {
  const value = parts.value(parts.text(parts));
  const has = (name: string): boolean => parts.headers.some(([one]) => one === name);
  return [
    ...parts.headers,
    ...(has('Signature') || has('Authorization')
      ? []
      : [['Signature', parts.signature(parts, value)] as [string, string]]),
    ['TPP-Signature-Certificate', parts.certificate],
  ];
}

export interface Verdict {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

/** Sends headers and body as they are. */
export function sendParts(address: string, parts: Parts): Promise<Verdict> {
  const url = new URL(address);
  const headers = [...signed(parts), ['Host', url.host], ['Content-Length', String(parts.body.length)]].flat();
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method: parts.method, path: parts.target, headers };
    const sent = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const answer = JSON.parse(text === '' ? '{}' : text) as { tppMessages?: { code: string; text: string }[] };
        const [first] = response.statusCode === 201 ? [] : (answer.tppMessages ?? []);
        resolve({ status: response.statusCode ?? 0, code: first?.code ?? '', text: first?.text ?? '' });
      });
    });
    sent.on('error', reject);
    sent.end(parts.body);
  });
}

/** One mistake: how it is made, the code of the refusal, and what its text has to say. */
export type Mistake = readonly [name: string, make: (parts: Parts) => void, code: string, says: string];

export const retext = (change: (text: string) => string) => (parts: Parts) => {
  const { text } = parts;
  parts.text = (own) => change(text(own));
};
export const signAs = (value: Parts['value']) => (parts: Parts) => {
  parts.value = value;
};
export const resign = (change: (signature: string) => string) => (parts: Parts) => {
  const { signature } = parts;
  parts.signature = (own, value) => change(signature(own, value));
};
export const rekey = (keyId: string) => (parts: Parts) => {
  parts.keyId = keyId;
};
/** Another body is hashed than the one that is sent. */
export const digestOf = (body: (sent: Buffer) => Buffer | string) => (parts: Parts) =>
  setHeader(parts, 'Digest', `SHA-256=${sha256(body(parts.body)).toString('base64')}`);
export const redigest = (change: (base64: string) => string) => (parts: Parts) =>
  setHeader(parts, 'Digest', change(header(parts, 'Digest').slice('SHA-256='.length)));
export const redate = (change: (date: Date) => string) => (parts: Parts) =>
  setHeader(parts, 'Date', change(new Date(header(parts, 'Date'))));
export const json = (sent: Buffer): unknown => JSON.parse(sent.toString());
export const oldDate = (parts: Parts, seconds: number): string =>
  new Date(Date.parse(header(parts, 'Date')) - seconds * 1000).toUTCString();
export const withValue = (name: string, change: (parts: Parts) => string) => (parts: Parts) => {
  const { text } = parts;
  parts.text = (own) => text(own).replace(lineOf(own, name), `${name}: ${change(own)}`);
};

export const wrong = 'SIGNATURE_INVALID';

let host = '';
/** Host of the bank that the mistakes are sent to. */
export function useHost(address: string): void {
  ({ host } = new URL(address));
}
export function hostOf(): string {
  return host;
}
