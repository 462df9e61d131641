import { quote } from '../../../engine/values/text.ts';
import { Problem } from '../../pipeline/problem.ts';
import type { RequestToJudge } from '../../pipeline/dry-run.ts';

const blankLine = /\r?\n\r?\n/;

/**
 * Reads a request as text (`message/http`, or a file): request line, header lines, a blank line, body. Line breaks may be
 * `\n` alone. Without a Content-Length the one line break at the end of the text is the file's, not the body's. Throws a
 * Problem (400) for what is no such text.
 */
export function parseHttpText(bytes: Uint8Array): RequestToJudge {
  const text = Buffer.from(bytes).toString('latin1');
  const gap = blankLine.exec(text);
  const head = gap === null ? text : text.slice(0, gap.index);
  const rest = gap === null ? '' : text.slice(gap.index + gap[0].length);
  const [first = '', ...lines] = head.split('\n').map(withoutReturn).filter(notLast);
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/\d\.\d)?$/.exec(first) ?? [];
  if (method === undefined || target === undefined) {
    throw unreadable(
      `The first line is ${quote(first)}. Expected method and target, such as: POST /v1/payments HTTP/1.1`,
    );
  }
  return { method, target, lines, body: Buffer.from(bodyOf(lines, rest), 'latin1') };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The line break at the end of a request without a body ends a line and begins none. */
function notLast(line: string, at: number, all: readonly string[]): boolean {
  return line !== '' || at < all.length - 1;
}

function bodyOf(lines: readonly string[], rest: string): string {
  const stated = lines
    .map((line) => /^content-length:[ \t]*(\d{1,9})[ \t]*$/i.exec(line)?.[1])
    .find((length) => length !== undefined);
  if (stated === undefined) return rest.replace(/\r?\n$/, '');
  const length = Number(stated);
  if (rest.length >= length) return rest.slice(0, length);
  throw unreadable(`Content-Length is ${length}, and the body has ${rest.length} bytes. Send all of it.`);
}

function unreadable(detail: string): Problem {
  return new Problem({ status: 400, detail, errors: [{ path: 'body', detail }] });
}
