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

/** Runs the action of the first word. Throws a WrongUse that names the nearest action for an unknown one. */
export async function takeAction(
  command: Command,
  actions: ReadonlyMap<string, Action>,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  const [word = '', name] = given.words;
  const action = actions.get(word);
  if (action === undefined) {
    const hint = nearest(word, [...actions.keys()]);
    throw new WrongUse(`there is no ${command.name} ${JSON.stringify(word)}; the nearest is ${command.name} ${hint}`);
  }
  if (action.names !== (name !== undefined)) {
    throw new WrongUse(`${command.name} ${word} takes ${action.names ? 'a NAME' : 'no name'}`);
  }
  await action.run(given, terminal, name ?? '');
  return 0;
}
