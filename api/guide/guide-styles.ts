import { shellStyles } from '../pages/styles.ts';

/** The stylesheet of the guide: the shell of all pages, a list of pages beside the content, code and tables that scroll. */
export const guideStyles = `${shellStyles}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.site{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.5rem;padding:.7rem 1rem;background:var(--paper);
border-bottom:1px solid var(--line);font-size:.9375rem}
.site .bank a{text-decoration:none}
.site nav{display:flex;flex-wrap:wrap;gap:.125rem .25rem}
.site nav a{padding:.2rem .5rem;border-radius:.375rem;color:var(--ink);text-decoration:none}
.site nav a:hover{background:var(--tint)}
.site [aria-current],#pages [aria-current]{background:var(--tint);font-weight:600}
.guide main{max-width:none;margin:0;padding:1.25rem 1rem;border-width:0 0 1px;border-radius:0}
main>*+*{margin-top:1rem}
main h2,main h3,main h4{line-height:1.3;font-weight:650;letter-spacing:-.01em;scroll-margin-top:1rem}
main h2{font-size:1.375rem;margin-top:2.25rem}
main h3{font-size:1.125rem;margin-top:1.75rem}
main h4{font-size:1rem;margin-top:1.5rem}
.anchor{color:var(--soft);text-decoration:none;font-weight:400;font-size:.8em;padding:0 .3em}
main ul,main ol{padding-left:1.4rem}
main li+li{margin-top:.35rem}
main li>ul,main li>ol,main li>p+*{margin-top:.35rem}
main img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}
main p:empty{display:none}
main hr{border:0;border-top:1px solid var(--line)}
blockquote{margin:0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:not(pre)>code{background:var(--tint);border-radius:.25rem;padding:.05em .3em}
a>code{color:inherit}
.code{position:relative}
.code:has(.copy) pre{padding-top:2.25rem}
pre{margin:0;padding:.85rem 1rem;overflow-x:auto;background:var(--ground);border:1px solid var(--line);border-radius:.5rem;
line-height:1.45;overflow-wrap:normal}
.copy{position:absolute;top:.4rem;right:.4rem;min-height:1.5rem;font:inherit;font-size:.8125rem;padding:.1rem .6rem;cursor:pointer;
color:var(--ink);background:var(--paper);border:1px solid var(--field);border-radius:.375rem}
.copy:hover{background:var(--tint)}
.scrolls{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}
th,td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600}
summary{cursor:pointer;font-weight:600;padding:.15rem 0}
.sections ul{columns:16rem;margin-top:.5rem}
.next,.as-text{border-top:1px solid var(--line);padding-top:1rem}
.next{margin-top:2.5rem}
.as-text{border:0;padding:0;font-size:.9375rem}
#pages{padding:1.25rem 1rem 3rem;font-size:.9375rem}
#pages ul{list-style:none;padding:0 0 .75rem}
#pages a{display:block;padding:.2rem .5rem;border-radius:.375rem;color:var(--ink);text-decoration:none}
#pages a:hover{background:var(--tint)}
@media (min-width:64rem){
.to-pages{display:none}
.guide{display:grid;grid-template-columns:15rem minmax(0,1fr)}
#pages{grid-area:1/1;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto}
.guide main{grid-area:1/2;max-width:58rem;margin:1.25rem 1.5rem 3rem 0;padding:2rem 2.5rem;border-width:1px;border-radius:.75rem}
}
@media print{
.site,#pages,.copy,.next,.as-text,.sections{display:none}
}
`;
