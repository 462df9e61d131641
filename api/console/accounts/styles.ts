/** The curve of an account, and the bars of its months. */
export const plotStyles = `
.plot{margin-top:.75rem;padding:1rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
.plot figcaption{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.8125rem;color:var(--soft)}
.key{display:inline-flex;align-items:center;gap:.4rem}
.stage{display:flex;margin-top:.75rem}
.key svg,.stage>svg{flex:none}
.course{position:relative;flex:1;min-width:0}
.stage svg{display:block;overflow:visible}
.stage svg svg{overflow:hidden}
.stage text{font-size:12px;fill:var(--soft)}
.plot .grid{stroke:var(--line)}
.plot .zero{stroke:var(--field)}
.plot .ahead{fill:var(--ahead)}
.plot .now{stroke:var(--field);stroke-dasharray:2 3}
.plot text.now{stroke:none}
.plot path{fill:none;vector-effect:non-scaling-stroke}
.plot path.area{fill:var(--area)}
.plot path.booked{stroke:var(--deep);stroke-width:1.5}
.plot path.available{stroke:var(--goes-ink);stroke-width:1.5}
.plot path.forecast{stroke:var(--goes-ink);stroke-width:2;stroke-dasharray:1 4;stroke-linecap:round}
.plot circle{stroke:var(--paper);stroke-width:1}
.plot .income{fill:var(--deep)}
.plot .dip{fill:var(--paper);stroke:var(--goes-ink);stroke-width:1.5}
.plot .short{fill:var(--red)}
.plot .lowest{fill:none;stroke:var(--red);stroke-width:2}
.plot [data-slide]{stroke:var(--ink)}
.slide{display:none}
.scripted .slide{display:block}
.slide input{position:absolute;inset:26px 0 42px;width:100%;height:220px;min-height:0;margin:0;padding:0;border:0;opacity:0;cursor:crosshair;
touch-action:pan-y}
.course:has(input:focus-visible){outline:3px solid var(--focus);outline-offset:2px}
.slide output{position:absolute;top:0;z-index:1;width:max-content;max-width:min(15rem,100%);padding:.3rem .6rem;font-size:.8125rem;
background:var(--ink);color:var(--paper);border-radius:.375rem;pointer-events:none;white-space:pre-line;overflow-wrap:anywhere}
.slide output::first-line{font-weight:600}
.slide output:empty{display:none}
.bar{display:block;min-width:4.5rem;margin:.1rem 0 .35rem}
.bar .in{fill:var(--deep)}
.bar .out{fill:var(--out)}
td.text .bar{margin:.35rem 0 0}
.funds .facts{padding-block:1rem;align-items:end}
.funds div:first-child dd{font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.02em}
@media (max-width:30rem){
.funds div:first-child{grid-column:1/-1}
}
@media (max-width:48rem){
.pair td:has(.bar){flex:1 1 40%}
.pair td:has(.bar)>div{flex:1}
}
`;
