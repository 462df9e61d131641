import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { ownSite } from '../../api/pipeline/own-site.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { ProxyRecording } from '../../scripts/commands/proxy-recording.ts';
import { listen } from '../../api/start/free-port.ts';
import { signingProxy } from '../../scripts/commands/signing-proxy.ts';
import { validCertificate } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';

/* RFC 9112, 3.2: each front answers a target in absolute form as it answers the path. */
const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

const fronts = [
  ['the interface', 'GET /v1/accounts', ''],
  ['the interface, of no such path', 'GET /v1/nothing?x=1', ''],
  ['the door', 'GET /sandbox/as/tpp/v1/accounts', ''],
  ['the door, of no such path', 'GET /sandbox/as/tpp/v2', ''],
  ['the door, with a body', 'POST /sandbox/as/tpp/v1/bank-offered-consents', '{}'],
  ['the control plane', 'GET /sandbox/clock', ''],
  ['the control plane, with a body', 'POST /sandbox/clock/advance', '{"runs":0}'],
  ['the console', 'GET /console?when=today', ''],
  ['the guide', 'GET /docs/first-payment', ''],
  ['the start page', 'GET /', ''],
  ['no page', 'GET /nothing', ''],
  ['the probes', 'GET /ready', ''],
  ['a bank that is not there', 'GET /banks/none/v1/accounts', ''],
  ['the control plane of a bank that is not there', 'GET /banks/none/sandbox/clock', ''],
  ['a named bank', 'GET /banks/named/v1/accounts', ''],
  ['the door of a named bank', 'GET /banks/named/sandbox/as/tpp/v1/accounts', ''],
] as const;

/** Status line, content type and the body without what differs between two requests. */
async function answerTo(
  method: string,
  target: string,
  host: string,
  body: string,
  address = bank.address,
): Promise<string> {
  const { port } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', 'Content-Type: application/json'];
  socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
  const [top = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  const type = /^content-type:.*$/im.exec(top)?.[0];
  const said = rest
    .join('')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}|[\w-]{22,}|\d\d:\d\d:\d\d[.\d]*|^[\da-f]+\r$/gm, '...');
  return [top.split('\r\n')[0], type, said].join('\n');
}

test.each(fronts)('%s: %s', async (_front, asked, body) => {
  await bank.control('PUT', '/sandbox/banks/named', {});
  const [method = '', path = ''] = asked.split(' ');
  const { host } = new URL(bank.address);
  const expected = await answerTo(method, path, host, body);
  expect(expected).toMatch(/^HTTP\/1\.1 [234]/);
  for (const scheme of ['http', 'HTTP', 'https'])
    expect(await answerTo(method, `${scheme}://${host}${path}`, host, body)).toBe(expected);
  // The host of the target counts, not that of the header.
  expect(await answerTo(method, `http://${host}${path}`, 'evil.example', body)).toBe(expected);
});

test('the proxy signs and records a target in absolute form as it does the path', async () => {
  const site = ownSite({ host: '127.0.0.1', allowedHosts: [], publicUrl: null });
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const recorder = new ProxyRecording(join(folder, 'targets.har'));
  await recorder.begin();
  const now = () => systemClock.now();
  const tpp = { certificate, key };
  const signedAt = () => Promise.resolve(now());
  const proxy = signingProxy({ target: new URL(bank.address), tpp, site, now, signedAt, recorder });
  await listen(proxy, { port: 0, host: '127.0.0.1' });
  try {
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    for (const path of ['/v1/accounts', '/sandbox/as/tpp/v1/accounts', '/sandbox/clock']) {
      const expected = await answerTo('GET', path, '127.0.0.1', '', address);
      expect(expected).toMatch(/^HTTP\/1\.1 (?:200|401)/);
      for (const scheme of ['http', 'HTTP', 'Https'])
        expect(await answerTo('GET', `${scheme}://bank.example${path}`, '127.0.0.1', '', address)).toBe(expected);
    }
  } finally {
    proxy.close();
  }
  const lines: string[] = [];
  recorder.end({ out: (line: string) => lines.push(line), error: (line: string) => lines.push(line) } as never, false);
  expect(lines).toEqual([expect.stringContaining('Recorded 8 requests')]);
});

test('a target without a path is the start page, and a foreign host in it is refused', async () => {
  const { host } = new URL(bank.address);
  expect(await answerTo('GET', `http://${host}`, host, '')).toBe(await answerTo('GET', '/', host, ''));
  expect(await answerTo('GET', 'http://evil.example/sandbox/clock', host, '')).toMatch(/^HTTP\/1\.1 403/);
  expect(await answerTo('OPTIONS', '*', host, '')).toMatch(/^HTTP\/1\.1 4/);
});
