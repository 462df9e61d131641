import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { askedAddress } from '../../api/pipeline/addresses.ts';

const own = 'http://127.0.0.1:7263';
let server: Server;
let port: number;

beforeAll(async () => {
  const app = express();
  app.use((asked, response) => void response.send(askedAddress(asked, own)));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

describe('an SCA link leads to the host that was asked', () => {
  test.each(['localhost:7263', 'sandbank', 'sandbank_1:80', 'bank.example', '[::1]:7263', '10.0.0.1'])(
    '%s',
    async (host) => {
      expect(await linkFor(host)).toBe(`http://${host}`);
    },
  );

  test.each(['evil.example"<x>', 'a b', 'a@b', 'a/b', 'a:b', 'a:99999', '[::zz]', '', 'a?b', "a'b"])(
    'a Host that is none, %j: to the address of the server',
    async (host) => {
      expect(await linkFor(host)).toBe(own);
    },
  );

  test('HTTP/1.0 without Host: to the address of the server', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    expect(answer).toMatch(new RegExp(`${own}$`));
  });
});

function linkFor(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, host: '127.0.0.1', setHost: false, headers: { host } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(text));
    });
    asking.on('error', reject).end();
  });
}
