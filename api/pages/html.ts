/** Markup that is safe as it is. Make it with `html`. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a template; null and false render as nothing. */
export type HtmlValue = string | number | Html | null | false | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of a page. Escapes every value for element text and quoted attributes, unless it is Html already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const texts = withoutIndents.get(strings) ?? strings.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  withoutIndents.set(strings, texts);
  return new Html(texts.map((text, index) => text + rendered(values[index] ?? null)).join(''));
}

/** The texts of each template without the indents of the source, which would be a third of a page. */
const withoutIndents = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The text of a piece of a page without its markup, for an attribute. */
export function withoutMarkup({ text }: Html): Html {
  return new Html(
    text
      .replaceAll(/<[^<>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('"', '&quot;')
      .trim(),
  );
}

/** A path or a code. A line too short for it breaks after a slash or an underscore. */
export function breakable(text: string): Html {
  return new Html(rendered(text).replaceAll(/[/_]/g, '$&<wbr />'));
}

function rendered(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(rendered).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
