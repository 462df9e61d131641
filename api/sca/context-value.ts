import type { ChosenContext } from '../../engine/approval/read-sca.ts';

/** The value of a form field for a context: `PRIVATE`, or `CORPORATE` with the id of an agreement. */
export function contextValue({ context, agreement }: ChosenContext): string {
  return agreement === null ? context : `${context} ${agreement}`;
}

/** The context that a value of contextValue names, or null. */
export function contextNamed(value: string): ChosenContext | null {
  if (value === 'PRIVATE') return { context: 'PRIVATE', agreement: null };
  const [, agreement] = /^CORPORATE (\S+)$/.exec(value) ?? [];
  return agreement === undefined ? null : { context: 'CORPORATE', agreement };
}
