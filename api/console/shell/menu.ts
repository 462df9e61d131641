import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { consoleViews } from '../views.ts';

/** A link of the menu: its path below the console, or its address below the bank without one. */
interface Item {
  readonly path: string;
  /** A path of SVG in a box of 16 pixels. */
  readonly icon: string;
  readonly outside?: string;
}

const clockFace = 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8';

/** The views in groups, and what is beside the console. A view that is in no group stands at the end. */
const groups: Readonly<Record<string, readonly Item[]>> = {
  '': [{ path: '', icon: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z' }],
  Money: [
    { path: '/payments', icon: 'M2 5h11l-3-3M14 11H3l3 3' },
    { path: '/accounts', icon: 'M1.5 3.5h13v9h-13zM1.5 6.5h13' },
    { path: '/people', icon: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 14c0-3 3-4 6-4s6 1 6 4' },
  ],
  Time: [
    { path: '/calendar', icon: 'M2 3h12v11H2zM2 6.5h12M5 1v3M11 1v3' },
    { path: '/forecast', icon: 'M2 12l4-4 3 3 5-7M10 4h4v4' },
    { path: '/when', icon: `${clockFace}M8 4v4l3 2` },
    { path: '/snapshots', icon: 'M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3' },
  ],
  Access: [
    { path: '/sca', icon: 'M2 14l1-4 8-8 3 3-8 8z' },
    { path: '/consents', icon: 'M8 1.5l5.5 2v4c0 4-3 6-5.5 7-2.5-1-5.5-3-5.5-7v-4z' },
  ],
  Test: [
    { path: '/requests', icon: 'M2 4h12M2 8h12M2 12h7' },
    { path: '/doctor', icon: 'M6 2h4v4h4v4h-4v4H6v-4H2V6h4z' },
    { path: '/scenarios', icon: 'M4 2.5l9 5.5-9 5.5z' },
    { path: '/coverage', icon: `${clockFace}M5 8l2 2 4-4` },
  ],
  Bank: [
    { path: '/banks', icon: 'M2 6l6-4 6 4zM3.5 6.5v5M6.5 6.5v5M9.5 6.5v5M12.5 6.5v5M2 13.5h12' },
    { path: '/quirks', icon: 'M2 5h8M13 5h1M2 11h1M6 11h8M11.5 3v4M4.5 9v4' },
    { path: '/host', icon: 'M2 2.5h12v4H2zM2 9.5h12v4H2zM4.5 4.5h1M4.5 11.5h1' },
  ],
  Read: [
    { path: 'docs', outside: 'API', icon: 'M5 4L1.5 8 5 12M11 4l3.5 4-3.5 4' },
    {
      path: 'docs/first-payment',
      outside: 'Guide',
      icon: 'M8 4C6 2.5 4 2.5 2 3v10c2-.5 4-.5 6 1 2-1.5 4-1.5 6-1V3c-2-.5-4-.5-6 1zM8 4v10',
    },
  ],
};

/** The links to all views that the bank has, in groups. Other parts of the page use its icons. */
export function menuList(call: PageCall): Html {
  const known = Object.values(groups).flat();
  const rest = consoleViews.filter(({ path, nav }) => nav !== undefined && known.every((item) => item.path !== path));
  const all = Object.entries({ ...groups, More: rest.map(({ path }) => ({ path, icon: '' })) });
  return html`<ul>
    ${all.map(([heading, items]) => {
      const links = items.map((item) => itemOf(call, item)).filter((link) => link !== null);
      return (
        links.length > 0 &&
        html`<li class="group">
          ${heading !== '' && html`<span>${heading}</span>`}
          <ul>
            ${links}
          </ul>
        </li>`
      );
    })}
  </ul>`;
}

function itemOf(call: PageCall, { path, icon, outside }: Item): Html | null {
  const { nav, needs } = consoleViews.find((view) => view.path === path) ?? {};
  const text = outside ?? nav;
  if (text === undefined || (needs !== undefined && !call.has(needs))) return null;
  const isHere = outside === undefined && (path === call.path || (path !== '' && call.path.startsWith(`${path}/`)));
  const id = `i${path.replace(/\W/g, '-')}`;
  const to = outside === undefined ? call.to(path) : call.out(path);
  return html`<li>
    <a href="${to}" ${isHere && html`aria-current="page"`}
      ><svg class="icon" aria-hidden="true"><path id="${id}" d="${icon}" /></svg>${text}</a
    >
  </li>`;
}
