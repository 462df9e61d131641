import { type Fault, maxFaults } from '../../../engine/values/fault.ts';
import { faultOf, type Violation } from './faults.ts';
import { memberOf } from '../../bodies/rule.ts';

/** In characters of JSON: several times the longest item of the interface. */
const longestItem = 16_384;

/**
 * Faults of the items of a long list, each with its path from the root. Items after the 20th fault are not checked: the
 * last text says so. An item that is too long is refused unchecked. A value that is no list has no faults.
 */
export function longListFaults(
  member: string,
  body: unknown,
  judge: (item: unknown) => readonly Violation[],
): readonly Fault[] {
  const list = memberOf(body, member);
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const faults: Fault[] = [];
  for (const [index, item] of items.entries()) {
    const path = `${member}[${index}]`;
    faults.push(...itemFaults(item, judge).map((fault) => within(path, fault)));
    if (faults.length < maxFaults) continue;
    return index === items.length - 1 ? faults : cutShort(faults, items.length - 1 - index);
  }
  return faults;
}

function itemFaults(item: unknown, judge: (item: unknown) => readonly Violation[]): readonly Fault[] {
  const { length } = JSON.stringify(item);
  if (length <= longestItem) return judge(item).map((violation) => faultOf(violation));
  const text = `It has ${length} characters of JSON; a payment has at most ${longestItem}. Send what the interface lists.`;
  return [{ code: 'FORMAT_ERROR', text }];
}

function within(path: string, fault: Fault): Fault {
  return { ...fault, path: fault.path === undefined ? path : `${path}.${fault.path}` };
}

function cutShort(faults: readonly Fault[], unread: number): readonly Fault[] {
  const told = faults.slice(0, maxFaults);
  return told.map((fault, index) =>
    index === maxFaults - 1
      ? { ...fault, text: `${fault.text} (${unread} more ${unread === 1 ? 'item was' : 'items were'} not looked at)` }
      : fault,
  );
}
