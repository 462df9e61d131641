import { jsonOf, quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { assert } from '../../../engine/values/assert.ts';
import { capital } from '../../../engine/values/text.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import { withDates } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { found } from '../../pipeline/problem.ts';
import { usualBankSettings } from '../../start/config.ts';
import { configOfProfile, listedProfile } from '../../start/profile.ts';
import { settingText } from '../../start/setting-forms.ts';
import { bankSettings } from '../../start/settings.ts';
import { askOwnServer } from '../own-server.ts';
import { type PageCall, view } from '../page-call.ts';
import { folded, nothing } from '../parts/blocks.ts';
import { filterForm } from '../parts/forms.ts';
import { type Column, table } from '../parts/tables.ts';
import { counted, foreign, makesNoBanks, rootBank } from '../parts/text.ts';
import { choicesOf, comparePath } from './switch.ts';

/** Two banks side by side: their times and their quirks, those that differ first (docs/spec/control-plane.md C14b). */
export const compareView = view(comparePath, [], async (call) => {
  if (!call.has('/banks')) return { title: 'Compare two banks', lead: makesNoBanks(call), content: null };
  const choices = await choicesOf(call);
  const byName = new Map(choices.map((each) => [each.name, each]));
  const chosen = (parameter: string) => byName.get(call.query.get(parameter) ?? '');
  const one = chosen('one') ?? byName.get(rootBank);
  assert(one !== undefined, 'C14: the bank at the root is in the list of banks');
  const other = chosen('other') ?? choices.find(({ name }) => name !== one.name) ?? one;
  const both = [one, other] as const;
  const [left, right] = await Promise.all(both.map(({ name, isOpen }) => habitsOf(call, name, isOpen)));
  const habits = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].map((name) => ({
    name,
    values: [left?.get(name) ?? 'off', right?.get(name) ?? 'off'] as const,
  }));
  const { alike = [], different = [] } = Object.groupBy(habits, ({ values: [a, b] }) =>
    a === b ? 'alike' : 'different',
  );
  const columns: readonly Column<(typeof habits)[number]>[] = [
    ['Habit', ({ name }) => habitLink(call, name)],
    ...both.map(({ title }, index): Column<(typeof habits)[number]> => [
      title,
      ({ values }) => foreign(values[index] ?? ''),
      'text',
    ]),
  ];
  const options = Object.fromEntries(choices.map(({ name, title }) => [name, title]));
  return {
    title: html`${foreign(one.title)} and ${foreign(other.title)}`,
    content: html`${filterForm(
      call,
      [
        { name: 'one', label: 'A bank', value: one.name, options },
        { name: 'other', label: 'Another bank', value: other.name, options },
      ],
      'Compare',
    )}
    ${different.length === 0 ? nothing('They behave alike.') : table(`${counted(different.length, 'habit')} differ`, different, columns)}
    ${alike.length > 0 && folded('alike', `${alike.length} are alike`, table('Alike', alike, columns))}`,
  };
});

/** A quirk leads to its page; a setting has its name in words: `Settlement times`. */
function habitLink(call: PageCall, name: string): Html | string {
  if (quirkNames.some((quirk) => quirk === name))
    return html`<a href="${call.to('/quirks/:name', { params: { name } })}">${name}</a>`;
  return capital(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** Times and quirks by name: those of an open bank as they are now, those of a bank of the platform as its profile has them. */
async function habitsOf(call: PageCall, name: string, isOpen: boolean): Promise<ReadonlyMap<string, string>> {
  const { settings, quirks } = isOpen ? await habitsNow(call, name) : await habitsOfProfile(name);
  const text = (value: unknown): string =>
    withDates(settingText(value).replaceAll(',', ', ').replaceAll('=', ': ').replaceAll('/', ' / '));
  return new Map([...settings, ...quirks].map(([habit, value]) => [habit, text(value) || 'none']));
}

interface Habits {
  readonly settings: readonly (readonly [name: string, value: unknown])[];
  readonly quirks: readonly (readonly [name: string, value: unknown])[];
}

async function habitsNow(call: PageCall, name: string): Promise<Habits> {
  const server = found(call.server, makesNoBanks(call), 409);
  const base = name === rootBank ? '' : `/banks/${name}`;
  const { configuration, quirks } = await askOwnServer<AnswerTo<'GET /info'>>(server, `${base}/sandbox/info`);
  return {
    settings: bankSettings.map(({ key }) => [key, Object(configuration)[key]]),
    quirks: quirks.filter(({ on }) => on).map((quirk) => [quirk.name, quirk.value ?? true]),
  };
}

async function habitsOfProfile(id: string): Promise<Habits> {
  const config = { ...usualBankSettings(), ...configOfProfile(await listedProfile(id)) };
  return {
    settings: bankSettings.map(({ key, form }) => [
      key,
      (form.json as (value: unknown) => unknown)(Object(config)[key]),
    ]),
    quirks: quirkNames.flatMap((quirk) => {
      const value = jsonOf(config.quirks, quirk);
      return value === null ? [] : [[quirk, value] as const];
    }),
  };
}
