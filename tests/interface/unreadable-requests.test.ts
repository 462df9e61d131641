import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { answerUnreadable } from '../../api/hosting/unreadable-request.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { withCurl } from '../support/test-with.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

const portOf = (address: string) => Number(new URL(address).port);

/** Everything that a server answers on one connection, until it closes it. */
function received(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    for (const chunk of chunks) socket.write(chunk);
  });
}

function parsed(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  return { line, headers: headers.map((header) => header.toLowerCase()), body: JSON.parse(body) };
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`;
const get = 'GET /v1/accounts HTTP/1.1';

describe('G9: what the HTTP parser refuses is answered with tppMessages', () => {
  const pem = validCertificate().certificatePem;
  test.each([
    [
      'a PEM',
      head(get, `TPP-Signature-Certificate: ${pem}`),
      '400 Bad Request',
      'FORMAT_ERROR',
      'certificate as one line',
    ],
    [
      'a PEM with CRLF',
      head(get, `TPP-Signature-Certificate: ${pem.replaceAll('\n', '\r\n')}`),
      '400 Bad Request',
      'FORMAT_ERROR',
      'certificate as one line',
    ],
    ['a folded header', head(get, 'X-Note: a\r\n b'), '400 Bad Request', 'FORMAT_ERROR', 'Each header is one line'],
    ['a control character', head(get, 'X-Note: a\u0001b'), '400 Bad Request', 'FORMAT_ERROR', 'control characters'],
    [
      'headers of 20 KB',
      head(get, `X-Note: ${'a'.repeat(20_000)}`),
      '431 Request Header Fields Too Large',
      'BAD_REQUEST',
      '16 KB',
    ],
    ['no HTTP', 'hello world\r\n\r\n', '400 Bad Request', 'BAD_REQUEST', 'HTTP/1.1'],
    ['a blank in the path', head('GET /v1/a b HTTP/1.1'), '400 Bad Request', 'BAD_REQUEST', 'HTTP/1.1'],
    ['another version', head('GET /v1/accounts HTTP/3.7'), '400 Bad Request', 'BAD_REQUEST', 'HTTP/1.1'],
    [
      'two lengths',
      head('POST /v1/x HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6'),
      '400 Bad Request',
      'BAD_REQUEST',
      'Content-Length',
    ],
    [
      'a length and chunks',
      head('POST /v1/x HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      '400 Bad Request',
      'BAD_REQUEST',
      'Transfer-Encoding',
    ],
    [
      'a chunk without a size',
      `${head('POST /v1/signing-baskets HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`,
      '400 Bad Request',
      'BAD_REQUEST',
      'chunk size',
    ],
    [
      'bytes that begin a TLS connection',
      Buffer.from('1603010200010001fc0303', 'hex'),
      '400 Bad Request',
      'BAD_REQUEST',
      'http, not https',
    ],
  ])('%s', async (_what, sent, status, code, says) => {
    const { line, headers, body } = parsed(await received(portOf(bank.address), sent));
    expect(line).toBe(`HTTP/1.1 ${status}`);
    expect(headers).toEqual(
      expect.arrayContaining(['connection: close', 'content-type: application/json; charset=utf-8']),
    );
    expect(body.tppMessages).toEqual([expect.objectContaining({ category: 'ERROR', code })]);
    expect(body.tppMessages[0].text).toContain(says);
    expect(body.tppMessages[0].text.length).toBeLessThanOrEqual(512);
  });

  test('a PEM names the header', async () => {
    const { body } = parsed(await received(portOf(bank.address), head(get, `TPP-Signature-Certificate: ${pem}`)));
    expect(body.tppMessages[0].path).toBe('tpp-signature-certificate');
  });

  test.each(['/sandbox/info', '/banks/one/sandbox/info', '/sandbox?x'])(
    'the control plane (%s): a problem',
    async (path) => {
      const { headers, body } = parsed(
        await received(portOf(bank.address), head(`GET ${path} HTTP/1.1`, 'X-Note: a\r\n b')),
      );
      expect(headers).toContain('content-type: application/problem+json');
      expect(body).toMatchObject({ status: 400, code: 'FORMAT_ERROR', detail: expect.stringContaining('one line') });
    },
  );

  test('behind a good request: that one is answered first, each with its own status', async () => {
    const answers = await received(portOf(bank.address), `${head('GET /sandbox/clock HTTP/1.1')}garbage\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('the bank goes on', async () => {
    expect((await bank.raw('GET', '/health')).status).toBe(200);
  });
});

describe('a request of HTTP/1.1 without a Host header', () => {
  const without = (path: string) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`;

  test('under /v1 it passes through the checks as any other', async () => {
    const { line, body } = parsed(await received(portOf(bank.address), without('/v1/accounts')));
    expect([line, body.tppMessages[0].code]).toEqual(['HTTP/1.1 400 Bad Request', 'SIGNATURE_MISSING']);
  });

  test('signed, it is served, and its SCA link leads to the address of the server', async () => {
    const certificate = validCertificate();
    const headers = {
      'TPP-Redirect-URI': 'https://tpp.example/callback',
      'X-PSU-IDENTITY': '13039319955',
      'PSU-Context': 'PRIVATE',
      'X-Accept-Fix': 'longer-names',
      'TPP-Session-ID': 'session-1',
      'PSU-IP-Address': '192.0.2.10',
    };
    const added = signHeaders({
      method: 'POST',
      target: '/v1/bank-offered-consents',
      headers,
      body: new Uint8Array(),
      certificate: certificate.certificatePem,
      key: certificate.keyPem,
      date: systemClock.now(),
      requestId: randomUUID(),
    });
    const lines = Object.entries({ ...headers, ...added }).map(([name, value]) => `${name}: ${value}`);
    const request = ['POST /v1/bank-offered-consents HTTP/1.1', ...lines, 'Connection: close'].join('\r\n');
    const { line, body } = parsed(await received(portOf(bank.address), `${request}\r\n\r\n`));
    expect(line).toBe('HTTP/1.1 201 Created');
    expect(body._links.scaRedirect.href).toMatch(new RegExp(`^${bank.address}/sca/`));
  });

  test('under /sandbox a problem says what to send', async () => {
    const { line, body } = parsed(await received(portOf(bank.address), without('/sandbox/clock')));
    expect(line).toBe('HTTP/1.1 403 Forbidden');
    expect(body.detail).toContain('names no host');
    expect(body.allowed).toContain('localhost');
  });

  test('under /sca a page says so', async () => {
    const answer = await received(portOf(bank.address), without('/sca/nothing'));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('names no host');
  });
});

withCurl('G9: curl with a PEM in a header, as everybody tries first, reads what to do instead', async () => {
  const header = `TPP-Signature-Certificate: ${validCertificate().certificatePem}`;
  const { stdout } = await promisify(execFile)('curl', ['-s', '-H', header, `${bank.address}/v1/accounts`]);
  expect(JSON.parse(stdout).tppMessages[0].text).toContain('certificate as one line');
});

test('https to the port: the client learns that it is no TLS, the bank goes on', async () => {
  const failed = new Promise<Error>((resolve) => {
    connectTls({ port: portOf(bank.address), host: '127.0.0.1', rejectUnauthorized: false }).once('error', resolve);
  });
  expect((await failed).message).toMatch(/packet length|wrong version|disconnected|EPROTO/);
  expect((await bank.raw('GET', '/health')).status).toBe(200);
});

describe('in the server itself', () => {
  const lines: Record<string, unknown>[] = [];
  const open = new Set<ServerResponse>();
  let server: Server;
  /** How often the place for refused requests was asked for. */
  let asked = 0;
  beforeAll(async () => {
    server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 50 }, (request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      if (request.url === '/slow') setTimeout(() => response.end('slow answer'), 200);
      else response.write('half of ');
    });
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const journalOf = (): null => {
      asked += 1;
      return null;
    };
    answerUnreadable(server, open, log).keepIn({ journalOf, address: () => '' });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = () => (server.address() as AddressInfo).port;

  test('G9: one log line each, with code, status and reason', async () => {
    lines.length = 0;
    await received(port(), head('GET /secret HTTP/1.1', 'X-Note: a\r\n b'));
    const reason = expect.stringContaining('whitespace');
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'unreadable request', code: 'FORMAT_ERROR', status: 400, reason }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('G9: headers that do not come in time: 408, though no packet is told', async () => {
    const { line, body } = parsed(await received(port(), 'GET / HTTP/1.1\r\nHost:'));
    expect([line, body.tppMessages[0].code]).toEqual(['HTTP/1.1 408 Request Timeout', 'BAD_REQUEST']);
  });

  test('a connection on which nothing came in time: 408, and neither the log nor the journal tells of it', async () => {
    lines.length = 0;
    const before = asked;
    const { line } = parsed(await received(port(), ''));
    expect([line, lines, asked]).toEqual(['HTTP/1.1 408 Request Timeout', [], before]);
  });

  test('a slow answer to the request before is waited for, and not cut in two', async () => {
    const answers = await received(port(), `${head('GET /slow HTTP/1.1')}garbage\r\n\r\n`);
    expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*slow answerHTTP\/1\.1 400 Bad Request\r\n/);
  });

  test('an answer that has begun while its request breaks off is cut off: nothing follows it', async () => {
    const answers = await received(
      port(),
      `${head('POST /half HTTP/1.1', 'Transfer-Encoding: chunked')}`,
      await later('zz\r\n'),
    );
    expect(answers).toContain('half of ');
    expect(answers).not.toContain('HTTP/1.1 400');
  });

  test('a client that reads nothing does not keep its connection after the answer', async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(port(), '127.0.0.1').pause();
    const [taken] = await accepted;
    taken.write(Buffer.alloc(32 * 1024 * 1024));
    const closed = once(taken, 'close');
    socket.write('garbage\r\n\r\n');
    await closed;
    expect([taken.destroyed, taken.writableFinished]).toEqual([true, false]);
    socket.destroy();
  });

  test('who is gone hears nothing, and nothing breaks', async () => {
    const socket = connect(port(), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('garbage\r\n\r\n');
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.listening).toBe(true);
  });
});

/** A chunk that comes a while after the one before. */
async function later(chunk: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return chunk;
}
