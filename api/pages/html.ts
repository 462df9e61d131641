/** Text that is safe to put into a page as it is. Only `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: null and false leave nothing. */
export type HtmlValue = string | number | Html | null | false | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of a page. Every value is escaped, for element text and quoted attributes alike, unless it is Html itself. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, index) => text + rendered(values[index] ?? null)).join(''));
}

function rendered(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(rendered).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
