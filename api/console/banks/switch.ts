import { html, type Html } from '../../pages/html.ts';
import { capital } from '../../../engine/values/text.ts';
import { pathTo } from '../../openapi/calls.ts';
import { platformBanks } from '../../start/platform.ts';
import { ownAction, type PageCall, view } from '../page-call.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { empty } from '../parts/blocks.ts';
import { bankTitle, foreign, makesNoBanks, rootBank, tag } from '../parts/text.ts';

const path = '/switch';

/** Where the other banks are listed, relative to this page, or null if no other bank exists. */
export function switchAddress(call: PageCall): string | null {
  if (call.bankName === rootBank && !call.has('/banks')) return null;
  return call.toBank(rootBank, pathTo(path, { query: { from: call.bankName } }));
}

/** Opens a bank of the platform, as a named bank with its profile. */
export const openBank = ownAction(`${path}/:name/open`, null, async (call) => {
  const { name = '' } = call.params;
  await call.carryOut('POST /banks', {}, { name, profile: name });
  return { text: `The bank ${name} is there.`, to: path, leave: call.toBank(name) };
});

/**
 * The banks to go to: of this server, then those of the platform, by group, to open where they are not. The script
 * finds while one types.
 */
export const switchView = view(path, [], async (call) => {
  if (!call.has('/banks')) return { title: 'Which bank?', lead: makesNoBanks(call), content: null };
  const asked = call.query.get('q') ?? '';
  const found = (await choicesOf(call)).filter(({ name, title, group }) =>
    `${name} ${title} ${group}`.toLowerCase().includes(asked.toLowerCase()),
  );
  const groups = [...Map.groupBy(found, ({ group }) => group)];
  return {
    title: 'Which bank?',
    lead: 'A bank of the platform opens with its settlement times, cut-offs and quirks, and with a ledger and a clock of its own.',
    content: html`<div data-finds>
      ${filterForm(call, [{ name: 'q', label: 'Name or group', isLong: true }], 'Find')}
      ${groups.length === 0 && empty('No bank has this name.', { href: call.to(path), text: 'Show all banks' })}
      ${groups.map(
        ([group, banks]) =>
          html`<section>
            <h2>${foreign(capital(group))}</h2>
            <ul class="banks">
              ${banks.map((bank) => choice(call, bank))}
            </ul>
          </section>`,
      )}
    </div>`,
  };
});

type Choice = Awaited<ReturnType<typeof choicesOf>>[number];

function choice(call: PageCall, { name, title, group, isOpen }: Choice): Html {
  const isHere = name === (call.query.get('from') ?? rootBank);
  if (!isOpen) call.formLines.set(openBank.path, call.curl('POST /banks', {}, { name, profile: name }));
  return html`<li data-find="${`${name} ${title} ${group}`.toLowerCase()}">
    ${
      isOpen
        ? html`<a href="${call.toBank(name)}">${foreign(title)}</a>`
        : html`${foreign(title)} ${actionForm(call, openBank, { button: 'Open', params: { name } })}`
    }
    ${isHere && tag('good', 'you are here')}
    ${title !== name && html`<span class="soft">${name === rootBank ? 'the bank at the root of the server' : name}</span>`}
  </li>`;
}

/** The banks of the server, and those of the platform that are not open. */
async function choicesOf(call: PageCall) {
  const { banks } = await call.ask('/banks');
  const opened = new Map(banks.map(({ name, origin }) => [name, origin.profile]));
  const platform = platformBanks().map(({ id, name, group }) => ({
    ...{ name: id, title: name, group },
    isOpen: opened.get(id) === id,
  }));
  const isOpenedHere = (wanted: string): boolean => platform.some(({ name, isOpen }) => isOpen && name === wanted);
  return [
    ...banks
      .filter(({ name }) => !isOpenedHere(name))
      .map(({ name }) => ({ name, title: bankTitle(name), group: 'This server', isOpen: true })),
    ...platform
      .filter(({ name, isOpen }) => isOpen || !opened.has(name))
      .toSorted(
        (one, other) => one.group.localeCompare(other.group, 'nb') || one.title.localeCompare(other.title, 'nb'),
      ),
  ];
}
