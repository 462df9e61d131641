/**
 * Folder of the known states and price lists. Only this file names it: it is as deep in the sources as in the bundle, so
 * that the relative address works in both.
 */
export const fixturesFolder = new URL('../../fixtures/', import.meta.url);
