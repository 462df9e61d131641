import { clip, decodedUri } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';

/** The value of a path, and the path's parameters, decoded. */
interface Found<Value> {
  readonly value: Value;
  readonly params: Readonly<Record<string, string>>;
}

/** A text, or the parameter that stands in its place. */
type Segment = { readonly text: string } | { readonly parameter: string };

interface Row<Value> {
  readonly segments: readonly Segment[];
  readonly value: Value;
}

/**
 * Makes a table of paths in express syntax, `/accounts/:accountId`, whose first segment is no parameter. A lookup returns the first path
 * that fits, as a router would; null: none fits. Letters are compared exactly, and a parameter is not empty. Throws BAD_REQUEST for a
 * parameter that cannot be decoded.
 */
export function pathTable<Value>(
  paths: readonly string[],
  valueOf: (path: string) => Value,
): (path: string) => Found<Value> | null {
  const rows = new Map<string, Row<Value>[]>();
  for (const path of new Set(paths)) {
    const segments = path.split('/');
    const [, first = ''] = segments;
    const row = { segments: segments.map(segmentOf), value: valueOf(path) };
    rows.set(first, [...(rows.get(first) ?? []), row]);
  }
  return (path) => {
    const sent = path.split('/');
    const row = rows.get(sent[1] ?? '')?.find(({ segments }) => fits(segments, sent));
    return row === undefined ? null : { value: row.value, params: paramsOf(row.segments, sent) };
  };
}

function segmentOf(text: string): Segment {
  return text.startsWith(':') ? { parameter: text.slice(1) } : { text };
}

function fits(segments: readonly Segment[], sent: readonly string[]): boolean {
  if (segments.length !== sent.length) return false;
  return segments.every((segment, at) => ('text' in segment ? segment.text === sent[at] : sent[at] !== ''));
}

function paramsOf(segments: readonly Segment[], sent: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  segments.forEach((segment, at) => {
    if ('parameter' in segment) params[segment.parameter] = decoded(sent[at] ?? '');
  });
  return params;
}

function decoded(segment: string): string {
  const text = segment.includes('%') ? decodedUri(segment) : segment;
  if (text !== null) return text;
  const why = `The request cannot be read: ${clip(segment)} in its path is not percent-encoded UTF-8.`;
  throw new Refusal({ code: 'BAD_REQUEST', text: why });
}
