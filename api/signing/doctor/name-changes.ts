import { words } from '../../../engine/values/text.ts';
import { coveredWhenSent } from '../signature/signed-text.ts';
import type { Axis, Change } from './draft.ts';

/** Maximum number of names that are put in every order: 720 orders. */
const maxPermuted = 6;
/** Maximum number of names that are left out or added two at a time, and of received names that are added. */
const maxCombined = 12;
/** Headers that are there on every request, and that some libraries sign. */
const oftenAdded = words([
  '(request-target) host content-type content-length accept user-agent digest date x-request-id',
]);

/** Mistakes in the choice and the order of headers. `listed`: the names of headers="...". `sent`: the names of all sent headers. */
export function nameAxis(listed: readonly string[], sent: readonly string[]): Axis {
  const received = [...new Set(sent)];
  const few = listed.length > maxCombined ? [] : listed;
  const orders = [
    listed.toSorted(),
    listed.toReversed(),
    inOrderOf(coveredWhenSent, listed),
    inOrderOf(received, listed),
  ];
  const there = oftenAdded.filter(
    (name) => !listed.includes(name) && (name === '(request-target)' || received.includes(name)),
  );
  const added = [...new Set([...there, ...received.slice(0, maxCombined).filter((name) => !listed.includes(name))])];
  return distinct(listed, [
    ...few.map((name) => leftOut(listed, [name], 1)),
    ...orders.map((names) => reordered(names, 1)),
    ...there
      .slice(0, 3)
      .flatMap((name) => [alsoSigned(name, [name, ...listed], 1), alsoSigned(name, [...listed, name], 1)]),
    ...added.map((name) => alsoSigned(name, [...listed, name], 2)),
    ...added.map((name) => alsoSigned(name, [name, ...listed], 2)),
    ...coveredWhenSent
      .filter((name) => !received.includes(name))
      .map((name) => changed([...listed, name], `has an empty ${name}, which was not sent`, 'Sign what is sent', 1)),
    ...few.flatMap((name, at) => few.slice(at + 1).map((other) => leftOut(listed, [name, other], 2))),
    ...added.flatMap((name) => few.slice(1).map((_, at) => alsoSigned(name, listed.toSpliced(at + 1, 0, name), 2))),
    ...few.map((name) => changed([name], `has ${name} alone`, signAll, 2)),
  ]);
}

/** The last thing to try: every other order of a few names. Many names have too many orders. */
export function orderAxis(listed: readonly string[]): Axis {
  return listed.length <= maxPermuted ? permutations(listed).map((names) => reordered(names, 3)) : [];
}

interface Named extends Change {
  readonly names: readonly string[];
}

function changed(names: readonly string[], did: string, cure: string, cost: Change['cost']): Named {
  return { names, did, cure, cost, apply: (draft) => ({ ...draft, names }) };
}

/** The changes without those that give the listed names, or names that an earlier change gives. */
function distinct(listed: readonly string[], changes: readonly Named[]): Axis {
  const seen = new Set([listed.join(' '), '']);
  return changes.filter(({ names }) => {
    const key = names.join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const signAll = 'Sign every header that headers="..." names';

function leftOut(listed: readonly string[], names: readonly string[], cost: Change['cost']): Named {
  const rest = listed.filter((name) => !names.includes(name));
  return changed(rest, `lacks ${names.join(' and ')}`, signAll, cost);
}

function reordered(names: readonly string[], cost: Change['cost']): Named {
  const cure = 'List the names in headers="..." in the order signed';
  return changed(names, `has the order ${names.join(' ')}`, cure, cost);
}

function alsoSigned(name: string, names: readonly string[], cost: Change['cost']): Named {
  const did = `has ${name} too, as line ${names.indexOf(name) + 1}`;
  return changed(names, did, 'Name it in headers="..." in that place', cost);
}

function inOrderOf(order: readonly string[], names: readonly string[]): string[] {
  const places = new Map(order.map((name, at) => [name, at]));
  const place = (name: string): number => places.get(name) ?? order.length;
  return names.toSorted((one, other) => place(one) - place(other));
}

function permutations(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((name, at) => permutations(names.toSpliced(at, 1)).map((rest) => [name, ...rest]));
}
