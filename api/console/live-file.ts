import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** As deep in the sources as in the bundle of the harness, so that the relative address works in both. */
const address = new URL('../console/live.js', import.meta.url);

/** The script of the console. The tag changes with the content. */
export async function liveScript(): Promise<{ readonly content: Buffer; readonly etag: string }> {
  const content = await readFile(address);
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}
