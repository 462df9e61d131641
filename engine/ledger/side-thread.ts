import { createRequire } from 'node:module';
import type { Worker } from 'node:worker_threads';

/** Ledgers below this size, in bytes, are copied in the event loop: faster than starting a thread. */
export const maxBytesInLoop = 8 * 1024 * 1024;

/**
 * Opens and closes the file for each statement, so that it holds no lock in between. A copy and a checkpoint read each
 * page once: a small cache is as fast, and saves 40 MB. Text instead of a file, as the package and its bundles would
 * lack that file.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const carryOut = ({ statement, parameters }) => {
    const database = new Database(workerData.path, { fileMustExist: true });
    try {
      database.pragma('cache_size = -2000');
      const prepared = database.prepare(statement);
      if (prepared.reader) prepared.all(parameters);
      else prepared.run(parameters);
    } finally {
      database.close();
    }
  };
  parentPort.on('message', (task) => {
    let failure = null;
    try {
      carryOut(task);
    } catch (error) {
      failure = { message: String(error.message), code: error.code };
    }
    parentPort.postMessage(failure);
  });
`;

function startThread(text: string, data: object, transferList: ArrayBuffer[] = []): Worker {
  const workerData = { ...data, driver: createRequire(import.meta.url).resolve('better-sqlite3') };
  const options = { eval: true, execArgv: [], workerData, transferList };
  return new (process.getBuiltinModule('node:worker_threads').Worker)(text, options);
}

/** The buffer of SQLite cannot be transferred to another thread: a copy is. */
const vacuum = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const database = new Database(Buffer.from(workerData.image));
  database.exec('pragma temp_store = memory; vacuum');
  const { buffer } = new Uint8Array(database.serialize());
  parentPort.postMessage(buffer, [buffer]);
`;

/**
 * A serialized database without free space, made in a thread, so that a large one does not block the event loop.
 * Rejects with SQLite's error.
 */
export async function vacuumed(image: Buffer): Promise<Buffer> {
  const { buffer } = new Uint8Array(image);
  const worker = startThread(vacuum, { image: buffer }, [buffer]);
  const bytes = await new Promise<ArrayBuffer>((resolve, reject) => {
    worker.once('message', resolve).on('error', reject);
    worker.once('exit', () => reject(new Error('the thread of the vacuum ended without a result')));
  });
  return Buffer.from(bytes);
}

/**
 * Runs statements on a ledger file in a thread with its own connection, so that long ones do not block the event loop.
 * One statement at a time, while nothing else writes.
 */
export class SideThread {
  readonly #path: string;
  #worker: Worker | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Starts the thread in advance: that takes longer than most statements. */
  start(): void {
    if (this.#worker !== null) return;
    const worker = startThread(program, { path: this.#path });
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', forget).on('exit', forget);
    // The thread does not keep the process alive.
    worker.unref();
    this.#worker = worker;
  }

  /** Runs a statement. Rejects with SQLite's error, or when the thread cannot start or ends. */
  run(statement: string, ...parameters: readonly string[]): Promise<void> {
    this.start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const settle = (failure: StatementFailure | null): void => {
        worker?.off('error', fail).off('exit', end);
        worker?.unref();
        if (failure === null) resolve();
        else reject(Object.assign(new Error(failure.message), { code: failure.code }));
      };
      const fail = (error: Error): void => settle({ message: error.message });
      const end = (): void => settle({ message: 'the thread ended' });
      worker?.once('message', settle).once('error', fail).once('exit', end).ref();
      worker?.postMessage({ statement, parameters });
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }
}

interface StatementFailure {
  readonly message: string;
  readonly code?: unknown;
}
