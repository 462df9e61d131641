import { accountStyles } from '../accounts/styles.ts';
import { calendarStyles } from '../calendar/styles.ts';
import { whenStyles } from '../when/styles.ts';
import { lineStyles } from '../../settlement-line/styles.ts';

/** A rule for each tone that has colours of its own. */
const ofTones = (rule: (tone: string) => string): string =>
  ['good', 'bad', 'waits', 'goes', 'warns'].map(rule).join('\n');

/** The stylesheet of every page. Text has a contrast of at least 4.5:1. */
export const consoleStyles = `
:root{color-scheme:light dark;--ink:#1b2420;--soft:#55625b;--line:#dfe3dc;--ground:#f6f6f2;--paper:#fff;--deep:#14503c;
--deeper:#0d3a2b;--tint:#e9f1ec;--field:#7b8781;--red:#a3211b;--focus:#1d6fd1;--on-deep:#fff;--closed:#f1f2ee;--hover:#fafbf8;
--code:#eef0eb;--mark:#ffdf80;--sand:#f2e3bd;--sand-ink:#4f3c0b;--over:#ecefea;--over-ink:#3f4a44;--good:#dff0e4;--good-ink:#0f4a33;
--bad:#f9e1df;--bad-ink:#8c1a15;--waits:#f6ecd0;--waits-ink:#5c4508;--goes:#e1ebf7;--goes-ink:#1c4778;--warns:#fbe6cf;
--warns-ink:#73400a;--note:#e9f5ee;--note-line:#9bbfae;--problem:#fcefee;--problem-line:#d99a96}
@media (prefers-color-scheme:dark){
:root{--ink:#e6ebe7;--soft:#a3b0a8;--line:#333d38;--ground:#121715;--paper:#1a211e;--deep:#86d3b0;--deeper:#a9e3c8;--tint:#24332c;
--field:#75827b;--red:#ff9d96;--focus:#74b1ff;--on-deep:#0b2219;--closed:#0c100e;--hover:#1f2723;--code:#232b27;--mark:#6b5510;
--sand:#4a3d17;--sand-ink:#f5e5b8;--over:#2c3530;--over-ink:#c3cdc7;--good:#17402e;--good-ink:#a6e6c5;--bad:#54211e;
--bad-ink:#ffc2bd;--waits:#463a15;--waits-ink:#f2dc9c;--goes:#1d3754;--goes-ink:#b5d5fa;--warns:#513312;--warns-ink:#fbd0a0;
--note:#17291f;--note-line:#3d6b55;--problem:#331c1a;--problem-line:#8f4a45}
}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;background:var(--ground);color:var(--ink);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
p,h1,h2,h3,dl,dd,ul,ol,pre,figure,table{margin:0;padding:0}
a{color:var(--deep);text-decoration-thickness:1px;text-underline-offset:.15em}
a:hover{color:var(--deeper);text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
main:focus{outline:0}
.soft,.hint{color:var(--soft)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100vw;background:var(--paper);padding:.5rem 1rem;z-index:3}
.skip:focus{left:.5rem;top:.5rem}

header{position:relative;background:var(--paper)}
.brand{display:flex;align-items:center;gap:.25rem .6rem;min-width:0}
.brand a{font-weight:650;font-size:1.0625rem;letter-spacing:-.01em;text-decoration:none}
.brand>a:first-child::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.4em;background:var(--deep);
border-radius:0 50% 50% 50%}
.brand .bank{display:flex;justify-content:space-between;gap:.35rem;min-width:0;font-size:.9375rem;font-weight:500;color:var(--ink)}
a.bank{border:1px solid var(--line);border-radius:.375rem}
a.bank::after{content:"▾"}
[hidden]{display:none!important}
[popover]{position:static;inset:auto;width:auto;height:auto;margin:0;border:0;padding:0;overflow:visible;color:inherit;background:none}
.card{margin-top:1.25rem;padding:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
.card h2{margin-top:0}
.card .action{margin-top:.5rem}
.unreal{font-size:.6875rem;background:var(--sand);color:var(--sand-ink);padding:.05rem .4rem;border-radius:.25rem}
.search input{width:100%}
::placeholder{color:var(--soft);opacity:1}
main .search{display:flex;gap:.5rem;max-width:46rem;margin-top:1.25rem}
main .search :is(input,button){min-height:2.75rem}
kbd{font:inherit;padding:0 .35rem;border:1px solid var(--line);border-radius:.25rem;background:var(--paper)}
header ul{list-style:none}
header nav{margin:.5rem -.5rem 0}
.group{break-inside:avoid}
header nav a{display:flex;align-items:center;gap:.55rem;padding:.2rem .5rem;border-radius:.375rem;color:var(--ink);text-decoration:none}
header nav a:hover{background:var(--tint)}
header nav [aria-current]{background:var(--tint);color:var(--deeper);font-weight:600}
.icon{width:16px;height:16px;flex:none;fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round;opacity:.75}
.group>span{display:block;margin:.6rem .5rem .1rem;font-size:.75rem;font-weight:600;color:var(--soft)}

.clock{display:flex;align-items:center;gap:.5rem;font-size:.875rem;background:var(--paper)}
.clock .now strong{font-size:1.125rem;font-weight:650;letter-spacing:-.01em;margin:0 .2rem}
.moves .next{margin-right:auto}
.moves form{display:flex;gap:0}
.moves :is(button,.button,input){font-size:.8125rem;padding:.2rem .35rem}
.moves input[type=date]{border-radius:.375rem 0 0 .375rem;border-right:0;width:7.75rem}
.moves input[type=date]+button{border-radius:0 .375rem .375rem 0}

main{padding:1.25rem 1rem 4rem;max-width:84rem}
main>p{margin-top:.5rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;font-weight:650;text-wrap:balance}
h2{font-size:1.0625rem;font-weight:650;margin-top:2rem}
h3{font-size:.9375rem;font-weight:650;margin-top:1.25rem}
.lead{margin-top:.35rem;color:var(--soft);max-width:46rem}

button,.button,input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--field);
border-radius:.375rem;padding:.25rem .7rem;min-height:2.125rem}
button,.button{border-color:var(--line);cursor:pointer;text-align:left;font-weight:500;display:inline-flex;align-items:center;text-decoration:none;color:var(--ink)}
button:hover,.button:hover{background:var(--tint)}
button.main{background:var(--deep);border-color:var(--deep);color:var(--on-deep)}
button.main:hover{background:var(--deeper)}
button.bad{color:var(--red)}
button.bad:hover{background:var(--problem)}
input[aria-invalid]{border-color:var(--red)}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:0 1rem}
.fields>button{grid-row:span 3;place-self:start;margin:1.37rem 0 .5rem}
.action>.fields{margin-bottom:-.5rem}
.fault{color:var(--red);font-weight:600}

.fault-code,:not(pre)>code{overflow-wrap:anywhere}
.empty pre{white-space:pre-wrap;overflow-wrap:anywhere}
.money,.number,time{white-space:nowrap}
@media (max-width:48rem){
time,.number{white-space:normal}
}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,12rem),1fr));gap:0 1.5rem;margin-top:1rem;
background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:.6rem 1rem}
.facts>div{padding:.4rem 0;min-width:0}
.facts .money{white-space:normal;overflow-wrap:anywhere}
dt{font-size:.8125rem;color:var(--soft)}
.tag{display:inline-block;font-size:.8125rem;font-weight:600;line-height:1.35;padding:.05rem .45rem;border-radius:.25rem;
white-space:nowrap;background:var(--over);color:var(--over-ink)}
${ofTones((tone) => `.tag.${tone}{background:var(--${tone});color:var(--${tone}-ink)}`)}
.pager{font-size:.8125rem;color:var(--soft);display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-top:.75rem}
.empty{margin-top:1rem;padding:1rem;background:var(--paper);border:1px dashed var(--field);border-radius:.5rem}
pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);border-radius:.375rem;
padding:.6rem .8rem;margin-top:.5rem;overflow-x:auto;white-space:pre;max-width:100%}
details{margin-top:.75rem}
summary{cursor:pointer;color:var(--deep);width:fit-content}
.curl summary{font-size:.8125rem}
.target{overflow-wrap:anywhere}
mark{background:var(--mark);color:inherit;border-radius:.15rem;padding:.05rem 0}
.note,.problem{border:1px solid var(--note-line);background:var(--note);border-radius:.5rem;padding:.6rem .9rem;margin-bottom:1rem}
.problem{border-color:var(--problem-line);background:var(--problem)}
:is(.card,.problem) ul{padding-left:1.25rem}
h1+.problem,h1+div>.problem,.lead+.problem{margin-top:1rem}

.action{margin-top:1rem;padding:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
.switched{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-bottom:.75rem;font-size:.8125rem}
.switched button{min-height:1.75rem;padding:0 .5rem}
.missing>.problem,:is(.card,.doors,.empty,.toolbar,td) .action,main>.action:not(:has(.fields)){padding:0;border:0;background:none}
.cause{color:var(--ink);font-weight:600}
@media (min-width:64rem){
body{display:grid;grid-template-columns:12.5rem minmax(0,1fr);min-height:100vh}
header{position:sticky;top:0;height:100vh;overflow-y:auto;border-right:1px solid var(--line);padding:1rem}
.brand{flex-wrap:wrap}
.brand .bank{flex:1 0 100%;padding:.3rem .6rem;overflow-wrap:anywhere}
.badges{display:flex;flex-wrap:wrap;gap:.3rem;margin-block:.4rem}
#menu,.moves{display:block}
.to-menu,.to-moves{display:none}
header nav a{padding-block:.15rem;font-size:.875rem}
.clock{position:sticky;top:0;z-index:2;padding:.6rem 1rem .6rem 1.5rem;border-bottom:1px solid var(--line)}
.moves{display:flex;flex:1;align-items:baseline;gap:.3rem}
main{padding:1.5rem 1.5rem 4rem}
}
@media (max-width:63.99rem){
body{display:grid;grid-template-columns:minmax(0,1fr) auto auto}
body::before{content:"";grid-area:1/1/2/4;height:3rem;background:var(--paper);border-bottom:1px solid var(--line)}
header,header+div{display:contents}
body::before,.brand,.clock,.to-menu{position:sticky;top:0;z-index:2}
.brand,.clock,.to-menu{grid-row:1;top:.4rem;height:2.125rem;margin-top:.4rem}
.brand{grid-column:1;padding-left:.75rem;gap:.25rem}
.brand .bank{padding:0 .5rem;line-height:2rem;font-size:.875rem}
.bank bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.clock{grid-column:2;margin-left:.4rem;gap:.25rem;padding:0 .4rem;border:1px solid var(--line);border-radius:.375rem;font-size:.8125rem}
.clock .now{white-space:nowrap}
.clock .now strong{font-size:inherit;margin:0}
.clock:hover{background:var(--tint)}
.to-moves{position:absolute;inset:0;min-height:0;border:0;background:none;font-size:0}
.to-moves:hover{background:none}
.clock::after{content:"▾"}
.to-menu{grid-column:3;margin-inline:.4rem .75rem;padding-inline:.5rem;font-size:.875rem}
main{grid-column:1/-1;padding-top:1rem}
[popover]{position:fixed;inset:3rem 0 auto;z-index:3;max-height:calc(100dvh - 3rem);overflow:auto;padding:.75rem;color:var(--ink);background:var(--paper);
border-bottom:1px solid var(--line);box-shadow:0 1rem 1.5rem rgb(0 0 0/.15)}
[popover]::backdrop{background:rgb(0 0 0/.2)}
.badges{margin-bottom:.5rem}
header nav>ul{columns:2}
.moves:popover-open{display:flex;flex-wrap:wrap;gap:.5rem}
.moves .next{flex:1 0 100%}
.moves :is(button,.button,input){min-height:2.5rem;padding-inline:.75rem}
}
@media (max-width:30rem){
.brand>a:first-child{font-size:0}
.brand>a:first-child::before{width:1rem;height:1rem;margin:.25rem}
.clock :is(span~span,.tag){position:absolute;clip-path:inset(50%)}
.clock[data-mode=frozen]{background:var(--goes);color:var(--goes-ink)}
.clock[data-mode=running]{background:var(--good);color:var(--good-ink)}
.facts{grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1rem}
.facts dd{overflow-wrap:anywhere}
}
@media (max-width:22rem){
.brand>a:first-child:not(:last-child){display:none}
.clock time span:first-child{position:absolute;clip-path:inset(50%)}
}
.copy{display:none}
.copies .copy{display:inline-flex;min-height:1.5rem;padding:0 .3rem;margin-left:.15rem;font-size:.75rem;line-height:1.25;border:0;background:none;color:var(--deep)}
.copy::before{content:"Copy"}
.copy[data-state]::before{content:attr(data-state)}
.tries{list-style:none;display:grid;gap:4px}
.doors~.empty .button{background:var(--paper);border-color:var(--line);color:var(--ink)}
@media (min-width:40rem){
button,.button{white-space:nowrap}
}
.copies .middle{font-size:0}
.copies .middle::before{content:"…";font-size:.875rem}
.lead .id{display:inline-block;max-width:100%}
.id bdi{overflow-wrap:anywhere}
.ways{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.5rem}
.doors{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin-top:1.25rem}
.doors .action{margin:0}
.doors .button,.doors button{min-height:2.75rem;padding:.5rem 1.2rem}
a.button.main{background:var(--deep);border-color:var(--deep);color:var(--on-deep)}
.empty .button,.empty .action{margin-top:.6rem}
.pair{display:grid;gap:0 1.5rem;align-items:start}
.pair:has(>.action){align-items:stretch}
.pair>*{min-width:0}
@media (min-width:75rem){
.pair{grid-template-columns:repeat(auto-fit,minmax(26rem,1fr))}
}
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--ground:#fff;--paper:#fff;--deep:#000;--closed:#fff;--code:#fff;
--over:#fff;--over-ink:#000;--good:#fff;--good-ink:#000;--bad:#fff;--bad-ink:#000;--waits:#fff;--waits-ink:#000;--goes:#fff;
--goes-ink:#000;--warns:#fff;--warns-ink:#000;--red:#000}
@page{margin:12mm}
body{display:block;font-size:.7rem;line-height:1.35}
header,.skip,.moves,.action,.curl,.pager,main>.chips,.copies .copy,.doors,.filter,.pair,h2:has(+.lead+.pair),.lead:has(+.pair),details:not([open]){display:none}
.clock{position:static;border:0;padding:0}
.clock::after{content:none}
main{padding:0;max-width:none}
h1{font-size:1.1rem}
h2{margin-top:.7rem;font-size:.85rem;break-after:avoid}
.facts{padding:.1rem .5rem;margin-top:.4rem;grid-template-columns:repeat(4,minmax(0,1fr))}
.facts>div{padding:.1rem 0}
.tag{border:1px solid #777;padding:0 .25rem}
}
`;

