/**
 * The folder of the known states and the price lists. Named in one file alone: what is bundled lies as deep as this file
 * does, so that the address holds for the sources and for the package.
 */
export const fixturesFolder = new URL('../../fixtures/', import.meta.url);
