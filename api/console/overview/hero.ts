import { html, type Html } from '../../pages/html.ts';
import { platformBanks } from '../../start/platform.ts';
import { switchAddress } from '../banks/switch.ts';
import type { PageCall } from '../page-call.ts';
import { yearPath } from './year-path.ts';

let banks: ReturnType<typeof platformBanks> | null = null;

/** Shortens the name of a bank: `SpareBank 1 Helgeland` becomes `Helgeland`. */
function shortName(name: string): string {
  return name.replace(/^(SpareBank 1|Sparebanken) | ?(Spareb|-b|B)ank(en)?$| Norge$/g, '');
}

const months = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'];

/** One picture of what Sandbank can be: each bank of the platform, for a year of somebody's life. The year is the one of `a-year-of-life`. */
export function hero(call: PageCall): Html {
  banks ??= platformBanks();
  const address = switchAddress(call);
  const title = `${banks.length} banks`;
  return html`<figure class="hero">
    <div>
      <p class="big">${address === null ? title : html`<a href="${address}">${title}</a>`}</p>
      <p>Be any of them. Each answers as that bank was seen to answer.</p>
      <ul class="tiles" aria-label="Banks">
        ${banks.map(({ name }) => html`<li title="${name}">${shortName(name)}</li>`)}
      </ul>
    </div>
    <div>
      <p class="big">1 year of life</p>
      <p>Salary, rent and groceries move this balance as the clock moves. Payments wait while banks are closed.</p>
      <svg
        width="100%"
        height="140"
        role="img"
        aria-label="The balance of a family from April to March: each salary lifts it, each rent lowers it; Easter closes the bank for five days"
      >
        <rect class="closed" x="97.5%" width="1.7%" height="118" />
        <text x="97%" y="12" text-anchor="end">Easter: closed</text>
        <svg y="18" width="100%" height="100" viewBox="0 0 480 100" preserveAspectRatio="none">
          <path d="${yearPath}V220H-9Z" />
        </svg>
        ${months.map((month, index) => html`<text class="${index % 3 !== 0 && 'spare'}" x="${(index * 100) / 12}%" y="134">${month}</text>`)}
      </svg>
    </div>
  </figure>`;
}
