/** Colours of a picture that stands alone, light and dark: those of the console. */
const lineColours = {
  light:
    '--ink:#1b2420;--soft:#55625b;--line:#dfe3dc;--paper:#fff;--deep:#14503c;--closed:#f1f2ee;--on-deep:#fff;--bad-ink:#8c1a15;--try:#a4560a;--back:#2a4f9e;--tint:#e9f1ec',
  dark: '--ink:#e6ebe7;--soft:#a3b0a8;--line:#333d38;--paper:#1a211e;--deep:#86d3b0;--closed:#121715;--on-deep:#0b2219;--bad-ink:#ff9d96;--try:#f2b57a;--back:#a9c4ff;--tint:#24332c',
} as const;

/** Strokes, fills and letters of the line, on a page and in a picture that stands alone. */
export const lineShapes = `
.settlement text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.settlement text.d{font-weight:650}
.settlement text.d.e{fill:var(--soft);font-weight:400}
.settlement text:is(.c,.k){font-size:11px}
.settlement text.d.l{font-size:9.5px;font-weight:400}
.settlement text:is(.c,.k,.h,.m){fill:var(--soft)}
.settlement text.h{font-size:9px}
.settlement .day:not(.first) .h{visibility:hidden}
.settlement text.u{text-anchor:middle;font-size:10px}
.settlement text.c{paint-order:stroke;stroke:var(--closed);stroke-width:4px;stroke-linejoin:round}
.settlement text.a{font-weight:650}
.settlement text.good{fill:var(--deep)}
.settlement text.bad{fill:var(--bad-ink)}
.settlement text.retry{fill:var(--try)}
.settlement text.back{fill:var(--back)}
.settlement text.soft{fill:var(--soft)}
.settlement .t{stroke:var(--soft);stroke-width:1.2}
.settlement .hg{fill:var(--closed)}
.settlement .hl{stroke:var(--line);stroke-width:3}
.settlement .rule{stroke:var(--line);stroke-width:.75}
.settlement .ln{stroke:var(--try);stroke-width:2}
.settlement .dot{stroke:var(--soft);stroke-dasharray:.1 4.5;stroke-width:2;stroke-linecap:round;fill:none}
.settlement .tip{fill:var(--soft)}
.settlement .stub{stroke:var(--ink);stroke-width:2;fill:none}
.settlement .arc{fill:none;stroke:var(--deep);stroke-width:2}
.settlement .arc.back{stroke:var(--back);stroke-dasharray:5 3}
.settlement .o{fill:var(--paper);stroke:var(--ink);stroke-width:2}
.settlement .s{fill:var(--deep);stroke:var(--deep);stroke-width:2.5}
.settlement .q{fill:var(--try);stroke:var(--try);stroke-width:2}
.settlement .b{fill:var(--back);stroke:var(--back);stroke-width:2;stroke-linejoin:round}
.settlement :is(.s,.q,.b).f{fill:var(--paper)}
.settlement :is(.x,.v){fill:none;stroke:var(--bad-ink);stroke-width:3;stroke-linecap:round}
.settlement .v{stroke:var(--soft)}
.settlement .x.f{stroke-width:1.8}
.settlement .p{stroke:var(--deep);stroke-width:2}
.settlement .pf{fill:var(--deep)}
.settlement text.pt{fill:var(--on-deep);font-weight:650;text-anchor:middle}
.settlement text.told{font-weight:650;text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:6px;stroke-linejoin:round}
.settlement .hit{fill:transparent}
.settlement .paper{fill:var(--paper)}
`;

/** The style sheet of a page with a line. */
export const lineStyles = `${lineShapes}
.settlement{--try:#a4560a;--back:#2a4f9e}
@media (prefers-color-scheme:dark){
.settlement{--try:#f2b57a;--back:#a9c4ff}
}
main:has(>.settlement~.doors)>h1{font-size:1.0625rem;text-wrap:pretty}
.settlement{container-type:inline-size;margin-top:1rem;padding:.75rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
.settlement svg{display:block;width:100%;height:auto;overflow:visible}
.settlement svg.wide{display:none;max-width:1100px}
.settlement svg.narrow{max-width:34rem}
@container (min-width:40rem){
.settlement svg.wide{display:block}
.settlement svg.narrow{display:none}
}
.settlement a:hover .hit,.settlement a:focus-visible .hit{fill:var(--tint);fill-opacity:.7}
.settlement a:focus-visible{outline:0}
.settlement a:focus-visible .hit{stroke:var(--focus);stroke-width:3}
.settlement svg[data-places]{touch-action:pan-y}
.handle{cursor:grab;outline:0}
.settlement .day:hover .h,.settlement:has(.handle:focus-visible) .h{visibility:visible}
.handle:focus-visible .pf{stroke:var(--focus);stroke-width:3}
.moving .handle{cursor:grabbing}
.settlement .s.f.soon{fill:var(--deep)}
.settlement .q.f.soon{fill:var(--try)}
.settlement .b.f.soon{fill:var(--back)}
.settlement .x.f.soon{stroke-width:3.5}
.settlement figcaption{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1rem;margin-top:.5rem;font-size:.8125rem;color:var(--soft)}
@media (forced-colors:active){
.settlement{--ink:CanvasText;--soft:CanvasText;--line:GrayText;--paper:Canvas;--closed:Canvas;--deep:LinkText;--on-deep:Canvas;--bad-ink:CanvasText;--try:CanvasText;--back:CanvasText}
.settlement svg{forced-color-adjust:none}
}
@media print{
.settlement{border:0;padding:0}
.settlement :is(figcaption,.told){display:none}
}
`;

/** The colours of a picture that stands alone; `auto`: as its reader's other windows. */
export type Scheme = keyof typeof lineColours | 'auto';

/** The style sheet of a picture that stands alone. */
export function pictureStyles(scheme: Scheme): string {
  const dark = `@media (prefers-color-scheme:dark){.settlement{${lineColours.dark}}}`;
  return `.settlement{${scheme === 'auto' ? lineColours.light : lineColours[scheme]}}${scheme === 'auto' ? dark : ''}${lineShapes}.settlement text.h1{font-size:17px;font-weight:650}`;
}
