import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { isObject, type JsonObject } from '../../api/quirks/json.ts';

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

/**
 * The calls of a document as a table in Markdown: call with its query, summary, and members of its body.
 */
export function callTable({ paths, components }: ApiDocument): string {
  /** A part of the document, or the component that it refers to. */
  const whole = (part: unknown): JsonObject => {
    if (!isObject(part)) return {};
    const { $ref } = part;
    if (typeof $ref !== 'string') return part;
    return whole(
      $ref
        .split('/')
        .slice(2)
        .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), components),
    );
  };
  const contentOf = (part: unknown): string => {
    const { content } = whole(part);
    return Object.entries(isObject(content) ? content : {})
      .map(([mediaType, one]) => {
        const members = membersOf(whole(isObject(one) ? one.schema : {}));
        return mediaType === 'application/json' ? members : `\`${mediaType}\``;
      })
      .filter((shown) => shown !== '')
      .join(' or ');
  };
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { summary, parameters, requestBody } = operation;
      const query = (Array.isArray(parameters) ? parameters.map(whole) : []).filter((one) => one.in === 'query');
      const names = query.map(({ name }) => String(name)).join('&');
      const call = `\`${method.toUpperCase()} ${path}${names && `?${names}`}\``;
      return [call, String(summary), contentOf(requestBody)];
    }),
  );
  const all = [['call', 'does', 'takes'], ['---', '---', '---'], ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `{name, now?}`: the members of an object, those that may be left out with a question mark. */
function membersOf({ properties, required }: JsonObject): string {
  if (!isObject(properties)) return '';
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys(properties).map((name) => (needed.includes(name) ? name : `${name}?`));
  return names.length === 0 ? '' : `\`{${names.join(', ')}}\``;
}
