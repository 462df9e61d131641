/** A WARNING of an accepted request (interface: TPP message; rules.md E1): P3 warns of dates, R3 and R5 of what is ignored. */
export interface Warning {
  readonly code: 'EXECUTION_DATE_INVALID' | 'FORMAT_ERROR';
  readonly path: string;
  readonly text: string;
}
