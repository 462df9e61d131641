import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { configOfBundle, readBundle } from '../../../api/hosting/bundle/bundle.ts';
import { startServer } from '../../../api/hosting/server.ts';

/** A bundle, and requests to the bank in it. */
export interface ToOpen {
  readonly file: string;
  readonly requests: readonly SentRequest[];
}

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
}

/** An answer whose addresses are those of no host. */
export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Sends requests one after the other. Addresses of the bank in the answers become `http://bank`. */
export async function sendAll(address: string, requests: readonly SentRequest[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const { method, target, headers, body } of requests) {
    const sent = body === '' ? { method, headers } : { method, headers, body };
    const answer = await fetch(address + target, { ...sent, redirect: 'manual' });
    answers.push({ status: answer.status, body: (await answer.text()).replaceAll(address, 'http://bank') });
  }
  return answers;
}

/** As a program of its own: opens the bundles that standard input names, one after the other, and prints what the banks answer. */
if (import.meta.main) {
  const all = JSON.parse(await text(process.stdin)) as readonly ToOpen[];
  const told: Answered[][] = [];
  for (const { file, requests } of all) {
    const bundle = await readBundle(readFileSync(file));
    const server = await startServer(configOfBundle(bundle, { flags: ['--port=0', '--log-level=silent'] }), undefined, {
      bundle,
    });
    told.push(await sendAll(server.address, requests));
    await server.stop();
  }
  console.log(JSON.stringify(told));
}
