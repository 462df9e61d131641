import { drift } from './campaigns/drift.ts';
import { runCampaign } from './campaigns/campaign.ts';
const [from=0,to=10,count=5]=process.argv.slice(2).map(Number);
const t=performance.now(); let ok=0;
for(let seed=from;seed<to;seed++){
const r=await runCampaign(drift,{seed,count}); ok+=r.done;
if(r.violation) console.log(seed, r.done, String(JSON.stringify(r.violation)).slice(0,900));
}
console.log(ok,((performance.now()-t)/1000).toFixed(1));
process.exit(0);
