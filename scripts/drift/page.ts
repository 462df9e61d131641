import { createHash } from 'node:crypto';
import { Html, html } from '../../api/pages/html.ts';
import { page } from '../../api/pages/page.ts';
import { styles } from '../../api/pages/styles.ts';
import { capital, clip } from '../../engine/values/text.ts';
import { counted } from '../cli/output.ts';
import { keyOf } from './difference.ts';
import { type Drift, type ReportedDifference, whatDiffers } from './tell.ts';

const sheet = `${styles}
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.8rem; margin: 0.35rem 0 0; padding: 0.6rem 0.8rem;
background: var(--ground); border-radius: 0.375rem; }
mark { background: var(--sand); color: inherit; }
section p, details { margin-top: 0.35rem; }
.answers { margin-top: 0.75rem; }
main { max-width: 75rem; }`;

/** Longest answer that is shown, in characters, and how many of its lines before and after the member that differs are not folded. */
const [maxAnswerChars, linesAround] = [20_000, 8] as const;

/** The differences as a page that loads nothing and runs nothing: the recorded answer, its member marked, beside what the sandbox has there. */
export function driftPage({ differences, quirks, replayed }: Drift, skipped: readonly string[]): string {
  const hash = createHash('sha256').update(sheet).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  return page({
    heading: 'Drift',
    head: html`<meta http-equiv="Content-Security-Policy" content="${policy}" />${new Html(`<style>${sheet}</style>`)}`,
    content: html`<p class="lead">${summaryOf(differences, replayed)}</p>
      ${skipped.map((line) => html`<p class="note">${line}</p>`)}
      ${differences.map((difference) => section(difference, quirks))}`,
  });
}

/** `3 kinds of difference in 40 replayed requests.` */
export function summaryOf(differences: readonly ReportedDifference[], replayed: number): string {
  const { length } = differences;
  const found = length === 0 ? 'No difference' : `${counted(length, 'kind')} of difference`;
  return `${found} in ${counted(replayed, 'replayed request')}.`;
}

function section(difference: ReportedDifference, quirks: Drift['quirks']): Html {
  return html`<section>
    <h2>${keyOf(difference)}</h2>
    <p>${capital(whatDiffers(difference, quirks))}</p>
    <div class="answers">
      <div>
        <h3>Recorded</h3>
        ${recorded(difference)}
      </div>
      <div>
        <h3>Sandbox</h3>
        <pre tabindex="0">
${clip(typeof difference.expected === 'string' ? difference.expected : JSON.stringify(difference.expected, null, 2), 2_000)}</pre>
      </div>
    </div>
    ${
      difference.fact !== undefined &&
      html`<details>
        <summary>As a fact for a profile</summary>
        <pre tabindex="0">${JSON.stringify(difference.fact, null, 2)}</pre>
      </details>`
    }
  </section>`;
}

/** The recorded answer, the member that differs marked in each item of a list: the lines around the first of them, and all of it folded. */
function recorded({ answer, path }: ReportedDifference): Html {
  const lines = linesOf(answer, '', path, '');
  const at = Math.max(
    0,
    lines.findIndex(({ isMarked }) => isMarked),
  );
  const [from, to] = [Math.max(0, at - linesAround), at + linesAround + 1];
  const around = lines.slice(from, to);
  if (around.length === lines.length) return html`<pre tabindex="0">${marked(lines)}</pre>`;
  let left = maxAnswerChars;
  const whole = lines.filter(({ text }) => (left -= text.length) >= 0);
  return html`<pre tabindex="0">${from > 0 && '…\n'}${marked(around)}${to < lines.length && '…'}</pre>
    <details>
      <summary>The whole answer</summary>
      <pre tabindex="0">${marked(whole)}${left < 0 && '…'}</pre>
    </details>`;
}

function marked(lines: readonly Line[]): readonly Html[] {
  return lines.map(({ text, isMarked }) => html`${isMarked ? html`<mark>${text}</mark>` : text}${'\n'}`);
}

interface Line {
  readonly text: string;
  readonly isMarked: boolean;
}

function linesOf(value: unknown, at: string, path: string, indent: string): Line[] {
  const isMarked = path !== '' && at === path;
  if (typeof value !== 'object' || value === null)
    return [{ text: indent + clip(JSON.stringify(value ?? null), 2_000), isMarked }];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([name, member]): Line[] => {
    const place = isList ? `${at}[]` : at === '' ? name : `${at}.${name}`;
    const lines = linesOf(member, place, path, `${indent}  `);
    const [first, ...rest] = lines;
    if (first === undefined || isList) return lines;
    return [{ ...first, text: `${indent}  ${JSON.stringify(name)}: ${first.text.trimStart()}` }, ...rest];
  });
  const [open, close] = isList ? '[]' : '{}';
  return [{ text: indent + open, isMarked }, ...inner, { text: indent + close, isMarked }];
}
