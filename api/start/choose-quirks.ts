import {
  isProblem,
  isQuirk,
  switched,
  type QuirkChoice,
  type QuirkProblem,
  type Quirks,
} from '../../engine/bank/rules/quirk.ts';
import { nearest } from '../faults/nearest.ts';

/** A refused choice: one sentence without its full stop, and the name of the quirk. */
export interface RefusedChoice {
  readonly name: string;
  readonly problem: string;
}

/** Switches quirks from those that are on (rules.md Q1). A refusal names the nearest right word, or all. */
export function chooseQuirks(on: Quirks, choice: QuirkChoice): Quirks | RefusedChoice {
  const chosen = switched(on, choice);
  return isProblem(chosen) ? { name: chosen.name, problem: sentenceOf(chosen) } : chosen;
}

function sentenceOf({ name, problem, given, words }: QuirkProblem): string {
  const near = nearest(given, words);
  if (near !== null) return `${problem}; the nearest is ${near}`;
  // The problem of a value already lists the allowed words.
  return isQuirk(name) ? problem : `${problem}; there are ${words.join(', ')}`;
}
