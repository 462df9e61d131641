import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { replaceOwn } from '../../engine/ledger/durable-file.ts';
import { addressFile, type Config, serviceVariables } from '../../api/start/config.ts';
import type { RunningServer, ServerOptions } from '../../api/hosting/server.ts';
import { aborted, endSignal } from './end-signal.ts';
import type { Terminal } from './terminal.ts';

/** Time limit of a start or a stop after the signal to end, in ms. */
const endTimeoutMs = 5_000;

/** Starts a server, has `tell` print where it is, and runs until a signal ends it. */
export async function runServer(
  config: Config,
  terminal: Terminal,
  tell: (server: RunningServer) => Promise<void> | void,
  options: Pick<ServerOptions, 'bundle' | 'platform' | 'trial'>,
): Promise<void> {
  // Loaded here only, so that the other commands start faster.
  const { processLog } = await import('../../api/hosting/log.ts');
  const { startServer } = await import('../../api/hosting/server.ts');
  const log = processLog(config.logLevel, config.controlToken);
  const ignored = serviceVariables(terminal.env);
  if (ignored.length > 0) log.info(`${ignored.join(', ')}: of a service named sandbank, and no settings`);
  const letFail = endWhenItFails(log);
  const { signal: ending, release } = endSignal({ env: terminal.env });
  ending.addEventListener('abort', () => endAfter(endTimeoutMs, log));
  const starting = startServer(config, undefined, { ...options, log, stop: ending });
  const server = await starting.catch((error: unknown) => {
    // The command says why: there is no server that a signal or an error would end.
    release();
    letFail();
    throw error;
  });
  const file = addressFile(terminal.env);
  let left: string | null = null;
  if (!ending.aborted) {
    if (file !== null && leaveAddress(file, server.address, log)) left = file;
    await tell(server);
    terminal.onReady?.();
    await aborted(ending);
  }
  await server.stop();
  if (left !== null) rmSync(left, { force: true });
}

/**
 * Writes the address of the server to the file that other commands read. Returns false if that fails: they take PORT
 * and HOST.
 */
function leaveAddress(file: string, address: string, log: Logger): boolean {
  try {
    replaceOwn(file, `${address}\n`, (beginning) => URL.canParse(beginning.toString('latin1').trim()));
    return true;
  } catch (error) {
    log.warn({ err: error }, `the address of the server cannot be left in ${file}`);
    return false;
  }
}

/**
 * Ends the process at an unexpected error outside a request, such as an unhandled rejection, until what it returns is
 * called.
 */
function endWhenItFails(log: Logger): () => void {
  const end = (error: Error): void => {
    log.fatal({ err: error }, 'the server failed, and ends');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}

/** Ends the process after a time limit. Loses nothing: every answer is committed first. */
function endAfter(ms: number, log: Logger): void {
  const end = (): void => {
    log.fatal(`the server did not stop within ${ms / 1000} s, and ends`);
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}
