import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEvents, type ReceivedEvent } from '../../scripts/cli/control-plane-client.ts';

async function eventsOf(...parts: readonly Uint8Array[]): Promise<ReceivedEvent[]> {
  const found: ReceivedEvent[] = [];
  for await (const event of readEvents(ReadableStream.from(parts))) found.push(event);
  return found;
}

const written = (events: readonly ReceivedEvent[]): Buffer =>
  Buffer.from(events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''));

test('however the bytes arrive, the events are the same', async () => {
  const event = fc.record({ event: fc.constantFrom('run', 'done'), data: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 5 }), fc.array(fc.nat(400)), async (events, cuts) => {
      const bytes = written(events);
      const ends = [...cuts, bytes.length].toSorted((one, other) => one - other);
      const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      expect(await eventsOf(...parts)).toEqual(JSON.parse(JSON.stringify(events)));
    }),
    { numRuns: 200 },
  );
});

test('what a stream that breaks off left half is dropped', async () => {
  const bytes = written([
    { event: 'run', data: 1 },
    { event: 'done', data: 2 },
  ]);
  expect(await eventsOf(bytes.subarray(0, -1))).toEqual([{ event: 'run', data: 1 }]);
});
