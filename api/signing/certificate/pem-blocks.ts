/** Blocks of one kind (`CERTIFICATE`) in a PEM text, BEGIN and END lines included, in order. */
export function pemBlocks(text: string, kind: string): string[] {
  const [begin, end] = [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`];
  const blocks: string[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    const last = text.indexOf(end, at);
    if (last < 0) break;
    blocks.push(text.slice(at, last + end.length));
    at = last + end.length;
  }
  return blocks;
}
