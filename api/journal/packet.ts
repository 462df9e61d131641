/** The readable part of a request's packet. */
interface PacketHead {
  /** Empty when the packet does not begin with a request line. */
  readonly method: string;
  readonly target: string;
  /** Name, value, name, value: every line that looks like a header. */
  readonly rawHeaders: readonly string[];
}

/** Reads the head of a request that the HTTP parser refused, as far as it can be read. Never throws. */
export function readPacket(packet: Uint8Array = new Uint8Array()): PacketHead {
  const text = Buffer.from(packet).toString('latin1');
  const end = text.search(/\r?\n\r?\n/);
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n');
  const [, method = '', target = ''] = /^([A-Z]{3,20}) (\S+)/.exec(lines[0] ?? '') ?? [];
  const rawHeaders = lines.flatMap((line) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/.exec(line.trimEnd()) ?? [];
    return name === undefined || value === undefined ? [] : [name, value.trim()];
  });
  return { method, target, rawHeaders };
}
