import { html, type Html } from './html.ts';

/** English names of the holidays on which banks in Norway are closed, by their official names. */
const english: Readonly<Record<string, string>> = {
  'Første nyttårsdag': 'New Year’s Day',
  Skjærtorsdag: 'Maundy Thursday',
  Langfredag: 'Good Friday',
  'Første påskedag': 'Easter Sunday',
  'Andre påskedag': 'Easter Monday',
  'Arbeidernes dag': 'Labour Day',
  Grunnlovsdagen: 'Constitution Day',
  'Kristi himmelfartsdag': 'Ascension Day',
  'Første pinsedag': 'Whit Sunday',
  'Andre pinsedag': 'Whit Monday',
  Julaften: 'Christmas Eve',
  'Første juledag': 'Christmas Day',
  'Andre juledag': 'Boxing Day',
};

const officialNames =
  /((?:Første|Andre) (?:påskedag|pinsedag|juledag)|Første nyttårsdag|Skjærtorsdag|Langfredag|Arbeidernes dag|Grunnlovsdagen|Kristi himmelfartsdag|Julaften)/;

/** The English name of a closed day by its official name: `Maundy Thursday`. Of two holidays on one day it has both. */
export function englishHoliday(name: string): string {
  return name
    .split(' / ')
    .map((each) => english[each] ?? each)
    .join(' / ');
}

/** A text of an answer on an English page: official names in it are marked as Norwegian. */
export function withOfficialNames(text: string): readonly (Html | string)[] {
  return text.split(officialNames).map((part) => (part in english ? html`<span lang="nb">${part}</span>` : part));
}
