/** A character that clearing does not support; `index` counts characters from 0. */
export interface BadCharacter {
  readonly character: string;
  readonly index: number;
}

/**
 * First character that Norwegian clearing does not support, or null (rules.md P8). Supported: the printable characters of
 * ISO 8859-1 and the blank. Not supported: control characters, the no-break space, the soft hyphen, and everything
 * outside ISO 8859-1 (emoji, lone surrogates, combining characters).
 */
export function firstBadCharacter(text: string): BadCharacter | null {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => !isSupported(character.codePointAt(0) ?? 0));
  const character = characters[index];
  return character === undefined ? null : { character, index };
}

/** `U+1F600`: names a character in an error text without repeating it. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function isSupported(codePoint: number): boolean {
  const ascii = codePoint >= 0x20 && codePoint <= 0x7e;
  const latin = codePoint >= 0xa1 && codePoint <= 0xff && codePoint !== 0xad;
  return ascii || latin;
}
