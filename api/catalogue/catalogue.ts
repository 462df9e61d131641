import { readdirSync, readFileSync } from 'node:fs';
import { type Scenario, topics } from './scenario.ts';

/** Folder of the scenarios. The sources and the build have the same depth, so the relative address works in both. */
const folder = new URL('../../scenarios/', import.meta.url);
const ending = '.json';
let read: readonly Scenario[] | undefined;

/** The scenarios of the folder `scenarios` in the order of their names, read once. `first-payment` is the first. */
export function catalogue(): readonly Scenario[] {
  read ??= readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Scenario)
    .toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return read;
}

/** The scenarios of the folder by topic, in the order of the topics. */
export function catalogueByTopic(): readonly (readonly [topic: string, scenarios: readonly Scenario[]])[] {
  const all = Map.groupBy(catalogue(), ({ topic }) => topic);
  return topics.map((topic) => [topic, all.get(topic) ?? []] as const);
}

function rank({ name }: Scenario): number {
  return name === 'first-payment' ? 0 : 1;
}
