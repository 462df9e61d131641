/**
 * What norwegian-calendar.ts requires: the package date-holidays. The published package has it in a file of its own, with the holidays of
 * Norway alone: scripts/bundle/bundle-holidays.ts.
 */
export const holidaysModule = 'date-holidays';
