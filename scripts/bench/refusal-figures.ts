import { createPrivateKey, sign } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Agent } from 'node:http';
import { issueCertificate, type IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { type Figure, median, withTarget } from './figure.ts';
import { addressOf, initiation, type PreparedRequest, requestsPerSecond, send } from './initiation-figures.ts';
import { repeats } from './run-interleaved.ts';
import { startProcess } from './server-process.ts';

const target = 0.9;
/** Refusals a second of the stream that does not wait for answers. */
const pace = 100;

/** How many requests are accepted beside a stream of refusals, against none: each refusal is searched to the end in vain. */
export async function refusalFigures(scale: number): Promise<Figure[]> {
  const count = 3_000 / scale;
  const waiting = await measure(count, 'waiting');
  const paced = await measure(count, 'paced');
  return [
    figure('accepted beside one client that is refused again and again', waiting),
    figure(`accepted beside ${pace} refusals a second, doctor on against off`, paced),
  ];
}

function figure(what: string, ratio: number): Figure {
  return withTarget(what, { figure: `${ratio.toFixed(2)}x` }, { by: ratio, atLeast: target, unit: 'x' });
}

/** Rate of accepted requests: `waiting`: beside the stream against without it; `paced`: with the doctor against without. */
async function measure(count: number, stream: 'waiting' | 'paced'): Promise<number> {
  const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent'];
  const servers = [
    startProcess(flags),
    startProcess(stream === 'paced' ? [...flags, '--doctor', 'off'] : flags),
  ] as const;
  try {
    const [on, off] = [await addressOf(servers[0]), await addressOf(servers[1])];
    const tpp = issueCertificate(testTppRequest('bench', systemClock.now()));
    const ratios: number[] = [];
    // The first turn warms both up and does not count.
    for (let turn = 0; turn <= repeats; turn += 1) {
      const accepted = () => Array.from({ length: count }, (_, index) => initiation(tpp, turn * count + index));
      const without =
        stream === 'waiting' ? await rate(off, accepted(), null) : await rate(off, accepted(), paced(off, tpp));
      const beside = await rate(on, accepted(), stream === 'waiting' ? waiting(on, tpp) : paced(on, tpp));
      ratios.push(beside / without);
    }
    return median(ratios.slice(1));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Sends refusals until it is told to end. */
type Stream = (isOver: () => boolean) => Promise<void>;

async function rate(address: string, requests: readonly PreparedRequest[], stream: Stream | null): Promise<number> {
  let isOver = false;
  const ended = stream?.(() => isOver);
  const perSecond = await requestsPerSecond(address, requests, 201);
  isOver = true;
  await ended;
  return perSecond;
}

function waiting(address: string, tpp: IssuedCertificate): Stream {
  const request = refused(tpp);
  return async (isOver) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver()) await send(agent, address, request, 400);
    agent.destroy();
  };
}

function paced(address: string, tpp: IssuedCertificate): Stream {
  const request = refused(tpp);
  return async (isOver) => {
    // In turn, so that the server closes none as idle while a request is on its way.
    const agent = new Agent({ keepAlive: true, maxSockets: 16, scheduling: 'fifo' });
    const open: Promise<void>[] = [];
    while (!isOver()) {
      const sent = send(agent, address, request, 400);
      // One that fails is told below.
      sent.catch(() => undefined);
      open.push(sent);
      await setTimeout(1000 / pace);
    }
    await Promise.all(open);
    agent.destroy();
  };
}

/** Signed over a text that nobody would sign. */
function refused(tpp: IssuedCertificate): PreparedRequest {
  const { target: path, headers, body } = initiation(tpp, 0);
  const value = sign('RSA-SHA256', Buffer.from('another text'), createPrivateKey(tpp.keyPem)).toString('base64');
  const signature = (headers['Signature'] ?? '').replace(/(?<=,signature=")[^"]*/, value);
  return { target: path, headers: { ...headers, Signature: signature }, body };
}
