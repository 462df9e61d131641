import { once } from '../../../engine/values/once.ts';
import type { OwnServer, ScenarioPlays } from './plays.ts';

/** What the consoles of a server play. It is loaded when one of them is first opened. */
export function playsOf(server: OwnServer): () => Promise<ScenarioPlays> {
  return once(async () => {
    const { ScenarioPlays: Plays } = await import('./plays.ts');
    return new Plays(server);
  });
}
