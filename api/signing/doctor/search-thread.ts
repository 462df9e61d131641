import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Question, search } from './search.ts';

/*
 * The doctor's thread: receives a question, posts its answer. The thread that answers requests has a higher priority. On Linux
 * a priority belongs to a thread, elsewhere to the process.
 */

/** Longest search, in ms of this thread's own time. */
const maxSearchMs = 50;
/** A lower priority than the thread that answers. On a busy machine the search still ends before the refusal is due (with 19 it did not). */
const niceness = 10;

if (process.platform === 'linux') setPriority(niceness);

parentPort?.on('message', (question: Question) => {
  const begun = ownTime();
  parentPort?.postMessage(search(question, () => ownTime() - begun > maxSearchMs));
});

function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
