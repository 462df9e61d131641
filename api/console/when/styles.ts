/** The page of `GET /sandbox/when`. */
export const whenStyles = `
.asked{font-size:1.125rem;line-height:1.5;max-width:46rem;margin-top:.75rem;text-wrap:balance}
.asked strong{white-space:nowrap}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:0 1.1rem;margin-top:.75rem;font-size:.8125rem}
.legend li{display:inline-flex;align-items:center;gap:.3rem}
.legend svg,.banks-when svg{display:block;overflow:visible}
.banks-when{list-style:none;margin-top:.5rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;
padding:.25rem 1rem;overflow:hidden}
.banks-when>li{padding:.55rem 0 .6rem;border-top:1px solid var(--line)}
.banks-when>li:first-child{border-top:0}
.banks-when h3{margin:0;font-size:.9375rem}
.banks-when details{margin:0;font-size:.875rem}
.head text{font-size:12px;font-weight:600;fill:var(--ink)}
.head .hour,.head .closed-days{font-weight:400;fill:var(--soft)}
.head .hour{text-anchor:middle;font-size:11px}
.tick{stroke:var(--field)}
.shut{fill:var(--closed)}
.wait{stroke:var(--field);stroke-width:1.5;stroke-dasharray:1 4;stroke-linecap:round}
.way{stroke:var(--deep);stroke-width:3;opacity:.35}
.mark{overflow:visible}
.order{fill:var(--paper);stroke:var(--ink);stroke-width:2}
.paper{fill:var(--paper)}
.run,.booking{stroke-width:1.5}
.run{stroke:var(--deep)}.run.solid{fill:var(--deep)}
.booking{stroke:var(--goes-ink)}.booking.solid{fill:var(--goes-ink)}
.cut{fill:none;stroke-width:2;stroke-linejoin:round}
.cut.met{stroke:var(--deep);fill:var(--deep)}
.cut.missed{stroke:var(--red);fill:var(--red)}
.words{margin-top:.2rem}
.parts{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;font-size:.8125rem}
.parts strong{font-weight:600;white-space:nowrap}
.known{font-size:.75rem;color:var(--soft);margin-left:.15rem}
.parts a.known{color:var(--deep)}
.missed-word{color:var(--red);font-weight:600}
@media (max-width:51.99rem){
.head{height:20px}
.head :is(.hour,.tick,.inner,.closed-days){display:none}
}
@media (min-width:52rem){
.banks-when>li{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:0 1.25rem;align-items:start}
.banks-when>li>.words{grid-column:2}
.banks-when>li>div:first-child{padding-top:.35rem;grid-row:span 2}
}
`;
