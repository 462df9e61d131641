import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'requests',
  does: 'The content type of answers is application/json, without a charset',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H25: {
      what: 'The content type is `application/json`, without a charset.',
      seen: { register: [], facts: ['contentType'], profiles: ['sparebank1-sor-norge-sr'] },
      mistake: 'The client compares the whole header, or falls back on ISO 8859-1 for æ, ø and å.',
    },
  },
  shape: 'values',
  show: (answer) => {
    if (answer.body === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } };
  },
};
