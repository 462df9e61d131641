import { setTimeout } from 'node:timers/promises';
import { Agent } from 'node:http';
import { quantile } from './in-turns.ts';
import { initiation, type PreparedRequest, send } from './signed-requests.ts';

/*
 * A process of its own that calls a bank of a server every 20 ms, as a TPP with 3,000 calls a minute: a signed initiation and a read
 * of the clock in turn. When its standard input ends it prints how many calls it made, and the 95th percentile and the longest of their
 * times in ms. It prints `calling` when what counts begins: both sides have their code compiled by then.
 */
const [server = '', base = '', from = '0'] = process.argv.slice(2);
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const warmUp = 100;
const pauseMs = 20;
const clock: PreparedRequest = { method: 'GET', target: `${base}/sandbox/clock`, headers: {}, body: Buffer.alloc(0) };
const times: number[] = [];
for (let called = 0; !isOver; called += 1) {
  if (called === warmUp) console.log('calling');
  const isClock = called % 2 === 1;
  const payment = initiation(Number(from) + called);
  const request = isClock ? clock : { ...payment, target: base + payment.target };
  const begun = performance.now();
  await send(agent, server, request, isClock ? 200 : 201);
  const ms = performance.now() - begun;
  if (called >= warmUp) {
    times.push(ms);
    await setTimeout(Math.max(0, pauseMs - ms));
  }
}
agent.destroy();
console.log([times.length, quantile(times, 0.95), Math.max(...times)].join(' '));
