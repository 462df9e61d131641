import { shellStyles } from '../pages/styles.ts';

/** The stylesheet of the API reference, beside that of the guide. */
export const referenceStyles = `
.pages .calls-beside a{display:grid;grid-template-columns:2.9rem 1fr;align-items:baseline}
.documents{display:flex;gap:.25rem}
.pages .documents a{white-space:nowrap;border:1px solid var(--line)}
.route .method{font-size:.875rem;border:1px solid currentcolor;border-radius:.3rem;padding:0 .4rem}
main .calls{list-style:none;padding:0;border:1px solid var(--line);border-radius:.6rem}
.calls li{margin:0!important}
.calls li+li{border-top:1px solid var(--line)}
.calls a{display:grid;grid-template-columns:3.5rem 1fr;gap:0 .5rem;align-items:baseline;padding:.6rem .9rem;color:var(--ink);
text-decoration:none}
.calls a:hover{background:var(--tint)}
.calls code{grid-column:2;background:none;padding:0;color:var(--soft);overflow-wrap:anywhere}
main .members{list-style:none;padding:0;border-top:1px solid var(--line)}
.members li{margin:0!important;padding:.6rem 0;border-bottom:1px solid var(--line)}
.members .members{padding-left:1rem;border-left:2px solid var(--line);border-top:0;margin-top:.35rem}
.members .members li:last-child{border-bottom:0}
.members p+p{margin-top:.15rem}
.members p:nth-child(n+2){font-size:.9375rem;color:var(--soft)}
.members p:nth-child(n+2) code{color:var(--ink)}
.members p>span:has(code){display:block}
.members p:first-child code{background:none;padding:0;font-weight:600}
.need{color:var(--delete);font-size:.8125rem;font-weight:600}
.members summary{font-weight:500;font-size:.9375rem;color:var(--deep)}
.values{font-size:.9375rem;line-height:1.8}
.shown{margin-top:2.5rem}
.call>.shown h2{font-size:1rem;margin-top:2rem}
.call>.shown h2:first-child{margin-top:0}
.shown pre{max-height:32rem;font-size:.8125rem}
.try{border:1px solid var(--line);border-radius:.6rem;padding:1rem}
.try label+label,.try :is(details,.send,.code,#approve){margin-top:.75rem}
.try label{display:block;font-size:.875rem;font-weight:600}
.try :is(input,select,textarea){display:block;width:100%;font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
padding:.35rem .6rem;border:1px solid var(--field);border-radius:.4rem;background:var(--paper);color:inherit}
.try textarea{white-space:pre;overflow-x:auto;resize:vertical}
.send button{font:inherit;font-weight:600;cursor:pointer;padding:.35rem 1.2rem;margin-right:.75rem;border:0;border-radius:.4rem;
background:var(--deep);color:var(--on-deep)}
.send button:hover{background:var(--deeper)}
@media (min-width:75rem){
.call{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,26rem);gap:2.5rem;align-items:start}
.call>div{margin:0}
.call>.shown{position:sticky;top:4.5rem;max-height:calc(100vh - 5rem);overflow-y:auto}
}
@media print{
.try{display:none}
.call{display:block}
.shown,.shown pre{max-height:none;overflow:visible}
}
`;

/**
 * The stylesheet of the guide and of the API reference: a list of pages, the content, a list of its sections; code and
 * tables that scroll.
 */
