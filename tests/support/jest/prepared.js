/**
 * Stands for api/start/prepared.ts in files that share their modules, as a module of the bundle stands for it there: banks begin as
 * copies of one seeded ledger, which takes half the time of inserting its rows.
 */
export let prepared = null;

/** `made`: what scripts/bundle/prepare.ts makes. */
export function usePrepared(made) {
  prepared = made;
}
