import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { program } from '../../support/program.ts';

test('M1: a line that is no JSON and a batch get an error of JSON-RPC, and the next message its answer', async () => {
  const server = spawn(process.execPath, [program, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
  const lines = ['{"jsonrpc": "2.0", ', JSON.stringify([ping, ping]), '{"a": 1}', JSON.stringify(ping)];
  server.stdin.end(`${lines.join('\n')}\n`);
  const answers = (await text(server.stdout)).trim().split('\n');
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.stringContaining('Parse error') } },
    { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringContaining('Invalid Request') } },
    { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
    { jsonrpc: '2.0', id: 7, result: {} },
  ]);
}, 30_000);
