import { configOfBundle, readBundle } from '../../api/hosting/bundle/bundle.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';

/** Opens a saved bank on a free port, as `sandbank open` does. */
export async function openSaved(
  saved: Buffer,
  flags: readonly string[] = [],
): Promise<RunningServer & AsyncDisposable> {
  const bundle = await readBundle(saved);
  const config = configOfBundle(bundle, { flags: ['--port=0', '--log-level=silent', ...flags] });
  const server = await startServer(config, undefined, { bundle });
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}
