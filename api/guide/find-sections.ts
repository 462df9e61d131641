import { freeAnchor, guidePages, pageText } from './guide-files.ts';

/** Shortest text that is searched for in the guide, in characters: shorter ones are in every section. */
const minLength = 3;

/** A section of the guide: its page with the anchor, and its heading after the title of the page. */
interface Section {
  readonly place: string;
  readonly heading: string;
}

/** Sections of the guide with a text in their heading, then those with it in their text, at most `limit`. Capital letters count as small ones. */
export async function findSections(text: string, limit: number): Promise<readonly Section[]> {
  const wanted = text.toLowerCase();
  if (wanted.length < minLength) return [];
  const [named, told]: [Section[], Section[]] = [[], []];
  for (const { path, title } of await guidePages()) {
    const before: { id: string }[] = [];
    for (const { heading, content } of sectionsIn(await pageText(path))) {
      const id = freeAnchor(heading, before);
      before.push({ id });
      const section = { place: `${path}#${id}`, heading: heading === title ? title : `${title}: ${heading}` };
      if (heading.toLowerCase().includes(wanted)) named.push(section);
      else if (content.toLowerCase().includes(wanted)) told.push(section);
    }
  }
  return [...named, ...told].slice(0, limit);
}

/** The sections of a page of Markdown. Text before the first heading is left out. */
function sectionsIn(markdown: string): readonly { readonly heading: string; readonly content: string }[] {
  // A line of code may begin as a heading does.
  const parts = markdown.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/^#/gm, ' #')).split(/^#{1,6} /m);
  return parts.slice(1).map((part) => {
    const end = part.indexOf('\n');
    return end < 0 ? { heading: part, content: '' } : { heading: part.slice(0, end), content: part.slice(end) };
  });
}
