import type { PsuContext } from '../../engine/ledger/tables.ts';

/** A context as the forms carry it: `PRIVATE`, or `CORPORATE` with the id of an agreement. */
export interface ChosenContext {
  readonly context: PsuContext;
  /** Null in PRIVATE. */
  readonly agreement: string | null;
}

/** The value of a form field for a context. */
export function contextValue({ context, agreement }: ChosenContext): string {
  return agreement === null ? context : `${context} ${agreement}`;
}

/** Whether a form field's value means this context. A form without one means none. */
export function isContextValue(value: string, choice: ChosenContext): boolean {
  return value === contextValue(choice);
}
