import { html, type Html } from '../../pages/html.ts';
import { platformBanks } from '../../start/platform.ts';
import { switchAddress } from '../banks/switch.ts';
import type { PageCall } from '../page-call.ts';

let banks: ReturnType<typeof platformBanks> | null = null;

/** Shortens the name of a bank: `SpareBank 1 Helgeland` becomes `Helgeland`. */
function shortName(name: string): string {
  return name.replace(/^(SpareBank 1|Sparebanken) | ?(Spareb|-b|B)ank(en)?$| Norge$/g, '');
}

const months = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'];

/** The balance of Felleskonto in `a-year-of-life` from April 2026 to March 2027, in a box of 480 by 100. */
const yearPath =
  'M0 57H8V63H17V69H18V19H25V78H29V80H30V22H36V43H43V54H45V58H53V72H55V76H58V23H66V84H67V19H74V49H76V41H82V48H89V' +
  '58H95V60H99V8H104V46H109V98H112V17H117V45H122V59H126V63H132V69H135V71H138V16H149V84H150V22H154V47H155V40H163V5' +
  '0H168V63H176V72H178V7H181V26H187V81H191V84H192V28H200V41H205V56H209V59H214V66H220V20H231V87H233V31H237V42H242V' +
  '53H246V63H251V68H258V78H259V22H264V31H267V81H270V18H275V47H279V45H287V59H292V62H296V71H297V9H305V41H312V97H313' +
  'V34H316V45H322V54H325V60H330V66H338V73H339V17H348V78H350V18H356V36H359V38H360V43H367V52H375V58H379V62H380V23H3' +
  '89V86H393V31H397V43H402V55H405V61H413V78H417V84H421V26H423V36H431V98H434V41H439V59H441V61H448V65H452V73H458V18' +
  'H459V24H467V85H469V19H477V49H480';

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
