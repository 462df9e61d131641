import { parentPort, workerData } from 'node:worker_threads';
import { inspectLedger } from './proof/inspect-ledger.ts';

/** What checkLedger starts: answers one path with its Inspection. */
parentPort?.postMessage(await inspectLedger(String(workerData)));
