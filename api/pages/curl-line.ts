/** A request to print; header values are latin1 text. */
export interface PrintedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** In bytes: Linux takes 131,072 in one word of a command line. */
const maxWordBytes = 100_000;

/**
 * The curl command that sends this request, for a POSIX shell. A body that is long, or that a word of the shell cannot
 * hold (NUL, no UTF-8), is piped in as base64.
 */
export function curlLine({ method, url, headers, body }: PrintedRequest): string {
  const text = body.toString('utf8');
  const isWord = body.length <= maxWordBytes && !text.includes('\0') && Buffer.from(text).equals(body);
  // Without a value curl leaves out the Content-Type that it would add to a body.
  const silenced = body.length > 0 && !('content-type' in headers) ? ["-H 'Content-Type:'"] : [];
  const words = [
    // -g takes brackets in the address as they are.
    'curl -sS -g',
    method === 'HEAD' ? '-I' : `-X ${quoted(method)}`,
    quoted(url.href),
    // An empty header ends in a semicolon: with a colon curl takes it for one to leave out.
    ...Object.entries(headers).map(([name, value]) => `-H ${header(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...silenced,
    ...(body.length === 0 ? [] : [isWord ? `--data-raw ${quoted(text)}` : '--data-binary @-']),
  ];
  const piped = body.length > 0 && !isWord ? `printf %s ${body.toString('base64')} | base64 -d | ` : '';
  return piped + words.join(' ');
}

/** The request as HTTP/1.1 text. The body must be UTF-8. */
export function httpText({ method, url, headers, body }: PrintedRequest): string {
  const length = body.length === 0 ? [] : [`content-length: ${body.length}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`, ...length, ...lines];
  return `${head.join('\n')}\n\n${body.toString()}`;
}

function quoted(text: string): string {
  return /^[A-Za-z0-9]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Bytes outside ASCII in octal, whatever encoding the terminal has: a header is latin1. */
function header(line: string): string {
  if (/^[\x20-\x7e]*$/.test(line)) return quoted(line);
  const escaped = [...Buffer.from(line, 'latin1')].map((byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x27 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"$(printf '${escaped.join('')}')"`;
}
