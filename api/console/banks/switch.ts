import { html, type Html } from '../../pages/html.ts';
import { capital } from '../../../engine/values/text.ts';
import { pathTo } from '../../openapi/calls.ts';
import { platformBanks } from '../../start/platform.ts';
import { type PageCall, view } from '../page-call.ts';
import { filterForm } from '../parts/forms.ts';
import { empty } from '../parts/blocks.ts';
import { bankTitle, foreign, makesNoBanks, rootBank, tag } from '../parts/text.ts';

const path = '/switch';

/** Where the other banks are listed, relative to this page; null: no other bank exists. */
export function switchAddress(call: PageCall): string | null {
  if (call.bankName === rootBank && !call.has('/banks')) return null;
  return call.toBank(rootBank, pathTo(path, { query: { from: call.bankName } }));
}

/** The banks to go to: of this server, then those of the platform, by group. The script finds while one types. */
export const switchView = view(path, [], async (call) => {
  if (!call.has('/banks')) return { title: 'Which bank?', lead: makesNoBanks(call), content: null };
  const asked = call.query.get('q') ?? '';
  const found = (await choicesOf(call)).filter(({ name, title, group }) =>
    `${name} ${title} ${group}`.toLowerCase().includes(asked.toLowerCase()),
  );
  const groups = [...Map.groupBy(found, ({ group }) => group)];
  return {
    title: 'Which bank?',
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

function choice(call: PageCall, { name, title, group }: Choice): Html {
  const isHere = name === (call.query.get('from') ?? rootBank);
  return html`<li data-find="${`${name} ${title} ${group}`.toLowerCase()}">
    <a href="${call.toBank(name)}">${foreign(title)}</a> ${isHere && tag('good', 'you are here')}
    ${title !== name && html`<span class="soft">${name === rootBank ? 'the bank at the root of the server' : name}</span>`}
  </li>`;
}

async function choicesOf(call: PageCall) {
  const { banks } = await call.ask('/banks');
  const platform = new Map(platformBanks().map(({ id, name, group }) => [id, { name: id, title: name, group }]));
  const isOfPlatform = ({ name, origin }: (typeof banks)[number]): boolean =>
    origin.profile === name && platform.has(name);
  const [ofPlatform, ofServer] = [banks.filter(isOfPlatform), banks.filter((each) => !isOfPlatform(each))];
  return [
    ...ofServer.map(({ name }) => ({ name, title: bankTitle(name), group: 'This server' })),
    ...ofPlatform
      .flatMap(({ name }) => platform.get(name) ?? [])
      .toSorted(
        (one, other) => one.group.localeCompare(other.group, 'nb') || one.title.localeCompare(other.title, 'nb'),
      ),
  ];
}
