/** What the bank says in words of its API, and how a command line says it; `sandbank` is what starts a command here. */
const table: readonly (readonly [api: RegExp, said: (sandbank: string, ...groups: readonly string[]) => string])[] = [
  [/\bSend allowLogicalDuplicate=true in the query when\b/g, () => 'Give --allow-duplicate when'],
  [
    /\bThere is a bank (\S+) already\. DELETE takes it away\./g,
    (sandbank, name = '') => `There is a bank ${name} already. ${sandbank} bank remove ${name} takes it away.`,
  ],
  [/\bDELETE \/sandbox\/banks\/\{name\}/g, (sandbank) => `${sandbank} bank remove NAME`],
  [/\bPOST \/sandbox\/banks\b/g, (sandbank) => `${sandbank} bank create NAME`],
  [/\bPOST \/sandbox\/reset\b/g, (sandbank) => `${sandbank} reset`],
  [/\bGET \/sandbox\/requests\b/g, (sandbank) => `${sandbank} requests`],
];

/** A text of the bank in words of the commands. */
export function commandWords(text: string, sandbank: string): string {
  return table.reduce(
    (told, [api, said]) =>
      told.replace(api, (_whole, ...found: readonly unknown[]) => said(sandbank, ...found.map(String))),
    text,
  );
}
