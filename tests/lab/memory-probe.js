// Loaded by `node --expose-gc --import`. The process needs a channel to its parent: each message there is answered by the memory after a collection.
import { setTimeout } from 'node:timers/promises';

process.on('message', async () => {
  // Finalizers of one collection release what the next one frees.
  for (let count = 0; count < 3; count += 1) {
    globalThis.gc();
    await setTimeout(10);
  }
  process.send(process.memoryUsage());
});
process.channel.unref();
