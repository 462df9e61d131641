import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { pathTo } from '../../openapi/calls.ts';
import { type Field, filterForm } from './forms.ts';

/** Values of one parameter, to choose from. */
interface Choice {
  /** Name of the parameter. */
  readonly name: string;
  /** The label of the group of chips, for screen readers. */
  readonly label: string;
  /** The words of each value; the value '' stands for the list without this filter. */
  readonly options: Readonly<Record<string, string>>;
}

/** The options of a choice: all, and each of these values. */
export function allOr<Value extends string>(
  values: readonly Value[],
  words: (value: Value) => string = (value) => value,
): Choice['options'] {
  return { '': 'All', ...Object.fromEntries(values.map((value) => [value, words(value)])) };
}

/**
 * The filters of a list. Each value of a choice is a chip: a link to the list with this filter beside the other ones. Typed filters are
 * fields of a form, which is folded while none of them is set.
 */
export function filters(call: PageCall, choices: readonly Choice[], typed: readonly Field[] = []): Html {
  const kept = choices.flatMap(({ name, label }): Field[] => {
    const value = call.query.get(name);
    return value === undefined ? [] : [{ name, label, value, type: 'hidden' }];
  });
  const isTyped = typed.some(({ name }) => call.query.has(name));
  return html`<div class="filters">
    ${choices.map((choice) => chips(call, choice))}
    ${
      typed.length > 0 &&
      html`<details id="more-filters" ${isTyped && html`open`}>
        <summary>More filters</summary>
        ${filterForm(call, [...kept, ...typed])}
      </details>`
    }
  </div>`;
}

function chips(call: PageCall, { name, label, options }: Choice): Html {
  const [path = ''] = call.here.split('?');
  const chosen = call.query.get(name) ?? '';
  const chip = ([value, words]: [string, string]): Html => {
    const query = { ...Object.fromEntries(call.query), offset: undefined, [name]: value };
    const mark = value === chosen && html`aria-current="true"`;
    return html`<li><a class="chip" href="${call.to(pathTo(path, { query }))}" ${mark}>${words}</a></li>`;
  };
  return html`<ul class="chips" aria-label="${label}">
    ${Object.entries(options).map(chip)}
  </ul>`;
}
