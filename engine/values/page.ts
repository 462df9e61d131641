/** The part of a list that a caller asks for. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** The page with one row more: reading it tells whether there is a next page. */
export function withOneMore<Asked extends Page>(page: Asked): Asked {
  return { ...page, limit: page.limit + 1 };
}

/** Cuts the rows that were read {@link withOneMore} to the limit. */
export function pageOf<Row>(read: readonly Row[], limit: number): { readonly rows: Row[]; readonly hasNext: boolean } {
  return { rows: read.slice(0, limit), hasNext: read.length > limit };
}
