import { html, type Html } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { hiddenInputs, ownForm } from '../parts/forms.ts';
import { counted } from '../parts/text.ts';
import { switchQuirks } from '../quirks/switch-quirks.ts';
import { disarmFaults } from '../requests/armed-faults.ts';

/**
 * Maximum number of quirks that are named, and that one button switches off: a bank with more has them from its
 * profile.
 */
const maxNamed = 4;

/**
 * What changes the answers of the bank: armed faults and quirks that are on, each with its `off`; nothing while nothing
 * is on.
 */
export async function switchedOn(call: PageCall): Promise<Html | null> {
  const { faults } = await call.read('/faults');
  const names = Object.keys((await call.read('/quirks')).quirks);
  if (faults.length + names.length === 0) return null;
  const isFew = names.length <= maxNamed;
  const off = (what: string): Html => html`<button aria-label="Switch off: ${what}">off</button>`;
  const armed = counted(faults.length, 'armed fault');
  const quirks = isFew ? names.join(', ') : counted(names.length, 'quirk');
  return html`<div class="switched">
    ${
      faults.length > 0 &&
      ownForm(call, disarmFaults.path, html`<a href="${call.to('/requests')}">${armed}</a> ${off(armed)}`)
    }
    ${
      names.length > 0 &&
      ownForm(
        call,
        switchQuirks.path,
        html`${hiddenInputs({ was: names.join(',') })}<a href="${call.to('/quirks')}">On: ${quirks}</a>
          ${isFew && off(quirks)}`,
      )
    }
  </div>`;
}
