import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { docsStyles } from './docs-styles.ts';

/*
 * Only this file names the places of files. The bundle keeps the addresses of the sources, so the relative addresses work in both.
 */

/** Where Swagger UI is: copied beside the built program, or in a clone the development dependency. */
const swaggerFolders = ['../../swagger-ui/', '../../node_modules/swagger-ui-dist/'].map(here);

/** A file of the page /docs. */
interface DocsFile {
  /** With the character set. */
  readonly type: string;
  readonly content: Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

const script = 'text/javascript; charset=utf-8';
const stylesheet = 'text/css; charset=utf-8';

/** Types of the files of Swagger UI that the page loads. */
const ofSwagger: ReadonlyMap<string, string> = new Map([
  ['swagger-ui-bundle.js', script],
  ['swagger-ui.css', stylesheet],
]);

/** The file of this name; null: there is none. */
export async function docsFile(name: string): Promise<DocsFile | null> {
  if (name === 'docs.css') return fileOf(stylesheet, Buffer.from(docsStyles));
  if (name === 'docs.js') return fileOf(script, await readFile(here('../openapi/docs-script.js')));
  const type = ofSwagger.get(name);
  const folder = swaggerFolder();
  return type === undefined || folder === null ? null : fileOf(type, await readFile(new URL(name, folder)));
}

/** The folder with the files of Swagger UI; null: they are not installed. */
export function swaggerFolder(): URL | null {
  return swaggerFolders.find((folder) => existsSync(new URL('swagger-ui-bundle.js', folder))) ?? null;
}

function fileOf(type: string, content: Buffer): DocsFile {
  return { type, content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}

function here(path: string): URL {
  return new URL(path, import.meta.url);
}
