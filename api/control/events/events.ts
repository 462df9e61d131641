import type { ControlEndpoint } from '../control-endpoint.ts';
import { eventStream } from '../event-stream.ts';
import { Problem } from '../../pipeline/problem.ts';
import { anEvent } from './event-data.ts';
import type { EventLog } from './event-log.ts';

/** The path below `/sandbox`. */
export const eventsPath = '/events';
/** Maximum number of open streams of one bank. */
const maxStreams = 100;

/** `GET /sandbox/events`: the events of a bank as they happen. `stopping` ends the streams with the server. */
export function eventsEndpoint(log: EventLog, stopping: AbortSignal): ControlEndpoint {
  return {
    method: 'GET',
    path: eventsPath,
    summary: 'Follow what happens in the bank',
    answerType: eventStream,
    answer: anEvent,
    refusals: { 406: 'Accept excludes event streams.' },
    handle: () => {
      const detail = 'What happens is sent as server-sent events, and Accept leaves them out.';
      throw new Problem({ status: 406, detail, allowed: [eventStream] });
    },
    tell: async (_call, events) => {
      if (log.readers >= maxStreams) {
        const detail = `${maxStreams} clients follow this bank, which is the most. One that ends its stream makes room.`;
        throw new Problem({ status: 503, detail, allowed: { streams: String(maxStreams) } });
      }
      const { lastId, stream } = events;
      const texts = log.read(lastId === null ? log.last : log.numberOf(lastId), stream);
      const end = (): void => stream.abort();
      stopping.addEventListener('abort', end, { signal: stream.signal });
      if (stopping.aborted) end();
      for await (const text of texts) await events.write(text);
    },
  };
}
