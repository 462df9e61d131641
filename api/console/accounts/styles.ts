/** The funds of an account, and the bars of its months. */
export const accountStyles = `
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
