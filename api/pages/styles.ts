/** What all pages have around their content. Text has a contrast of at least 4.5:1. */
export const shellStyles = `
:root{color-scheme:light dark;--ink:#1c2521;--soft:#56625c;--line:#d5d9d2;--ground:#f5f4ef;--paper:#fff;--deep:#14503c;
--deeper:#0d3a2b;--tint:#e8f0ea;--sand:#f2e3bd;--sand-ink:#4f3c0b;--red:#a3211b;--field:#7b8781;
--focus:#1d6fd1;--on-deep:#fff}
@media (prefers-color-scheme:dark){
:root{--ink:#e6ebe7;--soft:#a3b0a8;--line:#333d38;--ground:#121715;--paper:#1a211e;--deep:#86d3b0;--deeper:#a9e3c8;--tint:#24332c;
--sand:#4a3d17;--sand-ink:#f5e5b8;--red:#ff9d96;--field:#75827b;--focus:#74b1ff;--on-deep:#0b2219}
}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans",sans-serif;overflow-wrap:anywhere}
p,h1,h2,dl,dd,ul,ol,fieldset{margin:0;padding:0}
.band{background:var(--sand);color:var(--sand-ink);text-align:center;font-size:.875rem;padding:.5rem 1rem}
.band strong{text-transform:uppercase;letter-spacing:.09em;margin-right:.5em}
main{max-width:35rem;margin:clamp(1rem,6vh,3.5rem) auto 0;background:var(--paper);border:1px solid var(--line);
border-radius:.75rem;padding:clamp(1.25rem,5vw,2.5rem)}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin-bottom:1.25rem}
.language{font-size:.9375rem;padding:.2rem 0}
.bank{color:var(--deep);font-weight:650;letter-spacing:-.01em}
.bank::before{content:"";display:inline-block;width:.7em;height:.7em;margin-right:.45em;background:var(--deep);
border-radius:50% 50% 50% 0}
h1{font-size:clamp(1.5rem,5.5vw,1.9rem);line-height:1.2;letter-spacing:-.02em;font-weight:650;text-wrap:balance}
.lead{margin-top:.6rem}
.lead+p{margin-top:.6rem}
a{color:var(--deep)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
footer{max-width:35rem;margin:0 auto;padding:1rem 1rem 2.5rem;text-align:center;font-size:.875rem;color:var(--soft)}
@media (max-width:30rem){
main{border-width:0 0 1px;border-radius:0;margin-top:0}
}
`;

