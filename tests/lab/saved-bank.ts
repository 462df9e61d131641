import { configOfBundle, readBundle } from '../../api/hosting/bundle/bundle.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';

/** Opens a saved bank on a free port, as `sandbank open` does. */
export async function openSaved(saved: Buffer, flags: readonly string[] = []): Promise<RunningServer> {
  const bundle = await readBundle(saved);
  const config = configOfBundle(bundle, { flags: ['--port=0', '--log-level=silent', ...flags] });
  return startServer(config, undefined, { bundle });
}
