import type { ControlEndpoint } from '../control-endpoint.ts';
import { eventStream } from '../event-stream.ts';
import { Problem } from '../../pipeline/problem.ts';
import { anEvent } from './an-event.ts';
import type { EventLog } from './event-log.ts';

/** Below `/sandbox`. */
export const eventsPath = '/events';
/** Most open streams of one bank. */
const mostStreams = 100;

/** `GET /sandbox/events`: what happens in a bank, as it happens. `stopping`: the server ends, and its streams with it. */
export function eventsEndpoint(log: EventLog, stopping: AbortSignal): ControlEndpoint {
  return {
    method: 'GET',
    path: eventsPath,
    summary: 'Follow what happens in the bank',
    answerType: eventStream,
    answer: anEvent,
    refusals: { 406: 'Accept leaves event streams out.' },
    handle: () => {
      const detail = 'What happens is sent as server-sent events, and Accept leaves them out.';
      throw new Problem({ status: 406, detail, allowed: [eventStream] });
    },
    tell: async (_call, events) => {
      if (log.readers >= mostStreams) throw tooMany();
      const reader = log.read(events.lastId === null ? log.last : log.numberOf(events.lastId), events.end);
      const close = (): void => reader.close();
      events.onGone(close);
      stopping.addEventListener('abort', close, { once: true });
      if (stopping.aborted) close();
      try {
        for await (const text of reader.texts()) await events.write(text);
      } finally {
        close();
        stopping.removeEventListener('abort', close);
      }
    },
  };
}

function tooMany(): Problem {
  const detail = `${mostStreams} clients follow this bank, which is the most. One that ends its stream makes room.`;
  return new Problem({ status: 503, detail, allowed: { streams: String(mostStreams) } });
}
