import { parentPort, workerData } from 'node:worker_threads';
import { inspectLedger } from './proof/inspect-ledger.ts';

// The thread of checkLedger: receives a path and posts its Inspection.
parentPort?.postMessage(await inspectLedger(String(workerData)));
