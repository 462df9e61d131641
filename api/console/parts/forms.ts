import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleAction, PageCall } from '../page-call.ts';
import type { SchemaShape } from '../../bodies/schema.ts';
import { type CallName, pathTo } from '../../openapi/calls.ts';
import { lastRefusalId, type Note } from '../notes.ts';
import { code, commandLine, folded } from './blocks.ts';
import { enteredAmount } from '../../../engine/values/money.ts';

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Its initial value. */
  readonly value?: string;
  /** What the field takes, below it. */
  readonly hint?: string;
  readonly type?: 'text' | 'date' | 'number' | 'password' | 'hidden';
  /** The label of each value to choose from; the value '' means no value. */
  readonly options?: Readonly<Record<string, string>>;
  readonly required?: boolean;
  /** A page begins with it. */
  readonly isFirst?: boolean;
  /** A sentence is entered. */
  readonly isLong?: boolean;
  /** The lines of a field that takes several. */
  readonly rows?: number;
  /** Where a fault of the body names it, when not by its name: `amount.amount`. */
  readonly faultPath?: string;
}

interface ActionForm {
  readonly button: string;
  /** How the button looks: `main` for what the page is for, `bad` for what takes something away. */
  readonly tone?: 'main' | 'plain' | 'bad';
  /** Parameters of the action's path, by default those of the view's. */
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * The form of an action. The page shows the line for curl that does the same, made of the first values of its fields.
 * After a refusal the form says why and keeps what was entered, also when its page is opened without the note.
 */
export function actionForm(
  call: PageCall,
  action: ConsoleAction,
  { button, tone = 'plain', params = call.params }: ActionForm,
  fields: readonly Field[] = [],
): Html {
  const own = pathTo(action.path, { params });
  const id = `form${own}-${fields[0]?.name ?? ''}`.replaceAll(/[^\w-]/g, '-');
  const last = lastRefusal(call, own);
  // Two forms of a page may have the same action and different fields.
  const entered = last !== null && fields.some(({ name }) => last.fields.has(name)) ? last.fields : null;
  const first = new Map(
    fields.flatMap(({ name, value }) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
  const line = lineOf(call, action, params, fields.length === 0 ? null : first);
  // Rows of a table have the same form with different parameters.
  const key = `${action.path} ${fields.map(({ name }) => name).join(' ')}`;
  if (line !== null && !call.formLines.has(key)) call.formLines.set(key, line);
  const shown = fields.map((field) => {
    const at = field.faultPath ?? field.name;
    const errors = entered !== null && last === call.note ? (last?.problem?.errors ?? []) : [];
    const fault = errors.find(({ path }) => path === at || path.startsWith(`${at}.`)) ?? null;
    return fieldOf(
      id,
      entered === null || field.type === 'hidden' ? field : { ...field, value: entered.get(field.name) ?? '' },
      fault?.detail ?? null,
    );
  });
  const content = html`${shown} <button class="${tone}">${button}</button>`;
  const name = fields.every(({ type }) => type === 'hidden') ? '' : 'fields';
  return html`<div class="action">${ownForm(call, own, content, html`class="${name}"`)}</div>`;
}

/** The line that does the same as a form with these first values, or without fields. Null if the page shows none. */
function lineOf(
  call: PageCall,
  action: ConsoleAction,
  params: Readonly<Record<string, string>>,
  first: Entered | null,
): string | null {
  if ('act' in action) {
    return action.command && commandLine(call, action.command.replace(':name', params['name'] ?? ''));
  }
  return call.curl(
    action.call,
    { params },
    first === null ? undefined : bodyOfFields(call, action.call, first, action.body),
  );
}

/**
 * The last refusal of a form in this browser, with what was entered. Null if there was none, or the form was accepted
 * since.
 */
export function lastRefusal(call: PageCall, form: string): Note | null {
  if (call.note?.form === form && call.note.problem !== undefined) return call.note;
  return call.notes.find(lastRefusalId(call.formToken, call.here, form));
}

/** A form of the console: it carries its token and its page. */
export function ownForm(call: PageCall, path: string, content: Html, attributes: Html | null = null): Html {
  return html`<form method="post" action="${call.to(path)}" ${attributes}>
    ${hiddenInputs({ [formTokenField]: call.formToken, [cameFromField]: call.here })} ${content}
  </form>`;
}

/** Hidden inputs with these values. */
export function hiddenInputs(values: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

type Entered = ReadonlyMap<string, string>;

/**
 * The body of a call, of the fields that have a value: each member as its schema has it, but those that `own` makes.
 */
export function bodyOfFields(
  call: PageCall,
  name: CallName,
  fields: Entered,
  own?: (fields: Entered) => object,
): object {
  const members = Object.entries(call.schemaOf(name)?.properties ?? {}).map(([member, schema]) => [
    member,
    memberIn(fields, member, schema),
  ]);
  const body = { ...Object.fromEntries(members), ...own?.(fields) };
  // Without the members that are undefined.
  return JSON.parse(JSON.stringify(body)) as object;
}

/**
 * An amount in the currency of the form, a list, a number, or a text; a text that is no number as it is, for the
 * refusal.
 */
function memberIn(fields: Entered, member: string, { type }: SchemaShape): unknown {
  // A form with a currency has an amount, which may be blank.
  const text = fields.get(member) ?? (type === 'object' && fields.has('currency') ? '' : undefined);
  if (text === undefined) return undefined;
  if (type === 'array') return text.split(/[\s,]+/).filter(Boolean);
  if (type === 'integer') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type !== 'object') return text;
  const currency = fields.get('currency') ?? '';
  return { amount: enteredAmount(text, currency), currency };
}

/** The button of a row that removes what has this name. */
export function removal(call: PageCall, action: ConsoleAction, name: string): Html {
  return actionForm(call, action, { button: 'Remove', tone: 'bad', params: { name } });
}

/** The form that confirms an action, and a link to the page `back`. */
export function confirmation(
  call: PageCall,
  action: ConsoleAction,
  { button, back, fields }: { readonly button: string; readonly back: string; readonly fields?: readonly Field[] },
): Html {
  return html`${actionForm(call, action, { button, tone: 'bad' }, fields)}
    <p><a class="button" href="${call.to(back)}">Cancel</a></p>`;
}

/** Hidden fields with these values. */
export function hiddenFields(values: Readonly<Record<string, string>>): readonly Field[] {
  return Object.entries(values).map(([name, value]) => ({ name, value, label: name, type: 'hidden' }));
}

/** Names of the hidden fields of every form; a field of a form has no such name. */
export const formTokenField = 'form-token';
export const cameFromField = 'came-from';

/** A form that asks for this view again, with its fields as parameters. */
export function filterForm(call: PageCall, fields: readonly Field[], button = 'Show'): Html {
  const id = `filter${call.path.replaceAll(/[^\w-]/g, '-')}`;
  return html`<form class="filter fields" method="get" action="${call.to(call.path)}" id="${id}">
    ${fields.map((field) => fieldOf(id, { ...field, value: call.query.get(field.name) ?? field.value ?? '' }, null))}
    <button>${button}</button>
  </form>`;
}

/** The lines for curl that do the same as a view and its forms, folded. */
export function sameByCurl(lines: readonly string[]): Html | null {
  if (lines.length === 0) return null;
  return html`<details class="curl" id="view-curl">
    <summary>The same by curl</summary>
    ${code(lines.join('\n'), 'The same by curl')}
  </details>`;
}

/** Length of an option, and of a label, that need two columns, in characters. */
const [longOption, longLabel] = [22, 28] as const;

/** A field of a form. `fault`: what is wrong with its value, or null. */
export function fieldOf(form: string, field: Field, fault: string | null): HtmlValue {
  const {
    name,
    label,
    value = '',
    hint,
    type = 'text',
    options,
    required = false,
    isFirst = false,
    isLong = false,
    rows,
  } = field;
  if (type === 'hidden') return hiddenInputs({ [name]: value });
  const id = `${form}-${name}`;
  const described = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean).join(' ');
  const attributes = html`id="${id}" name="${name}" ${required && html`required`} ${isFirst && html`autofocus`}
  ${described !== '' && html`aria-describedby="${described}"`} ${fault !== null && html`aria-invalid="true"`}`;
  const isTwoColumns =
    isLong || label.length > longLabel || Object.values(options ?? {}).some((each) => each.length > longOption);
  const size = rows !== undefined ? 'wide' : isTwoColumns ? 'long' : '';
  return html`<div class="field ${size}">
    <label for="${id}">${label}</label>
    ${
      rows !== undefined
        ? html`<textarea ${attributes} rows="${rows}" spellcheck="false">${value}</textarea>`
        : options === undefined
          ? html`<input ${attributes} type="${type}" value="${value}" autocomplete="off" spellcheck="false" />`
          : html`<select ${attributes}>
              ${Object.entries(options).map(
                ([each, words]) => html`<option value="${each}" ${each === value && html`selected`}>${words}</option>`,
              )}
            </select>`
    }
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== null && html`<p class="fault" id="${id}-fault">${fault}</p>`}
  </div>`;
}

/** Values of one parameter, to choose from. */
interface Choice {
  /** Name of the parameter. */
  readonly name: string;
  /** The label of the group of chips, for screen readers. */
  readonly label: string;
  /** The words of each value; the value '' stands for the list without this filter. */
  readonly options: Readonly<Record<string, string>>;
}

/** These values as the options of a choice or a field, each with its words. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  words: (value: Value) => string = (value) => value,
): Choice['options'] {
  return Object.fromEntries(values.map((value) => [value, words(value)]));
}

/** The same with `All` as the first option, which stands for no filter. */
export function allOr<Value extends string>(
  values: readonly Value[],
  words?: (value: Value) => string,
): Choice['options'] {
  return { '': 'All', ...optionsOf(values, words) };
}

/**
 * The filters of a list. Each value of a choice is a chip: a link to the list with this filter beside the other ones.
 * Typed filters are fields of a form, which is folded while none of them is set.
 */
export function filters(call: PageCall, choices: readonly Choice[], typed: readonly Field[] = []): Html {
  const kept = choices.flatMap(({ name, label }): Field[] => {
    const value = call.query.get(name);
    return value === undefined ? [] : [{ name, label, value, type: 'hidden' }];
  });
  const isTyped = typed.some(({ name }) => call.query.has(name));
  return html`<div class="filters">
    ${choices.map((choice, index) => chips(call, choice, index > 0))}
    ${typed.length > 0 && folded('more-filters', 'More filters', filterForm(call, [...kept, ...typed]), isTyped)}
  </div>`;
}

/** The values of one parameter as links to this view. `isToggle`: the chosen one leads back to all. */
export function chips(call: PageCall, { name, label, options }: Choice, isToggle = false): Html {
  const chosen = call.query.get(name) ?? '';
  const shown = Object.entries(options).filter(([value]) => !isToggle || value !== '');
  const all = shown.map(([value, words]) => {
    const to = isToggle && value === chosen ? '' : value;
    const query = { ...Object.fromEntries(call.query), offset: undefined, [name]: to };
    return { href: call.to(call.path, { query }), words, isHere: value === chosen };
  });
  return chipList(label, all);
}

interface Chip {
  readonly href: string;
  readonly words: string;
  readonly isHere: boolean;
}

/** Links as chips. One of them leads to this page. */
export function chipList(label: string, chips: readonly Chip[]): Html {
  return html`<ul class="chips" aria-label="${label}">
    ${chips.map(
      ({ href, words, isHere }) =>
        html`<li><a class="chip" href="${href}" ${isHere && html`aria-current="true"`}>${words}</a></li>`,
    )}
  </ul>`;
}
