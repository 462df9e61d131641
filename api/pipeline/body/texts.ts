/** The members of a schema that lead to its texts; `longItems` is our own keyword (api/bodies/schema.ts). */
interface Shape {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly longItems?: Shape;
}

/**
 * Settles the texts of a body in place, before it is judged (rules.md P8b): decomposed letters are composed (NFC), and an optional
 * text that has white space only is taken away, as if it was not sent. A text is a string of the format `clearing-text`, or of
 * `said-text`, which is never taken away: a blank one is refused.
 */
export function settleTexts(schema: Shape, value: unknown): void {
  settled(schema, value);
}

function settled(schema: Shape, value: unknown): unknown {
  if (typeof value === 'string') return isText(schema) ? value.normalize('NFC') : value;
  if (Array.isArray(value)) settleItems(schema.items ?? schema.longItems, value);
  else if (typeof value === 'object' && value !== null) settleMembers(schema, value as Record<string, unknown>);
  return value;
}

function settleItems(schema: Shape | undefined, items: unknown[]): void {
  if (schema === undefined || !leadsToTexts(schema)) return;
  for (const [index, item] of items.entries()) items[index] = settled(schema, item);
}

function settleMembers({ properties = {}, required = [] }: Shape, members: Record<string, unknown>): void {
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(members, name)) continue;
    const value = settled(schema, members[name]);
    const isBlankText = typeof value === 'string' && isText(schema) && isBlank(value);
    if (isBlankText && schema.format !== 'said-text' && !required.includes(name)) Reflect.deleteProperty(members, name);
    else members[name] = value;
  }
}

/** So that a long list of numbers is not gone through. */
function leadsToTexts(schema: Shape): boolean {
  return isText(schema) || (schema.properties ?? schema.items ?? schema.longItems) !== undefined;
}

function isText({ format }: Shape): boolean {
  return format === 'clearing-text' || format === 'said-text';
}

/** Whether a text has no character but white space, no-break spaces included. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
