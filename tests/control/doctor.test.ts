import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { header, rightParts, sendParts, setHeader, signed, type Parts } from '../signing/hand-signed.ts';
import { compileCache } from '../support/kept.ts';
import { program } from '../support/program.ts';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

/** The parts as a file has them: line breaks of one character, no Content-Length, a line break at the end. */
function messageText(parts: Parts, target = parts.target): string {
  const lines = signed(parts).map(([name, value]) => `${name}: ${value}`);
  return [`${parts.method} ${target} HTTP/1.1`, ...lines, '', `${parts.body}\n`].join('\n');
}

function asked(text: string, at = ''): Promise<Reply> {
  return bank.raw('POST', `${at}/sandbox/doctor`, { 'content-type': 'message/http' }, Buffer.from(text, 'latin1'));
}

function askedAsJson(parts: Parts): Promise<Reply> {
  const { method, target, body } = parts;
  return bank.control('POST', '/sandbox/doctor', {
    method,
    target,
    headers: Object.fromEntries(signed(parts)),
    body: body.toString(),
  });
}

const hash = async (): Promise<string> => (await bank.control('GET', '/sandbox/ledger/hash')).body.hash;
const accepted = { verdict: 'accepted', status: null, code: null, finding: null, signing: null, answer: null };

function withNewline(): Parts {
  const parts = rightParts();
  const { text } = parts;
  parts.text = (own) => `${text(own)}\n`;
  return parts;
}

describe('POST /sandbox/doctor', () => {
  test('G12c: what the bank would carry out is told, and not carried out', async () => {
    const before = await hash();
    const parts = rightParts();
    expect((await asked(messageText(parts))).body).toEqual({ ...accepted, tpp: 'PSDNO-FSA-987654321' });
    expect((await askedAsJson(parts)).body).toEqual({ ...accepted, tpp: 'PSDNO-FSA-987654321' });
    expect(await hash()).toBe(before);
    expect(await sendParts(bank.address, parts)).toMatchObject({ status: 201 });
    expect(await hash()).not.toBe(before);
  });

  test('G12c: a refusal is the one that the bank gives, with both signing strings', async () => {
    const parts = withNewline();
    const right = parts.text(parts).slice(0, -1);
    for (const answer of [await asked(messageText(parts)), await askedAsJson(parts)]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        verdict: 'refused',
        tpp: null,
        status: 400,
        code: 'SIGNATURE_INVALID',
        finding:
          'The signature does not fit the request. Your signing string ends with a line break. Put none after the last line.',
        signing: {
          expected: right,
          received: `${right}\n`,
          difference: { line: 5, column: expect.any(Number), expected: '', received: '\n' },
        },
        answer: { tppMessages: [expect.objectContaining({ code: 'SIGNATURE_INVALID', path: 'signature' })] },
      });
    }
    const sent = await sendParts(bank.address, parts);
    // What is sent has the address of its journal entry too, which may cut the end off.
    const told = sent.text.replace(/…?\nSee http:\S+$/, '');
    expect(told).toContain('Put none after the last line');
    expect((await asked(messageText(parts))).body.answer.tppMessages[0].text).toContain(told);
  });

  test('G12c: checks after the signature count too: the signature is accepted, the request refused', async () => {
    const parts = rightParts();
    parts.body = Buffer.from('{"instructedAmount":{"amount":"-1","currency":"NOK"}}');
    setHeader(
      parts,
      'Digest',
      `SHA-256=${Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(parts.body))).toString('base64')}`,
    );
    const { body } = await asked(messageText(parts));
    expect(body).toMatchObject({
      verdict: 'accepted',
      tpp: 'PSDNO-FSA-987654321',
      status: 400,
      code: 'FORMAT_ERROR',
      signing: null,
    });
    expect(body.answer.tppMessages.length).toBeGreaterThan(1);
  });

  test('G12c: a path and a method that the bank does not have', async () => {
    const parts = rightParts();
    expect((await asked(messageText(parts, '/v1/nothing'))).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await asked(messageText(parts, '/elsewhere'))).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await asked(messageText({ ...parts, method: 'DELETE' }))).body).toMatchObject({
      status: 405,
      code: 'SERVICE_INVALID',
    });
  });

  test('G9: what the parser refuses is told as over the network', async () => {
    const pem = `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----`;
    const answer = await bank.control('POST', '/sandbox/doctor', {
      method: 'GET',
      target: '/v1/accounts',
      headers: { 'TPP-Signature-Certificate': pem },
    });
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'FORMAT_ERROR',
      finding: expect.stringContaining('Send the certificate as one line'),
    });
    const large = await asked(`GET /v1/accounts HTTP/1.1\nX-Note: ${'x'.repeat(20_000)}\n`);
    expect(large.body).toMatchObject({ status: 431, code: 'BAD_REQUEST' });
  });

  test('G12c, K17: a request without a body ends with a line break, or with a part of one', async () => {
    for (const end of ['', '\n', '\r\n', '\r', '\n\r']) {
      const { status, body } = await asked(`GET /v1/accounts HTTP/1.1${end}`);
      expect([end, status, body.code]).toEqual([end, 200, 'SIGNATURE_MISSING']);
    }
  });

  test('G12c: a body that is too large', async () => {
    const { body } = await asked(`POST /v1/consents HTTP/1.1\n\n${'x'.repeat(300_000)}`);
    expect(body).toMatchObject({ status: 413, code: 'BAD_REQUEST' });
  });

  test('G12c: a header sent twice, and CRLF, as they are on the wire', async () => {
    const parts = rightParts();
    const twice = messageText(parts).replace('\nDigest:', `\nDate: ${header(parts, 'Date')}\nDigest:`);
    expect((await asked(twice)).body.finding).toMatch(/date was sent 2 times/);
    const [head = '', ...rest] = messageText(parts).split('\n\n');
    const wire = `${head.replaceAll('\n', '\r\n')}\r\nContent-Length: ${parts.body.length}\r\n\r\n${rest.join('\n\n')}`;
    expect((await asked(wire)).body).toMatchObject({ verdict: 'accepted', status: null });
  });

  test('G12c: a named bank judges its own paths, with its name in front or without it', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'doctored' });
    const parts = rightParts();
    for (const target of [`/banks/doctored${parts.target}`, parts.target])
      expect((await asked(messageText(parts, target), '/banks/doctored')).body).toMatchObject({
        code: 'SIGNATURE_INVALID',
        finding: expect.stringContaining('without /banks/doctored, as behind a proxy'),
      });
    expect((await asked(messageText(parts, '/banks/other/v1/payments'), '/banks/doctored')).body.code).toBe(
      'NOT_FOUND',
    );
  });

  test.each([
    ['no request', 'hello', 'The first line is \\"hello\\". Expected method and target'],
    ['nothing', '', 'The first line is'],
    ['a method in small letters', 'get /v1/accounts HTTP/1.1\n\n', 'Expected method and target'],
    [
      'a body that is cut off',
      'POST /v1/consents HTTP/1.1\nContent-Length: 10\n\n{}',
      'Content-Length is 10, and the body has 2 bytes',
    ],
  ])('%s is a 400', async (_case, text, says) => {
    const answer = await asked(text);
    expect(answer).toMatchObject({ status: 400, body: { title: 'Bad Request', errors: [{ path: 'body' }] } });
    expect(JSON.stringify(answer.body)).toContain(says);
  });

  test.each([
    ['a wrong member', { method: 'GET', target: '/v1/accounts', headers: {}, verb: 'GET' }, 'verb'],
    ['no target', { method: 'GET', headers: {} }, 'target'],
    ['a method that is none', { method: 'get it', target: '/v1/accounts', headers: {} }, 'method'],
    ['a whole address', { method: 'GET', target: 'http://x/v1', headers: {} }, 'target'],
    ['a header that is no text', { method: 'GET', target: '/v1/accounts', headers: { Date: 1 } }, 'headers.Date'],
    [
      'a header that no client sends',
      { method: 'GET', target: '/v1/accounts', headers: { Date: 'Ж' } },
      'headers.Date',
    ],
    ['a body that is no text', { method: 'GET', target: '/v1/accounts', headers: {}, body: {} }, 'body'],
  ])('%s is a 400 that names %#', async (_case, body, path) => {
    const answer = await bank.control('POST', '/sandbox/doctor', body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [expect.objectContaining({ path })] } });
  });

  test('another type of content is a 415', async () => {
    const answer = await bank.raw('POST', '/sandbox/doctor', { 'content-type': 'text/plain' }, Buffer.from('x'));
    expect(answer).toMatchObject({ status: 415, body: { allowed: ['application/json', 'message/http'] } });
    const elsewhere = await bank.raw('POST', '/sandbox/reset', { 'content-type': 'message/http' }, Buffer.from('x'));
    expect(elsewhere).toMatchObject({ status: 415, body: { allowed: ['application/json'] } });
  });
});

