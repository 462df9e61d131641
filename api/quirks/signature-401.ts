import { withCodes } from './contract.ts';
import { refusals } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

const moved = ['SIGNATURE_INVALID', 'SIGNATURE_MISSING'];

export const quirk: QuirkFile<'signature-401'> = {
  group: 'failures',
  does: 'A missing or wrong signature answers 401 instead of 400',
  shape: (document) => {
    const without = withCodes(document, 400, (codes) => codes.filter((code) => !moved.includes(code)));
    return withCodes(without, 401, (codes) => [...codes, ...moved]);
  },
  heard: refusals('gets a refused signature', /^(SIGNATURE|CERTIFICATE|TIMESTAMP)_/),
};
