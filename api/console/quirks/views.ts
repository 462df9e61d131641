import { capital } from '../../../engine/values/text.ts';
import type { QuirkFile } from '../../quirks/quirk-file.ts';
import { allQuirks } from '../../quirks/index.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { withDates } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { foundIn } from '../../pipeline/problem.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import {
  actionForm,
  chips,
  type Field,
  hiddenFields,
  hiddenInputs,
  lastRefusal,
  optionsOf,
  ownForm,
} from '../parts/forms.ts';
import { facts, headed, list, listed } from '../parts/blocks.ts';
import { headedTable, table } from '../parts/tables.ts';
import { counted, foreign, rootBank, tag } from '../parts/text.ts';
import { movedIn, switchQuirks } from './switch-quirks.ts';

type Profile = AnswerTo<'GET /profile'>;
type Quirked = AnswerTo<'GET /info'>['quirks'][number];

const onePath = '/quirks/:name';

/** The groups of quirks, in the order of their page, and what each is about. */
const groups: Readonly<Record<QuirkFile['group'], string>> = {
  ids: 'How long ids are, and how long they last.',
  texts: 'What transactions say, and whom they name.',
  dates: 'Which days transactions have, and in which order they stand.',
  money: 'Fees, and transfers that settle at once.',
  consents: 'How long and how far back a TPP may read.',
  failures: 'Stricter checks, late statuses, and a bank that is away.',
  requests: 'What the bank accepts, and how it answers.',
};

/** The bank of the platform that this one acts as, with its facts, and all quirks (rules.md Q1, Q8). */
const quirksView = view('/quirks', [], async (call) => {
  const profile = await call.ask('/profile');
  const { quirks } = await call.ask('/info');
  const on = quirks.filter((each) => each.on);
  return {
    title: 'Quirks',
    lead: html`Behaviours of real banks, each with a switch. Without a quirk the bank does what the interface document
    says.
    ${
      on.length === 0
        ? 'None is on.'
        : html`${counted(on.length, 'quirk is', 'quirks are')} on: ${listed(on.map((each) => quirkLink(call, each)))}.`
    }`,
    content: html`${on.length > 0 && chips(call, { name: 'show', label: 'Quirks', options: shownQuirks })}
    ${await switches(call, call.query.get('show') === 'on' && on.length > 0 ? on : quirks)} ${makeWithThese(call, on)}
    ${profile.id !== null && aboutProfile(profile)}`,
  };
});

const shownQuirks = { '': 'All', on: 'Only those on' };

function quirkLink(call: PageCall, { name }: Quirked): Html {
  return html`<a href="${call.to(onePath, { params: { name } })}">${name}</a>`;
}

/**
 * All quirks by group, as one form. The button that saves is seen once a switch was moved; a refusal keeps what was
 * moved.
 */
async function switches(call: PageCall, quirks: readonly Quirked[]): Promise<Html> {
  const form = switchQuirks.path;
  const entered = movedIn(lastRefusal(call, form)?.fields ?? new Map());
  const groupOf = new Map<string, string>((await allQuirks()).map(({ name, group }) => [name, group]));
  const byGroup = Map.groupBy(quirks, ({ name }) => groupOf.get(name));
  call.formLines.set(form, call.curl(switchQuirks.call, {}, { quirks: { 'plain-json': true } }));
  const groupsOfSwitches = Object.entries(groups).map(
    ([group, about]) =>
      byGroup.has(group) &&
      html`<section>
        <div>
          <h2>${capital(group)}</h2>
          <p class="soft">${about}</p>
        </div>
        <ul class="quirks">
          ${byGroup.get(group)?.map((quirk) => row(call, quirk, entered[quirk.name] ?? quirk.on)) ?? null}
        </ul>
      </section>`,
  );
  const was = quirks.filter(({ on }) => on).map(({ name }) => name);
  const content = html`${hiddenInputs({ was: was.join(',') })} ${groupsOfSwitches}
    <p class="save">Not saved yet. <button class="main">Save</button></p>`;
  return html`<div class="switches">${ownForm(call, form, content)}</div>`;
}

function row(call: PageCall, quirk: Quirked, chosen: boolean | string): Html {
  const { name, on, value, effect, banks } = quirk;
  return html`<li>
    <div>
      <p>${quirkLink(call, quirk)} ${value !== null && tag('over', value)}</p>
      <p class="soft">${plain(effect)} ${banks.length > 0 && `Seen at ${banks.join(', ')}.`}</p>
    </div>
    <input
      type="checkbox"
      role="switch"
      name="${name}"
      aria-label="${name}"
      autocomplete="off"
      ${chosen !== false && html`checked`}
      ${on && html`data-on`}
    />
  </li>`;
}

