import { Html, html } from '../pages/html.ts';
import { drawNarrow } from './draw-narrow.ts';
import { drawWide, heightOf, width } from './draw-wide.ts';
import type { Drawing } from './drawing.ts';
import { type Line, totalsText } from './model.ts';
import { pictureStyles, type Scheme } from './styles.ts';

/** Both pictures of a line; the style sheet shows the one that fits. */
export function drawLine(line: Line, drawing: Drawing): Html {
  return html`${drawWide(line, drawing)} ${drawNarrow(line, drawing)}`;
}

/**
 * The wide picture as a file, with its sentence above it: an SVG with its own styles, light or dark. It has no ids and no account numbers,
 * names of payees only if `isNamed`, and nothing to click or to move.
 */
export function pictureOf(line: Line, scheme: Scheme = 'auto', isNamed = false): string {
  const height = heightOf(line);
  const [wide, high] = [width + 40, height + 78];
  const place = html`x="20" y="54" width="${width}" height="${height}"`;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    class="settlement"
    viewBox="0 0 ${wide} ${high}"
    width="${wide}"
    height="${high}"
    role="img"
  >
    <title>${totalsText(line)}</title>
    ${new Html(`<style>${pictureStyles(scheme)}</style>`)}
    <rect class="paper" width="${wide}" height="${high}" rx="8" />
    <text class="h" x="20" y="32">${totalsText(line)}</text>
    ${drawWide(line, { href: null, isNamed, isMovable: false }, place)}
  </svg>`.text;
}
