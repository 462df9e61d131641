import { mkdtempSync, rmSync } from 'node:fs';
import { startTestBank } from './lab/server.ts';
const folder = mkdtempSync('/tmp/zzstop-');
const server = await startTestBank('2027-03-24T12:00:00+01:00', ['--banks', folder+'/b', '--ledger', folder+'/l.sqlite', '--open-banks', '400']);
for (let i=0;i<300;i++) await server.control('PUT', `/sandbox/banks/b${i}`, {});
for (let i=0;i<300;i++) await server.control('POST', `/banks/b${i}/v1/sandbox/../sandbox/faults`, {code:'SYSTEM_ERROR'});
for (let i=0;i<300;i++) { const r=await server.control('POST', `/banks/b${i}/sandbox/clock/advance`, {runs:1}); if(r.status!==200) console.log(r.status);}
const b=performance.now(), c=process.cpuUsage();
await server.stop();
const u=process.cpuUsage(c);
console.log('stop ms', Math.round(performance.now()-b), 'cpu', Math.round((u.user+u.system)/1000));
rmSync(folder,{recursive:true});
