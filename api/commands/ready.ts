import { processEnvironment, readConfig } from '../config.ts';

/** How long the server may take to answer, in ms. */
const patience = 2_000;

/** The health check of the image: asks `/ready` of the server that these settings describe. */
export async function ready(flags: readonly string[]): Promise<number> {
  const { host, port } = readConfig(processEnvironment(), flags);
  const target = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const answer = await fetch(`http://${target}:${port}/ready`, { signal: AbortSignal.timeout(patience) });
    console.log(answer.ok ? 'ready' : `not ready: ${answer.status}`);
    return answer.ok ? 0 : 1;
  } catch {
    console.log(`not ready: nothing answers at ${target}:${port}`);
    return 1;
  }
}
