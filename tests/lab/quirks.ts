import { choiceOf, isProblem, noQuirks, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';

/** The quirks of a list as `--quirks` takes it. Throws an Error for a wrong one. */
export function quirksIn(list: string): Quirks {
  const quirks = switched(noQuirks, choiceOf(list));
  if (isProblem(quirks)) throw new Error(quirks.problem);
  return quirks;
}
