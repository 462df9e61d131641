import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';

const ownFlags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', '--clock-mode', 'frozen'];

/** The document of the control plane that a server in memory answers at its root. */
export async function readControlDocument(): Promise<ApiDocument> {
  const server = await startServer(readConfig({}, ownFlags));
  try {
    const answer = await fetch(`${server.address}/sandbox/openapi.json`);
    return (await answer.json()) as ApiDocument;
  } finally {
    await server.stop();
  }
}

/** The calls of a document as a table in Markdown: call and summary. The document has what they take. */
export function callTable({ paths }: ApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { summary }]) => `| \`${method.toUpperCase()} ${path}\` | ${String(summary)} |`,
    ),
  );
  return ['| call | does |', '| --- | --- |', ...rows].join('\n');
}