const contentStyles = `
h2{font-size:1rem;font-weight:650}
h3{font-size:.9375rem;font-weight:600}
.lead+.amount{margin-top:1.5rem}
form{margin-top:1.5rem}
label{font-weight:600}
.hint,.note,.number,.code,.more{color:var(--soft)}
.hint,.note,.number,.code{font-size:.9375rem;font-weight:400}
.hint{margin-bottom:.5rem}
.number{font-variant-numeric:tabular-nums}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem;margin-top:1.5rem}
#psu{display:block;width:100%;max-width:15rem;font:inherit;font-size:1.25rem;font-variant-numeric:tabular-nums;
letter-spacing:.06em;padding:.5rem .75rem;border:1.5px solid var(--field);border-radius:.5rem;background:var(--paper);
color:inherit}
#psu[aria-invalid]{border-color:var(--red)}
.fault{color:var(--red);font-weight:600;font-size:.9375rem;margin-bottom:.4rem}
.problem{border:1.5px solid var(--red);border-radius:.5rem;padding:.75rem 1rem;margin-bottom:1.5rem}
.problem a{color:var(--red)}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button{font:inherit;cursor:pointer;color:inherit;background:var(--paper);border:1.5px solid var(--field);
border-radius:.5rem}
.buttons button{font-weight:600;min-height:3rem;padding:.5rem 1.4rem}
/* Approve is in sight however long the page is. */
@media (min-height:30rem){
html:has([value=approve]){scroll-padding-bottom:8rem}
form:has([value=approve]):not(:has(label)),form:has(label) .buttons:has([value=approve]){position:sticky;bottom:0;z-index:1;
padding-block:.75rem;margin-block:.75rem -.75rem;background:var(--paper);box-shadow:0 -.75rem .75rem var(--paper)}
form:not(:has(label)) .buttons:has([value=approve]){margin-top:0}
}
.buttons .main{background:var(--deep);border-color:var(--deep);color:var(--on-deep)}
.buttons .main:hover{background:var(--deeper)}
button:hover{background:var(--tint)}
section{margin-top:2.25rem;padding-top:1.5rem;border-top:1px solid var(--line)}
section form{margin-top:.75rem}
.people{list-style:none;display:grid;gap:.5rem}
.people button{display:grid;grid-template-columns:1fr auto;gap:0 1rem;width:100%;min-height:2.75rem;text-align:left;
padding:.6rem .9rem;border:1px solid var(--line)}
.people .name{font-weight:600}
.people .note{grid-column:1/-1}
.ways{margin-top:1.5rem}
.ways li{position:relative;padding:.6rem .9rem;border:1px solid var(--line);border-radius:.5rem}
.ways li:hover{background:var(--tint)}
.ways a{font-weight:600;text-decoration:none}
.ways a::after{content:"";position:absolute;inset:0;border-radius:.5rem}
.tag{display:inline-block;background:var(--tint);color:var(--deeper);font-size:.8125rem;font-weight:600;padding:0 .5em;
border-radius:.3rem;margin-left:.3em}
.amount{font-size:clamp(1.75rem,8vw,2.4rem);line-height:1.2;font-weight:600;letter-spacing:-.02em;
font-variant-numeric:tabular-nums}
.amount .note{letter-spacing:0;white-space:nowrap}
.amount s{text-decoration-thickness:.06em}
dl{margin-top:1.25rem}
dl>div{display:grid;grid-template-columns:minmax(6.5rem,32%) 1fr;gap:0 1rem;padding:.7rem 0;
border-top:1px solid var(--line)}
dl>div:last-child{border-bottom:1px solid var(--line)}
dt{color:var(--soft)}
dd .number,dd .note{display:block}
.dates,.signers{list-style:none;display:grid;gap:.3rem}
.signers{margin-top:.5rem}
.signers li{padding-left:1.6rem;position:relative}
.signers li::before{content:"";position:absolute;left:.1rem;top:.35em;width:.8em;height:.8em;border-radius:50%;
border:2px solid var(--field)}
.signers .signed::before{background:var(--deep);border-color:var(--deep)}
.signers .now::before{border-color:var(--deep)}
summary{cursor:pointer;color:var(--deep);font-weight:600;padding:.15rem 0}
.payees{list-style:none;margin-top:.4rem}
.payees li{display:grid;grid-template-columns:1fr auto;gap:0 1rem;padding:.4rem 0;border-top:1px solid var(--line);
font-variant-numeric:tabular-nums}
.payees .note{grid-column:1/-1}
.dates+.more{margin-top:.3rem}
fieldset{border:0;min-width:0}
legend{padding:0;font-weight:650;margin-bottom:.5rem}
.option{display:grid;grid-template-columns:auto 1fr;align-items:start;border-top:1px solid var(--line)}
.option:last-child{border-bottom:1px solid var(--line)}
.option input{width:1.3rem;height:1.3rem;margin:1rem .25rem;accent-color:var(--deep)}
.option label{padding:.8rem 0 .8rem .6rem;cursor:pointer}
.option .number,.option .note{display:block}
.option .tag{margin-left:0}
form+.note{margin-top:1.25rem}
h2+.note{margin-top:.4rem}
.lead+.code{margin-top:1.5rem}
@media (max-width:30rem){
.people button{grid-template-columns:1fr}
dl>div{grid-template-columns:1fr}
dt{font-size:.9375rem}
.buttons button{flex:1 1 100%}
}
`;

/** The stylesheet of the pages with forms. */
export const styles = shellStyles + contentStyles;

/** The drop of the bank, in its green: an SVG. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#14503c" d="M5 0a5 5 0 1 1-5 5V0z"/></svg>';