/** A filter of one field that needs no hint: its button stands beside the field, and nothing around them. */
const oneField = '.filter:not(:has(.hint)):has(>.field:only-of-type)';

/** Fields of forms, and filters. */
const fieldStyles = `
.filter{margin-top:1rem;padding:1rem 1rem .5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
${oneField}{display:flex;align-items:end;gap:.5rem;max-width:28rem;padding:0;border:0;background:none}
${oneField}>.field{display:block;flex:1}
${oneField}>button{align-self:end;margin:0 0 .5rem}
.field{display:grid;grid-row:span 3;grid-template-rows:subgrid;grid-template-columns:minmax(0,1fr);gap:.15rem;align-content:start;
min-width:0;padding-bottom:.5rem}
.field select{text-overflow:ellipsis}
.field label{font-size:.8125rem;font-weight:500}
.field .hint,.field .fault{font-size:.8125rem}
.field :is(input,select){width:100%}
.field textarea{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:inherit;background:var(--paper);border:1px solid var(--field);border-radius:.375rem;padding:.4rem .7rem;width:100%}
.field.wide{grid-column:1/-1}
@media (min-width:40rem){
.field label{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.field.long{grid-column:span 2}
}
.filters{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.25rem;margin-top:.75rem;font-size:.8125rem}
.filters details,.toolbar>*{margin:0}
.filters details[open]{flex-basis:100%}
.filters .filter{margin-top:.35rem}
.filters summary{line-height:1.5rem}
.chips{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem;font-size:.8125rem}
main>.chips,.card .chips,.card .chips+p{margin-top:.75rem}
.card .chips{padding:0}
.chip{display:block;padding:0 .6rem;line-height:1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--paper);
color:var(--ink);text-decoration:none;white-space:nowrap}
@media (max-width:48rem){
.chips{flex-wrap:nowrap;overflow-x:auto;max-width:100%;padding:3px}
.chips li:has([aria-current]){order:-1}
}
.chip:hover{background:var(--tint)}
.chip[aria-current]{background:var(--deep);border-color:var(--deep);color:var(--on-deep);font-weight:600}
.toolbar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1rem;margin-top:.75rem}
@media (min-width:24rem) and (max-width:45rem){
.fields:has(>.field~.field){grid-template-columns:repeat(2,minmax(0,1fr))}
.fields>.field.long{grid-column:1/-1}
}
@media (max-width:45rem){
.fields>button{grid-column:1/-1;margin-top:.25rem}
}
@media (min-width:45.01rem){
:is(main,main>details)>.action:has(>.fields>.long){max-width:46rem}
:is(main,main>details)>.action>.fields:has(>.long){grid-template-columns:repeat(2,minmax(0,1fr))}
:is(main,main>details)>.action>.fields:has(>.long)>button{grid-column:1/-1;margin-top:.25rem}
}
@media (min-width:75rem){
.pair .field.long+button{margin-top:.25rem}
}
`;

