import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import type { Next } from '../parts/links.ts';

/** A link of the menu. */
interface Item {
  /** Below the console, or below the bank if it is outside the console. */
  readonly path: string;
  readonly text: string;
  /** A path of SVG in a box of 16 pixels. */
  readonly icon: string;
  readonly isOutside?: boolean;
}

const clockFace = 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8';

/** The views in groups, and what is beside the console. */
const groups: Readonly<Record<string, readonly Item[]>> = {
  '': [{ path: '', text: 'Overview', icon: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z' }],
  Money: [
    { path: '/payments', text: 'Payments', icon: 'M2 5h11l-3-3M14 11H3l3 3' },
    { path: '/accounts', text: 'Accounts', icon: 'M1.5 3.5h13v9h-13zM1.5 6.5h13' },
    { path: '/people', text: 'People', icon: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 14c0-3 3-4 6-4s6 1 6 4' },
  ],
  Time: [
    { path: '/calendar', text: 'Calendar', icon: 'M2 3h12v11H2zM2 6.5h12M5 1v3M11 1v3' },
    { path: '/forecast', text: 'Forecast', icon: 'M2 12l4-4 3 3 5-7M10 4h4v4' },
    { path: '/when', text: 'When?', icon: `${clockFace}M8 4v4l3 2` },
    { path: '/snapshots', text: 'Snapshots', icon: 'M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3' },
  ],
  Access: [
    { path: '/sca', text: 'SCAs', icon: 'M2 14l1-4 8-8 3 3-8 8z' },
    { path: '/consents', text: 'Consents', icon: 'M8 1.5l5.5 2v4c0 4-3 6-5.5 7-2.5-1-5.5-3-5.5-7v-4z' },
  ],
  Test: [
    { path: '/requests', text: 'Requests', icon: 'M2 4h12M2 8h12M2 12h7' },
    { path: '/doctor', text: 'Doctor', icon: 'M6 2h4v4h4v4h-4v4H6v-4H2V6h4z' },
  ],
  Bank: [
    { path: '/banks', text: 'Banks', icon: 'M2 6l6-4 6 4zM3.5 6.5v5M6.5 6.5v5M9.5 6.5v5M12.5 6.5v5M2 13.5h12' },
    { path: '/quirks', text: 'Quirks', icon: 'M2 5h8M13 5h1M2 11h1M6 11h8M11.5 3v4M4.5 9v4' },
  ],
  Read: [
    { path: 'docs', text: 'API', isOutside: true, icon: 'M5 4L1.5 8 5 12M11 4l3.5 4-3.5 4' },
    {
      path: 'docs/first-payment',
      text: 'Guide',
      isOutside: true,
      icon: 'M8 4C6 2.5 4 2.5 2 3v10c2-.5 4-.5 6 1 2-1.5 4-1.5 6-1V3c-2-.5-4-.5-6 1zM8 4v10',
    },
  ],
};

/** The links that a bank has, in groups. Other parts of the page use its icons. */
export function menuList(call: PageCall): Html {
  return html`<ul>
    ${Object.entries(groups).map(
      ([heading, items]) =>
        html`<li class="group">
          ${heading !== '' && html`<span>${heading}</span>`}
          <ul>
            ${items.map((item) => linkOf(call, item))}
          </ul>
        </li>`,
    )}
  </ul>`;
}

/** The list that the page belongs to, and the first page. */
export function waysOut(call: PageCall): readonly Next[] {
  const views = Object.values(groups)
    .flat()
    .filter((item) => item.isOutside !== true);
  const above = views.filter(({ path }) => call.here.startsWith(path));
  return above.toReversed().map(({ path, text }) => ({ href: call.to(path), text }));
}

function linkOf(call: PageCall, { path, text, icon, isOutside = false }: Item): Html {
  const isHere = !isOutside && (path === call.path || (path !== '' && call.path.startsWith(`${path}/`)));
  const id = `i${path.replace(/\W/g, '-')}`;
  return html`<li>
    <a href="${isOutside ? call.out(path) : call.to(path)}" ${isHere && html`aria-current="page"`}
      ><svg class="icon" aria-hidden="true"><path id="${id}" d="${icon}" /></svg>${text}</a
    >
  </li>`;
}
