/**
 * Row types by table name, for Kysely. Each room adds its tables in its `rows/tables.ts`; migrations/ creates them. Money
 * is bigint, in columns named *_minor.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- the rooms fill it
export interface Tables {}