/**
 * The cells that head a row on a narrow screen: its title, which is not a time if a text stands beside that, and its
 * first amount.
 */
const [titleCell, amountCell] = [
  'tr>:is(:first-child:not(:has(time)),:first-child:has(+.figures),:first-child:has(time)+:not(.figures))',
  'tr>:nth-child(1 of .figures:has(.money))',
] as const;

/** Tables. On a narrow screen a row is a block, each cell with the head of its column; the first cell is its title. */
const tableStyles = `
table{border-collapse:separate;border-spacing:0;width:100%;margin-top:.75rem;font-size:.875rem}
caption{text-align:left;color:var(--soft);font-size:.8125rem;padding:0 0 .35rem}
th{font-size:.8125rem;font-weight:500;color:var(--soft);text-align:left;border-block:1px solid var(--line)}
th,td{padding:.5rem;line-height:1.35;vertical-align:top;background:var(--paper)}
td bdi{overflow-wrap:anywhere}
td a{padding-block:.3rem;text-decoration-color:var(--field)}
td button,td .button{min-height:1.5rem;padding:0 .5rem;line-height:1.25;font-size:.8125rem}
td .button{vertical-align:baseline}
td{border-top:1px solid var(--line)}
tbody tr:first-child td{border-top:0}
:is(th,td):first-child{border-left:1px solid var(--line);padding-left:1rem}
:is(th,td):last-child{border-right:1px solid var(--line);padding-right:1rem}
tbody tr:last-child td{border-bottom:1px solid var(--line)}
th:first-child{border-top-left-radius:.5rem}
th:last-child{border-top-right-radius:.5rem}
tr:last-child td:first-child{border-bottom-left-radius:.5rem}
tr:last-child td:last-child{border-bottom-right-radius:.5rem}
tbody tr:hover td{background:var(--hover)}
tbody tr:has(:target) td{background:var(--tint)}
.figures{text-align:right}
td .soft{font-weight:400}
td p{font-size:.8125rem}
td .action{display:inline-block;margin:0 .3rem 0 0}
td time{display:inline-block}
@media (max-width:74.99rem){
td time{white-space:normal;min-width:5rem}
}
@media (min-width:48.01rem){
.text>div{min-width:6rem}
td p{width:0;min-width:100%}
}
@media (min-width:48.01rem) and (max-width:74.99rem){
table{font-size:.8125rem}
th,td{padding-inline:.25rem}
}
@media (min-width:75rem){
th,td{padding:3px .5rem;white-space:nowrap}
td :is(button,.button){margin-block:-3px}
td:is(.text,.line,:has(>div>.tries)){white-space:normal}
td:is(.text,.line)>div{min-width:8rem}
td:has(>div>.target){width:44%}
td .target{font-size:.78rem}
td.text:last-child{width:30%}
td.line{max-width:0;width:17%}
td.line:first-child{width:33%}
td.line:not(:first-child){min-width:9.5rem}
td.line>div{display:flex;gap:.3rem;min-width:0;white-space:nowrap}
td.line a{overflow:hidden;text-overflow:ellipsis;margin-block:-.3rem}
td .fault-code wbr{display:none}
}
@media (max-width:48rem){
table,tbody,caption{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tbody{background:var(--paper);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
tr{--title:.9375rem;display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .75rem;padding:.65rem 1rem;border-top:1px solid var(--line)}
tbody tr:first-child{border-top:0}
tr::before{content:"";flex:0 0 100%;order:2}
td,tbody tr:nth-child(n) td:nth-child(n){order:3;min-width:0;padding:0;border:0;background:none;text-align:left;font-size:.8125rem;color:var(--soft)}
td::before{content:attr(data-head) " "}
td>div{display:inline;overflow-wrap:anywhere}
tbody tr:nth-child(n) td:nth-child(n):has(button,.button){order:4;margin-left:auto}
tbody tr:nth-child(n) td:nth-child(n):has(button,.button)~td{margin-left:0}
${titleCell}{order:0!important;flex:1 1 40%;min-width:auto!important;max-width:100%}
${titleCell} :is(div,bdi){overflow-wrap:break-word}
:is(${titleCell},${amountCell}){color:var(--ink)!important;font-size:var(--title)!important;font-weight:600}
${amountCell}{order:1!important;margin-left:auto}
:is(td:not(.figures,:has(time,.number)),${titleCell},${amountCell},[data-head=When])::before{position:absolute;clip-path:inset(50%)}
${titleCell} a{text-decoration:none}
tbody tr:nth-child(n) td:nth-child(n):has(>div:empty){display:none}
}
@media (max-width:22rem){
tr{--title:.875rem;padding-inline:.75rem}
}
@media print{
table{font-size:.65rem;margin-top:.3rem}
th,td{padding:.1rem .35rem}
}
`;

