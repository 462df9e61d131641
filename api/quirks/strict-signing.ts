import { also, inOperations, inParameter } from './contract.ts';
import { always } from './hearing.ts';
import type { JsonObject } from './json.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'failures',
  does: 'The bank refuses undocumented spellings in signing',
  shape: (document) => {
    const demanded = inParameter(document, 'PSU-IP-Address', also({ required: true }));
    // The unsigned door adds the header itself, so the rule does not hold there.
    const isConcerned = ({ 'x-rules': rules }: JsonObject): boolean => Array.isArray(rules) && rules.includes('A8c');
    return inOperations(document, /^/, (operation) => (isConcerned(operation) ? demanded(operation) : operation));
  },
  heard: always,
};
