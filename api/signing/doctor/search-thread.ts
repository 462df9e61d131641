import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Question, search } from './search.ts';

/*
 * The doctor's thread: receives a question, posts its answer. It gives way to the thread that answers requests: on Linux
 * the priority is the thread's own, elsewhere the process's.
 */

/** Longest search, in ms of this thread's own time. */
const longest = 50;
/** Lower than the thread that answers, and enough to finish within the wait of a refusal on a busy machine (19 was not). */
const niceness = 10;

if (process.platform === 'linux') setPriority(niceness);

parentPort?.on('message', (question: Question) => {
  const begun = ownTime();
  parentPort?.postMessage(search(question, () => ownTime() - begun > longest));
});

function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