/** Lists and comparisons that few pages have. */
const listStyles = `
.folds{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;margin-top:.5rem}
.folds>details{margin:.35rem 0 0}
.folds>details[open]{flex:0 0 100%}
.timeline{list-style:none;margin-top:.75rem;padding-left:1.1rem}
.timeline li:not(:last-child)::after{content:"";position:absolute;left:-1.1rem;top:1.05rem;bottom:-.35rem;margin-left:3px;width:2px;background:var(--line)}
.timeline li{position:relative;padding-bottom:.7rem;font-size:.875rem}
.timeline li::before{content:"";position:absolute;left:-1.1rem;top:.45rem;width:8px;height:8px;border-radius:50%;
background:var(--over-ink)}
${ofTones((tone) => `.timeline li:has(.tag.${tone})::before{background:var(--${tone}-ink)}`)}
.timeline p.soft{font-size:.75rem}
.unknown{padding-left:1.25rem;margin-top:.35rem}
.quirks{list-style:none;margin-top:.5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:0 1rem}
.quirks>li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:1.5rem;align-items:center;padding:.6rem 0;border-top:1px solid var(--line)}
.quirks a{font-weight:600;color:var(--ink);text-decoration:none;margin-right:.35rem}
.quirks a:hover{text-decoration:underline}
.quirks .tag{white-space:normal;overflow-wrap:anywhere}
.quirks .soft{text-wrap:pretty}
.switches section{margin-top:1.75rem}
.switches h2{margin:0 0 .15rem}
.switches section .soft{font-size:.8125rem}
[role=switch]{appearance:none;width:2.5rem;height:1.5rem;min-height:0;padding:4px;border:2px solid transparent;border-radius:1rem;
background-clip:padding-box;box-shadow:inset 0 0 0 1.5px var(--field);cursor:pointer}
[role=switch]::before{content:"";display:block;width:12px;height:12px;border-radius:50%;background:var(--field)}
[role=switch]:checked{background-color:var(--deep);box-shadow:none}
[role=switch]:checked::before{margin-left:auto;background:var(--on-deep)}
.save{position:sticky;bottom:0;z-index:1;display:flex;align-items:center;justify-content:flex-end;gap:1rem;margin-top:1rem;padding:.75rem 1rem;
background:var(--paper);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 0 1.5rem rgb(0 0 0/.12)}
html:has(.save){scroll-padding-bottom:5rem}
.switches:not(:has(:checked:not([data-on]),[data-on]:not(:checked))) .save{visibility:hidden}
.compare{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:.5rem 1.25rem}
.compare>*{min-width:0}
.whole{margin-top:1rem}
.whole pre{white-space:pre-wrap;overflow-wrap:anywhere}
.headers{margin-top:.5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:.25rem 1rem;font-size:.875rem}
.headers>div{display:grid;grid-template-columns:minmax(0,14rem) minmax(0,1fr);gap:0 1rem;padding:.3rem 0;border-top:1px solid var(--line)}
.headers dd{min-width:0;overflow-wrap:anywhere}
.headers details{margin:0}
.headers summary{word-break:break-all}
.compare h3{margin-top:.5rem;font-size:.8125rem;color:var(--soft)}
.found{list-style:none;margin-top:.5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
.search+.found{margin-top:1.25rem}
.found li{position:relative;display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .75rem;padding:.55rem 1rem;
border-top:1px solid var(--line)}
:is(.quirks>li,.headers>div,.found>li):first-child{border-top:0}
.found li:hover{background:var(--hover)}
.found .icon{color:var(--soft)}
.found b{margin-left:auto;font-weight:600}
.found li>.soft{flex:0 0 100%;padding-left:1.75rem;font-size:.8125rem;overflow-wrap:anywhere}
.found a{flex:1 1 40%;font-weight:600;color:var(--ink);text-decoration:none}
.found a::after{content:"";position:absolute;inset:0}
.found a:focus-visible{outline-offset:-3px}
@media (forced-colors:active){
[role=switch]{appearance:auto}
}
@media (min-width:75rem){
.switches section{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:2rem}
.switches h2{margin-top:.6rem}
.quirks{margin-top:0}
}
@media (max-width:48rem){
.compare pre{max-height:22rem}
.headers>div{grid-template-columns:minmax(0,1fr)}
}
@media (max-width:30rem){
.quirks>li{gap:.75rem}
}
@media print{
.timeline li{padding-bottom:.15rem;font-size:.7rem}
}
`;

/**
 * Stylesheets of parts that few pages show, each with a pattern of their markup. They come after the stylesheet of
 * every page.
 */
export const stylesOfParts: readonly (readonly [mark: RegExp, styles: string])[] = [
  [/class="(?:filter|field|chips)/, fieldStyles],
  [/<table/, tableStyles],
  [/class="(?:timeline|quirks|headers|compare|whole|found|unknown)\b/, listStyles],
  [/class="funds"/, accountStyles],
  [/class="month/, calendarStyles],
  [/class="asked"/, whenStyles],
  [/class="settlement/, lineStyles],
];
