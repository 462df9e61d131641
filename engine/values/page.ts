/** Which rows of a list. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** What is read for a page: one row more than it shows, which tells whether there is a next one. */
export function withOneMore<Asked extends Page>(page: Asked): Asked {
  return { ...page, limit: page.limit + 1 };
}

/** The rows that a page shows, of those that were read {@link withOneMore}. */
export function pageOf<Row>(read: readonly Row[], limit: number): { readonly rows: Row[]; readonly hasNext: boolean } {
  return { rows: read.slice(0, limit), hasNext: read.length > limit };
}
