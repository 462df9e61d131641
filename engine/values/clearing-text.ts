/** A character that clearing does not carry, and where it stands, counted in characters from 0. */
export interface BadCharacter {
  readonly character: string;
  readonly index: number;
}

/**
 * The first character that Norwegian clearing does not carry, or null (rules.md P8). It carries the printable characters
 * of ISO 8859-1 and the blank. Control characters, the no-break space, the soft hyphen and everything outside ISO 8859-1
 * (emoji, lone surrogates, letters sent as two characters) it does not.
 */
export function firstBadCharacter(text: string): BadCharacter | null {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => !isCarried(character.codePointAt(0) ?? 0));
  const character = characters[index];
  return character === undefined ? null : { character, index };
}

/** For texts that must stay readable whatever was sent: `U+1F600`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function isCarried(codePoint: number): boolean {
  const ascii = codePoint >= 0x20 && codePoint <= 0x7e;
  const latin = codePoint >= 0xa1 && codePoint <= 0xff && codePoint !== 0xad;
  return ascii || latin;
}
