/**
 * The tables of migrations/ by name. Each room declares its own, with the rows as its repositories see them, in its
 * `rows/tables.ts`. Money is bigint, in columns named *_minor.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the rooms fill it
export interface Tables {}
