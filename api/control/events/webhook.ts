import { createHmac } from 'node:crypto';
import { setTimeout } from '../../../engine/time/clock.ts';
import type { EventLog } from './event-log.ts';

/** Where events are sent (docs/spec/control-plane.md, webhook). */
export interface Webhook {
  readonly url: string;
  /** Signs each body; null: none does. */
  readonly secret: string | null;
  /** The name of the bank in `X-Sandbank-Bank`. */
  readonly bank: string;
  readonly stopping: AbortSignal;
}

/** Waits before the second and later attempts, in ms. */
const waits = [500, 2_000, 8_000, 30_000] as const;
const answerTimeoutMs = 10_000;

/** Sends the events of a log from now on, one after the other, until the server stops or the log is closed. `failed` gets what was given up. */
export async function sendToWebhook(log: EventLog, hook: Webhook, failed: (error: unknown) => void): Promise<void> {
  let after = log.last;
  while (!log.isClosed && !hook.stopping.aborted) {
    const stream = new AbortController();
    hook.stopping.addEventListener('abort', () => stream.abort(), { signal: stream.signal });
    for await (const texts of log.read(after, stream)) {
      for (const text of texts.split('\n\n')) {
        const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text) ?? [];
        if (id === undefined || event === undefined || data === undefined) continue;
        await deliver(hook, event, `{"id":${JSON.stringify(id)},"event":"${event}","data":${data}}`).catch(failed);
        after = log.numberOf(id) ?? log.last;
      }
    }
  }
}

/** Posts a body until an answer is a 2xx. Throws after the last attempt. */
async function deliver({ url, secret, bank, stopping }: Webhook, event: string, body: string): Promise<void> {
  const signature = secret === null ? null : createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'X-Sandbank-Event': event,
    'X-Sandbank-Bank': bank,
    ...(signature !== null && { 'X-Sandbank-Signature-256': `sha256=${signature}` }),
  };
  let problem = '';
  for (const wait of [0, ...waits]) {
    if (wait > 0) await new Promise<void>((resolve) => setTimeout(resolve, wait).unref());
    if (stopping.aborted) return;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(answerTimeoutMs)]);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(String);
    if (typeof answer === 'string') problem = answer;
    else {
      await answer.body?.cancel();
      if (answer.ok) return;
      problem = `it answered ${answer.status}`;
    }
  }
  throw new Error(`the webhook did not take an event in ${waits.length + 1} attempts: ${problem}`);
}
