import { baseRecording, plantedDifferences, withPlanted } from './drift/planted.ts';
import { exchangesOf } from './lab/recorder.ts';
import { askAll, checkAll } from '../scripts/drift/check.ts';
import { guessesByName } from '../scripts/drift/tell.ts';
import { keyOf } from '../scripts/drift/difference.ts';
import { noQuirks } from '../engine/bank/rules/quirk.ts';
const base = await baseRecording(); const guesses=await guessesByName();
async function keys(planted:any[]){const ex=exchangesOf(withPlanted(base,planted));const asked=await askAll(ex,{quirks:[]});return checkAll(ex,{quirks:noQuirks,asked,guesses}).flatMap(c=>c.differences.map(d=>keyOf(d)+(planted.length?'':JSON.stringify([d.recorded,d.expected,c.exchange.target]))));}
console.log(await keys([]));
let named=0;
for(const p of plantedDifferences){const k=await keys([p]); if(k.length) named++; if(!k.includes(p.tells)) console.log(p.at,'|',p.tells,'|',[...new Set(k)].join(', '));}
console.log(named,plantedDifferences.length);process.exit(0);