export const guideStyles = `${shellStyles}
:root{--get:#0b5cad;--post:#14503c;--put:#7a4b00;--delete:#a3211b}
@media (prefers-color-scheme:dark){
:root{--get:#8cc2ff;--post:#86d3b0;--put:#f0c674;--delete:#ff9d96}
}
html{scroll-padding-top:4.5rem}
body{background:var(--paper);font-size:1rem;line-height:1.55}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.5rem;z-index:4;background:var(--paper);padding:.25rem .75rem;border-radius:.375rem}
.site{position:sticky;top:0;z-index:3;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding:.55rem 1.25rem;
background:var(--paper);border-bottom:1px solid var(--line);font-size:.9375rem}
.site .bank a{text-decoration:none}
.site nav{display:flex;flex-wrap:wrap;gap:.125rem .25rem}
.site nav a{padding:.2rem .5rem;border-radius:.375rem;color:var(--ink);text-decoration:none}
.site nav a:hover{background:var(--tint)}
.site [aria-current]{background:var(--tint);font-weight:600}
.search{position:relative;margin-left:auto;flex:0 1 20rem}
.search input{width:100%;font:inherit;padding:.3rem .75rem;border:1px solid var(--field);border-radius:.5rem;background:var(--ground);
color:inherit}
.popup{position:absolute;z-index:4;top:100%;right:0;width:min(34rem,100vw - 2rem);max-height:75vh;overflow-y:auto;margin-top:.35rem;padding:.35rem;
background:var(--paper);border:1px solid var(--line);border-radius:.6rem;box-shadow:0 12px 32px rgb(0 0 0/.22)}
.found{list-style:none}
.popup.found{padding:.35rem .75rem}
main .found{padding:0}
.found li+li{border-top:1px solid var(--line)}
.found li{margin:0!important;padding:.6rem 0}
.found a{font-weight:600;text-decoration:none}
.found a:hover{text-decoration:underline}
.found p{color:var(--soft);font-size:.875rem;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.guide main{max-width:none;margin:0;padding:1.5rem 1.25rem;border:0;border-radius:0}
main>*+*,.call>div>*+*{margin-top:.875rem}
main h2,main h3,main h4{line-height:1.3;font-weight:650;letter-spacing:-.01em;scroll-margin-top:4.5rem}
main [id]{scroll-margin-top:4.5rem}
main h2{font-size:1.3125rem}
main h3{font-size:1.125rem}
main h4{font-size:1rem}
main>h2,.call>div>h2{margin-top:2rem}
main>h3{margin-top:1.75rem}
main>h4{margin-top:1.5rem}
.above{font-size:.9375rem;font-weight:600}
.above+h1{margin-top:.25rem}
.above a{text-decoration:none}
.anchor{color:var(--soft);text-decoration:none;font-weight:400;font-size:.8em;padding:0 .3em}
@media (hover:hover){
.anchor{opacity:0}
:is(h2,h3,h4):hover .anchor,.anchor:focus-visible{opacity:1}
}
main ul,main ol{padding-left:1.4rem}
main li+li{margin-top:.35rem}
main li>ul,main li>ol,main li>p+*{margin-top:.35rem}
main img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}
main p:empty{display:none}
main hr{border:0;border-top:1px solid var(--line)}
.parts{columns:16rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:not(pre)>code{background:var(--tint);border-radius:.25rem;padding:.05em .3em}
a>code{color:inherit}
code>span{white-space:nowrap}
.code:has(.copy){display:flex;align-items:start;gap:.5rem}
.code:has(.copy) pre{flex:1;min-width:0}
pre{margin:0;padding:.75rem 1rem;font-size:.875rem;overflow-x:auto;background:var(--ground);border:1px solid var(--line);border-radius:.5rem;
line-height:1.43;overflow-wrap:normal}
pre code{font-size:1em}
.copy{margin-top:.5rem;min-height:1.5rem;font:inherit;font-size:.8125rem;padding:.1rem .6rem;cursor:pointer;
color:var(--ink);background:var(--paper);border:1px solid var(--field);border-radius:.375rem}
.copy:hover{background:var(--tint)}
.scrolls{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}
th,td{padding:.5rem 1rem .5rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600}
summary{cursor:pointer;font-weight:600;padding:.15rem 0}
.next,.as-text{border-top:1px solid var(--line);padding-top:1rem}
.next{margin-top:3rem}
.next a{font-weight:600}
.as-text{border:0;padding:0;font-size:.9375rem}
.pages{padding:1.25rem 1rem 3rem;font-size:.9063rem;line-height:1.45}
.to-pages{padding:.15rem 1.25rem;border-bottom:1px solid var(--line)}
.to-pages .pages{padding:.5rem 0}
.guide>.pages{display:none}
.pages ul{list-style:none;padding:0 0 .75rem}
.pages ul ul{padding:0 0 .35rem;margin-left:.5rem;border-left:1px solid var(--line)}
.pages a{display:block;padding:.25rem .5rem;border-radius:.375rem;color:var(--soft);text-decoration:none}
.pages a:hover{background:var(--tint);color:var(--ink)}
.pages [aria-current]{background:var(--tint);color:var(--ink);font-weight:600}
.pages>p a{color:var(--ink);font-weight:600;font-size:.8125rem;padding:.3rem .5rem}
.pages summary{padding:.3rem .5rem;font-size:.8125rem;letter-spacing:.02em}
.beside{display:none}
.method{display:inline-block;font:700 .6875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.03em;color:var(--soft)}
.method.get{color:var(--get)}
.method.post{color:var(--post)}
.method:is(.put,.patch){color:var(--put)}
.method.delete{color:var(--delete)}
.kind{color:var(--soft);font-size:.875rem}
:is(.try,.code,#approve)[hidden],.popup[hidden],.search:not(:focus-within) .popup{display:none}
@media (max-width:40rem){
.search{flex-basis:100%;order:3}
.site{position:relative}
.popup{width:100%}
.code:has(.copy){flex-direction:column-reverse;align-items:stretch;gap:.25rem}
.copy{align-self:end}
}
@media (max-width:63.99rem){
.guide main{padding-top:.75rem}
}
@media (min-width:64rem){
.to-pages{display:none}
.guide>.pages{display:block}
.guide{display:grid;grid-template-columns:16rem minmax(0,1fr)}
.guide>.pages,.beside{position:sticky;top:3.25rem;align-self:start;max-height:calc(100vh - 3.25rem);overflow-y:auto}
.pages{grid-area:1/1;border-right:1px solid var(--line);min-height:calc(100vh - 3.25rem)}
.guide main{grid-area:1/2;width:100%;max-width:56rem;margin:0;padding:2.25rem 2.5rem 4rem}
.guide main:has(.call){max-width:84rem}
}
@media (min-width:75rem){
.guide:has(.beside){grid-template-columns:16rem minmax(0,1fr) 14rem}
.guide:has(.beside) main{padding-right:1.5rem}
.beside{display:block;grid-area:1/3;padding:2.5rem 1.25rem 2rem 0;font-size:.875rem;line-height:1.4}
.beside p{font-weight:600}
.beside ul{list-style:none;margin-top:.5rem;border-left:1px solid var(--line)}
.beside a{display:block;padding:.25rem .75rem;color:var(--soft);text-decoration:none}
.beside a:hover{color:var(--ink)}
.beside :is(code,strong){background:none;padding:0;font:inherit}
}
@media (prefers-reduced-motion:no-preference){
html{scroll-behavior:smooth}
}
@media print{
.site,.to-pages,.guide>.pages,.beside,.copy,.next,.as-text,.anchor{display:none}
.guide{display:block}
.guide main{max-width:none;padding:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid}
:is(h1,h2,h3,h4){break-after:avoid}
.scrolls{overflow:visible}
a{color:inherit}
}
`;