describe('sandbank doctor', () => {
  const folder = tempFolder();
  const doctor = (...args: string[]): Promise<Ended> =>
    runMain(['doctor', '--port', new URL(bank.address).port, ...args]);

  function ofFile(text: string, ...args: string[]): Promise<Ended> {
    const file = join(folder, 'request.txt');
    writeFileSync(file, text, 'latin1');
    return doctor(file, ...args);
  }

  test('G12c: a request that is right ends in 0', async () => {
    const lines = ['The signature is right; the TPP is PSDNO-FSA-987654321.', 'The bank would carry the request out.'];
    expect(await ofFile(messageText(rightParts()))).toEqual({ code: 0, lines, errors: [] });
    const words = [program, 'doctor', '--port', new URL(bank.address).port];
    const marked = `\xef\xbb\xbf${messageText(rightParts())}`;
    expect(await ofFile(marked)).toEqual({ code: 0, lines, errors: [] });
    const alone = promisify(execFile)(process.execPath, words, { env: compileCache });
    alone.child.stdin?.end(Buffer.from(messageText(rightParts()), 'latin1'));
    expect(await alone).toEqual({ stdout: `${lines.join('\n')}\n`, stderr: '' });
  });

  test('G12c: a wrong one ends in 1, with both strings and where they first differ', async () => {
    const parts = rightParts();
    const { text } = parts;
    parts.text = (own) => text(own).replace('post ', 'POST ');
    const { code, lines } = await ofFile(messageText(parts));
    expect(code).toBe(1);
    const right = parts.text(parts).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      '400 SIGNATURE_INVALID',
      expect.stringContaining('Your signing string has the method in capitals.'),
    ]);
    const told = lines.join('\n');
    expect(told).toContain(`  signing.received\n    ${right[0]}\n    ${right[1]}\n`);
    expect(told).toMatch(
      /signing.difference\n {4}line 1, column 19\n {4}the bank has: post [^]*\n {4}signed was: {3}POST /,
    );
  });

  test('--json prints the answer; a file that is not there is a wrong command', async () => {
    expect(JSON.parse((await ofFile(messageText(withNewline()), '--json')).lines.join('\n'))).toMatchObject({
      code: 'SIGNATURE_INVALID',
    });
    expect(await doctor('no-such-file.txt')).toMatchObject({
      code: 2,
      errors: [expect.stringContaining('no-such-file.txt cannot be read: there is no such file')],
    });
    expect(await ofFile('hello')).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('refused (400): The first line')],
    });
  });
});
