import { quote } from '../../engine/values/text.ts';
import { nearest } from '../../api/faults/nearest.ts';
import type { Terminal } from './terminal.ts';
import type { Arguments } from './arguments.ts';
import { WrongUse, type Command } from './command.ts';

/** An action of a command, named by its first word. */
export interface Action {
  /** Whether a name must follow. */
  readonly names: boolean;
  run(given: Arguments, terminal: Terminal, name: string): Promise<void>;
}

/** Number of words of a command with actions: {@link takeAction} counts them, after it has looked at the verb. */
export const actionWords = [0, Number.POSITIVE_INFINITY] as const;

/** Runs the action of the first word. Throws a WrongUse, first of all for an unknown action, with the nearest one. */
export async function takeAction(
  command: Command,
  actions: ReadonlyMap<string, Action>,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  const [word, name, tooMuch] = given.words;
  const verbs = [...actions.keys()];
  if (word === undefined) throw new WrongUse(`${command.name} has no verb: expected one of ${verbs.join(', ')}`);
  const action = actions.get(word);
  if (action === undefined) {
    const hint = nearest(word, verbs);
    const advice = hint === null ? `expected one of ${verbs.join(', ')}` : `the nearest is ${hint}`;
    throw new WrongUse(`${quote(word)} is no verb of ${command.name}; ${advice}`);
  }
  if (action.names !== (name !== undefined)) {
    throw new WrongUse(`${command.name} ${word} takes ${action.names ? 'a NAME' : 'no name'}`);
  }
  if (tooMuch !== undefined) throw new WrongUse(`${quote(tooMuch)} is one word too many`);
  await action.run(given, terminal, name ?? '');
  return 0;
}
