import type { Request } from 'express';
import { type Asked, pathTo } from '../openapi/calls.ts';

/** Names of the parameter that carries the id of a note, in the address of a page. */
export const noteParameter = 'note';

/** Where a page of a console is, and the addresses in it. */
export class PageAddresses {
  /** Path of this page below `/console`. */
  readonly path: string;
  /** The same with its query, without its note. */
  readonly here: string;
  /** The bank's name; `default` at the root. */
  readonly bankName: string;
  /** Parameters of the query, without the note. */
  protected readonly parameters: URLSearchParams;
  /** The way from the page up to the bank: `./`, `../`. */
  protected readonly up: string;

  /** `base`: path of the bank, empty or `/banks/{name}`. */
  constructor(request: Request, base: string) {
    const { path, search } = partsOf(request);
    this.path = path;
    this.bankName = base === '' ? 'default' : base.slice(base.lastIndexOf('/') + 1);
    this.parameters = new URLSearchParams(search);
    this.parameters.delete(noteParameter);
    this.here = `${path}${this.parameters.size === 0 ? '' : `?${this.parameters}`}`;
    this.up = '../'.repeat(path.split('/').length - 1) || './';
  }

  /**
   * Address of a view, relative to this page. `path` is below `/console`: made by {@link pathTo}, or in express syntax
   * with what is `asked`.
   */
  to(path: string, asked?: Asked): string {
    return `${this.up}console${asked === undefined ? path : pathTo(path, asked)}`;
  }

  /** Address of something of the bank outside the console, relative to this page. */
  out(path: string): string {
    return `${this.up}${path}`;
  }
}

/** Path and query of a request, below `/console`. */
export function partsOf({ originalUrl, baseUrl }: Request): { readonly path: string; readonly search: string } {
  const below = originalUrl.slice(baseUrl.length);
  const end = below.indexOf('?');
  return end < 0 ? { path: below, search: '' } : { path: below.slice(0, end), search: below.slice(end + 1) };
}
