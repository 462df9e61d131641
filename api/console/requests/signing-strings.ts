import type { AnswerTo } from '../../openapi/calls.ts';
import { quote } from '../../../engine/values/text.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';

type Whole = AnswerTo<'GET /requests/:requestId'>['requests'][number];
type Difference = NonNullable<Whole['signing']['difference']>;

/** Longest part of a line that a sentence repeats. */
const longest = 60;

/**
 * The signing string. If the signature was refused: the string that the bank verifies beside the one that was signed, with the first
 * difference marked and in words. `which` ends the names of its regions. Null: the request has too little to verify.
 */
export function signingStrings({ signing, verdict }: Whole, id: string, which: string): HtmlValue {
  const { expected, received, difference } = signing;
  if (expected === null) return null;
  if (verdict === 'accepted') {
    const heading = 'As it was signed, and as the bank verifies it';
    return html`<h2>Signing string</h2>
      <div class="compare">${one({ id: `${id}-signed`, heading, which, text: expected, from: null })}</div>`;
  }
  const from = (rest = ''): OneString['from'] => (difference === null ? null : { line: difference.line, rest });
  const verified = { id: `${id}-expected`, heading: 'What the bank verifies', which, text: expected };
  const signed = { id: `${id}-received`, heading: 'What was signed', which, text: received };
  return html`<h2>Signing strings</h2>
    ${difference !== null && html`<p>${sentence(difference)}</p>`}
    <div class="compare">
      ${one({ ...verified, from: from(difference?.expected) })} ${one({ ...signed, from: from(difference?.received) })}
    </div>`;
}

function sentence({ line, column, expected, received }: Difference): string {
  const bank = expected === '' ? "the bank's ends there" : `the bank has ${quote(expected, longest)} there`;
  const signed = received === '' ? 'the signed one ends there' : `${quote(received, longest)} was signed`;
  return `They begin to differ in line ${line}, at character ${column}: ${bank}, and ${signed}.`;
}

interface OneString {
  readonly id: string;
  readonly heading: string;
  readonly which: string;
  /** Null: unknown. */
  readonly text: string | null;
  /** The line with the first difference, from 1, and the end of that line from there; null: there is none. */
  readonly from: { readonly line: number; readonly rest: string } | null;
}

function one({ id, heading, which, text, from }: OneString): Html {
  return html`<div>
    <h3 id="${id}">${heading}</h3>
    ${
      text === null
        ? html`<p class="soft">Unknown. No known mistake explains this signature.</p>`
        : html`<pre
            tabindex="0"
            role="region"
            aria-label="${heading}${which}"
          ><code>${text.split('\n').map((line, index) => html`${index > 0 && '\n'}${marked(line, index + 1 === from?.line ? from.rest : null)}`)}</code></pre>`
    }
  </div>`;
}

/** A line with its end marked. One that ends before the difference has a mark of its own. */
function marked(line: string, rest: string | null): Html {
  if (rest === null) return html`<bdi>${line}</bdi>`;
  if (rest === '') return html`<bdi>${line}</bdi><mark>⏎</mark>`;
  // Numbers of persons are masked in both, which may move the character.
  const start = line.endsWith(rest) ? line.length - rest.length : 0;
  return html`<bdi>${line.slice(0, start)}<mark>${line.slice(start)}</mark></bdi>`;
}
