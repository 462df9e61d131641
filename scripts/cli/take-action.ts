import { nearest } from '../../api/faults/nearest.ts';
import type { Terminal } from './terminal.ts';
import type { Arguments } from './arguments.ts';
import { WrongUse, type Command } from './command.ts';

/** One of several things that a command does, by its first word. */
export interface Action {
  /** Whether a name must follow. */
  readonly names: boolean;
  run(given: Arguments, terminal: Terminal, name: string): Promise<void>;
}

/** Does what the first word says; throws a WrongUse that names the nearest for one that is not there. */
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
