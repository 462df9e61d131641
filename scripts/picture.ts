import { writeFileSync } from 'node:fs';
import { easterPicture } from './picture/easter-picture.ts';

// Writes the picture of the README from what a bank and the commands say; a test fails if the two differ.
writeFileSync(new URL('../docs/pictures/easter-2027.svg', import.meta.url), await easterPicture());
