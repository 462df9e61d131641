import { Agent, get } from 'node:http';

/*
 * A process of its own that asks an address again and again until its standard input ends, then prints the longest time
 * to an answer in ms. Every second time it comes over a new connection. It prints `asking` when what counts begins: both
 * sides have their code compiled by then.
 */
const [address = ''] = process.argv.slice(2);
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();

const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const warmUp = 50;
let longest = 0;
for (let asked = 0; !isOver; asked += 1) {
  if (asked === warmUp) console.log('asking');
  const begun = performance.now();
  await ask(asked % 2 === 0 ? kept : false);
  if (asked >= warmUp) longest = Math.max(longest, performance.now() - begun);
}
kept.destroy();
console.log(longest);

function ask(agent: Agent | false): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      const { statusCode } = response;
      response.resume().on('end', () => (statusCode === 200 ? resolve() : reject(new Error(`status ${statusCode}`))));
    }).on('error', reject);
  });
}