/** The form that gives a quirk a value, or switches it off. */
function switchForm(call: PageCall, { name, on }: Quirked, fields: readonly Field[], button: string): Html {
  const hidden = { was: on ? name : '', valued: fields.length > 0 ? name : '' };
  return actionForm(call, switchQuirks, { button }, [...fields, ...hiddenFields(hidden)]);
}

/** Leads to the form for a bank, with the quirks of this one. */
function makeWithThese(call: PageCall, on: readonly Quirked[]): Html {
  const quirks = on.map(({ name, value }) => (value === null ? name : `${name}=${value}`)).join(', ');
  const form = call.toBank(rootBank, pathTo('/banks', { query: { quirks } }));
  return html`<p><a href="${form}">Make a bank with these quirks …</a></p>`;
}

/** One quirk: what it does, what clients do wrong, who has it, and its switch. */
const quirkView = view(onePath, [], async (call) => {
  const { name = '' } = call.params;
  const { quirks } = await call.ask('/info');
  const quirk = foundIn(quirks, (each) => each.name === name, `There is no quirk ${name}.`);
  const whole = (await allQuirks()).find((each) => each.name === name);
  const lines = Object.entries(whole?.lines ?? {});
  const { on, value, form, bounds, effect, rule, banks } = quirk;
  return {
    title: name,
    lead: plain(effect),
    content: html`${facts({
        State: on ? html`${tag('good', 'on')} ${value}` : 'off',
        'Form of its value': form !== null && form.replaceAll(/[|/]/g, ' $& '),
        Bounds: bounds !== null && bounds,
        Rule: html`<a href="${call.out(`docs/spec/rules/${rule.toLowerCase()}`)}">${rule}</a>`,
        'Seen at': banks.length > 0 && listed(banks),
      })}
      ${
        lines.length > 0 &&
        table('What clients meet, each with its number in the guide', lines, [
          ['Quirk', ([line]) => html`<a href="${call.out(`docs/habits/${line.toLowerCase()}`)}">${line}</a>`],
          ['What the bank does', ([, { what }]) => plain(what), 'text'],
          ['What clients do wrong', ([, { mistake }]) => plain(mistake), 'text'],
        ])
      }
      <section class="card">
        <h2>Switch</h2>
        ${(!on || form !== null) && switchForm(call, quirk, [{ ...valueField(quirk), name, faultPath: `quirks.${name}` }], on ? 'Change the value' : 'Switch on')}
        ${on && switchForm(call, quirk, [], 'Switch off')}
      </section>`,
  };
});

/** A text of Markdown without its marks, and without the rule at its end. */
function plain(text: string): string {
  return text.replaceAll('`', '').replace(/ \(rules\.md [^()]*\)\.$/, '.');
}

/** The field for the value of a quirk: hidden, a choice of words, or a text with its bounds. */
function valueField({ form, usual, value, bounds }: Quirked): Field {
  const label = 'Value';
  if (form === null) return { name: 'value', label, type: 'hidden', value: 'on' };
  const words = form.split('|');
  if (bounds === null && words.every((word) => /^[a-z0-9-]+$/.test(word))) {
    return { name: 'value', label, value: value ?? usual ?? '', options: optionsOf(words) };
  }
  return { name: 'value', label, value: value ?? usual ?? '', hint: bounds ?? form, required: true, isLong: true };
}

/** What is known of the bank of a profile, what is applied first, and what nobody knows. */
function aboutProfile({ name, unknown, facts: known }: Profile): Html {
  const appliedFirst = known.toSorted((one, other) => Number(other.applied) - Number(one.applied));
  return html`${headedTable(`What is known of ${name}`, 'Each fact with its source', appliedFirst, [
    ['Fact', ({ key }) => foreign(key)],
    ['Value', ({ value }) => foreign(JSON.stringify(value).replaceAll(',', ', ')), 'text'],
    ['State', ({ applied, quality }) => (quality === 'assumed' ? tag('warns', 'assumed') : applied && 'applied')],
    [
      'Source',
      ({ source, sourceDate, seen }) =>
        foreign(withDates(`${source ?? 'nobody has published it'}, ${sourceDate ?? seen}`)),
      'text',
    ],
  ])}
  ${headed('Not known', list(unknown.map(foreign), 'unknown'))}`;
}

export const quirkRoom: ConsoleRoom = {
  views: [quirksView, quirkView],
  actions: [switchQuirks],
};
