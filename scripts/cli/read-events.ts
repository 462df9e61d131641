/** A server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Yields the events of a stream, with JSON data. Drops an incomplete event at the end. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
